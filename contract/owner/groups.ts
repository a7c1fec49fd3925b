import { z } from 'zod';
import { GROUP_COLORS } from '#contract/shared/group-colors.ts';
import { formatLimit, LIMITS } from '#contract/shared/limits.ts';
import { defineOwnerEndpoints } from '../define-endpoints.ts';
import { OPERATOR_DEFAULTS } from '../endpoint-defaults.ts';
import { EXAMPLE_TIME, JOE_ID } from '../examples.ts';
import {
  booleanField,
  booleanParam,
  countField,
  enumParam,
  field,
  idField,
  listParam,
  nullableTextField,
  objectSchema,
  resultSchema,
  textField,
  timeField,
} from '../fields.ts';
import { queryBoolean } from '../query-values.ts';
import { forField, refusal } from '../refusal.ts';
import { SuccessResponse } from '../result-fields.ts';
import { oneLine } from '../text.ts';
import { uuid } from '../uuid.ts';

export const EXAMPLE_ID = '2c9d7b52-6f0e-4a3d-8b1c-4e5f6a7b8c9d';
export const IMPORT_ID = '5d0f7a3e-8c21-4b6e-9a47-1e2f3a4b5c6d';
const { memberGroups: MAX_GROUPS, groupMembers: MAX_MEMBERS } = LIMITS;

const groupId = field(
  'groupIdInvalid',
  uuid('must be the id of a group.'),
  'The id of the group.',
  EXAMPLE_ID,
);

const colorField = z
  .enum(GROUP_COLORS)
  .meta({ description: 'The color that the dashboard shows.', examples: ['blue'] });

export const nameField = textField('The name of the group.', LIMITS.groupName, 'Altos');

const signOnField = nullableTextField(
  'The group of single sign-on whose members are in it, or null.',
  LIMITS.signOnGroup,
  'choir-altos',
);

const Group = objectSchema('Group', 'A group of members.', {
  id: idField('The id of the group.', EXAMPLE_ID),
  slug: textField(
    `A short name that never changes, for websites. ${LIMITS.groupSlugDays} days after a group was deleted, another one can get it.`,
    LIMITS.displayNameMax,
    'altos',
  ),
  name: nameField,
  color: colorField,
  sign_on: signOnField,
  in_directory: booleanField('Whether the public list of members has it, with those in it.', true),
  members: countField('How many members are in it.', 14),
  invited: countField('How many people with an open invitation join it when they accept.', 1),
  created_at: timeField('When it was created', EXAMPLE_TIME),
  deleted_at: timeField(
    'When it was deleted; null if it was not',
    '2026-02-01T10:12:00.000Z',
  ).nullable(),
});

/** A group of one member. */
export const MemberGroup = objectSchema('MemberGroup', 'A group that the member is in.', {
  id: idField('The id of the group.', EXAMPLE_ID),
  name: nameField,
  color: colorField,
  sources: z.array(z.enum(['hand', 'import', 'sign_on'])).meta({
    description:
      'Why: an operator added the member by hand, a list was imported, or single sign-on names the group. The member leaves the group when the last of them ends.',
    examples: [['hand']],
  }),
});

const GroupImport = objectSchema('GroupImport', 'A list that was imported in the last day.', {
  id: idField('The id, for `revokeImport`.', IMPORT_ID),
  created_at: timeField('When it was imported', EXAMPLE_TIME),
  groups: countField('How many groups `revokeImport` would delete.', 4),
  members: countField('How many members are in groups only by this list.', 12),
  invited: countField('How many open invitations lead into groups only by this list.', 1),
  restored: countField('How many people `revokeImport` would put back.', 0),
});

const GroupResponse = objectSchema('GroupResponse', 'The group.', { group: Group });

const name = field(
  'nameInvalid',
  oneLine(LIMITS.groupName),
  'The name. No other group may have it.',
  'Altos',
);
const color = field(
  'colorInvalid',
  enumParam(GROUP_COLORS),
  'The color that the dashboard shows.',
  'blue',
);

const signOn = field(
  'signOnInvalid',
  oneLine(LIMITS.signOnGroup).nullish(),
  'The name or id that single sign-on has in `groups`. Its members join at their next sign-on, and leave at the first without it. If you change it, those whom it let in leave at once.',
  'choir-altos',
);

const inDirectory = field(
  'inDirectoryInvalid',
  booleanParam().optional(),
  'Whether the list of members (`/members`) has the group, to show those in it who are on the list. Groups are not on it at first.',
  true,
);

const accountIds = field(
  'accountIdsInvalid',
  listParam(uuid(), 1, LIMITS.listEntries, 'ids of accounts'),
  'The ids of the accounts.',
  [JOE_ID],
);

export const GROUP_REFUSALS = {
  groupNotFound: forField(
    'group_id',
    refusal(404, 'There is no group with this id, or it is deleted.', 'There is no such group.'),
  ),
};

const groupNameTaken = forField(
  'name',
  refusal(409, 'Another group has the name.', 'There is a group {name} already.', {
    name: 'Altos',
  }),
);

export const groupLimitReached = refusal(
  400,
  `There are ${MAX_GROUPS} groups already.`,
  'This server has reached its limit of {limit} groups. Delete one first.',
  { limit: MAX_GROUPS },
);

export const groupFull = refusal(
  400,
  `The group would have more than ${formatLimit(MAX_MEMBERS)} members.`,
  'A group can have {limit} members.',
  { limit: formatLimit(MAX_MEMBERS) },
);

/** The members of a group can be readers of a group address. */
export const READER_REFUSALS = {
  readerLimitReached: refusal(
    409,
    `A group address would have more than ${LIMITS.addressRecipients} readers.`,
    'The address {name} can have {limit} readers.',
    { name: 'board', limit: LIMITS.addressRecipients },
  ),
  severalRecipientsUnavailable: refusal(
    409,
    'The forwarding provider, such as Cloudflare, sends an address to one inbox only.',
    'Your forwarding provider sends an address to one inbox only. Choose one recipient.',
  ),
};

/** Groups of members. */
export const groups = defineOwnerEndpoints('groups', OPERATOR_DEFAULTS, {
  listGroups: {
    method: 'GET',
    summary: 'List the groups of members',
    description:
      'For operators. Returns the groups by name. `members.listMembers` with `group_id` returns who is in one.',
    query: {
      deleted: field(
        'deletedInvalid',
        queryBoolean(booleanParam()).default(false),
        `Whether to return groups that were deleted in the last ${LIMITS.deletedGroupDays} days instead, newest first.`,
        false,
      ),
    },
    response: resultSchema('The groups.', {
      groups: z.array(Group).meta({
        description: 'The groups, by name.',
        maxItems: MAX_GROUPS,
      }),
      imports: z
        .array(GroupImport)
        .meta({ description: 'The lists that can be taken back, newest first.', maxItems: 1_000 }),
    }),
    listField: 'groups',
    failure: 'The groups could not be listed.',
  },
  createGroup: {
    method: 'POST',
    summary: 'Create a group',
    description: `For operators. Creates a group without members. There can be ${MAX_GROUPS} groups.`,
    body: { name, color: color.default('blue'), sign_on: signOn, in_directory: inDirectory },
    response: GroupResponse,
    recentLogin: true,
    failure: 'The group could not be created.',
    refusals: { groupNameTaken, groupLimitReached },
  },
  updateGroup: {
    method: 'POST',
    summary: 'Change a group, or bring it back',
    description:
      'For operators. Changes the fields that are sent; the slug stays. `deleted: false` brings a deleted group back, with those of its members who are still members of this server.',
    body: {
      group_id: groupId,
      name: name.optional(),
      color: color.optional(),
      sign_on: signOn,
      in_directory: inDirectory,
      deleted: field(
        'deletedInvalid',
        z.literal(false, 'must be false, or left out.').optional(),
        `false: brings the group back, within ${LIMITS.deletedGroupDays} days after it was deleted.`,
        false,
      ),
    },
    response: GroupResponse,
    recentLogin: true,
    failure: 'The group could not be changed.',
    idempotent: true,
    refusals: { ...GROUP_REFUSALS, ...READER_REFUSALS, groupNameTaken, groupLimitReached },
  },
  deleteGroup: {
    method: 'POST',
    summary: 'Delete a group',
    description: `For operators. Deletes a group, not its members. For ${LIMITS.deletedGroupDays} days, \`updateGroup\` can bring it back, and for ${LIMITS.groupSlugDays} days, no other group gets its slug.`,
    body: { group_id: groupId },
    response: SuccessResponse,
    recentLogin: true,
    destructive: true,
    failure: 'The group could not be deleted.',
    refusals: GROUP_REFUSALS,
  },
  addMembers: {
    method: 'POST',
    summary: 'Add members to a group',
    description: `For operators. Adds members by hand: all of them or, if one is no member, none. They become readers of the addresses of the group, which can have ${formatLimit(MAX_MEMBERS)} members.`,
    body: { group_id: groupId, account_ids: accountIds },
    response: resultSchema('The group, and who is new.', {
      group: Group,
      added: countField('How many of them were not in the group before.', 1),
    }),
    recentLogin: true,
    failure: 'The members could not be added.',
    idempotent: true,
    refusals: {
      ...GROUP_REFUSALS,
      ...READER_REFUSALS,
      memberNotFound: forField(
        'account_ids',
        refusal(
          404,
          'No account has the id, or it waits for a decision or is being deleted.',
          'There is no member {member}.',
          { member: JOE_ID },
        ),
      ),
      groupFull,
    },
  },
  removeMembers: {
    method: 'POST',
    summary: 'Remove members from a group',
    description:
      'For operators. Removes members whom an operator added, by hand or by a list; members by single sign-on stay until they leave the group there. They no longer read the addresses of the group, unless an operator entered them there.',
    body: { group_id: groupId, account_ids: accountIds },
    response: resultSchema('The group, and who left it.', {
      group: Group,
      removed: countField('How many of them are no longer in the group.', 1),
      kept: countField('How many of them stay in the group by single sign-on.', 0),
    }),
    recentLogin: true,
    destructive: true,
    failure: 'The members could not be removed.',
    idempotent: true,
    refusals: GROUP_REFUSALS,
  },
});
