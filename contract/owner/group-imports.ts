import { z } from 'zod';
import { LIMITS } from '#contract/shared/limits.ts';
import { defineOwnerEndpoints } from '../define-endpoints.ts';
import { OPERATOR_DEFAULTS, QUERY_DEFAULTS } from '../endpoint-defaults.ts';
import { booleanParam, countField, field, idField, objectSchema, resultSchema } from '../fields.ts';
import { forField, refusal } from '../refusal.ts';
import { SuccessResponse } from '../result-fields.ts';
import { uuid } from '../uuid.ts';
import {
  EXAMPLE_ID,
  groupFull,
  groupLimitReached,
  IMPORT_ID,
  nameField,
  READER_REFUSALS,
} from './groups.ts';
import { MEMBER_LIST_REFUSALS, memberList } from './member-lists.ts';

const ImportedGroup = objectSchema('ImportedGroup', 'A group that a list names.', {
  id: idField('The id of the group, or null if the import creates it.', EXAMPLE_ID).nullable(),
  name: nameField,
  lines: countField('How many lines of the list name it.', 14),
  added: countField('How many members join it.', 12),
  invited: countField('How many people with an open invitation join it when they accept.', 1),
  removed: countField('How many members leave it with `remove_others`.', 0),
});

const ImportResult = {
  groups: z
    .array(ImportedGroup)
    .meta({ description: 'The groups, by name.', maxItems: LIMITS.memberGroups }),
  unknown_lines: z.array(z.int().meta({ examples: [7] })).meta({
    description:
      'The lines that match no member and no open invitation, or several people with the same address. They are skipped.',
    maxItems: LIMITS.members,
    examples: [[7]],
  }),
};

const IMPORT_REFUSALS = {
  ...MEMBER_LIST_REFUSALS,
  listedGroupTooLong: forField(
    'csv',
    refusal(
      400,
      `The list names a group with more than ${LIMITS.groupName} characters.`,
      `The name of a group in line {line} has more than ${LIMITS.groupName} characters. Shorten it.`,
      { line: 7 },
    ),
  ),
  groupLimitReached,
};

/** Lists with a column of groups. */
export const groupImports = {
  ...defineOwnerEndpoints(
    'groups',
    {
      ...QUERY_DEFAULTS,
      scope: OPERATOR_DEFAULTS.scope,
      requestRefusals: OPERATOR_DEFAULTS.requestRefusals,
    },
    {
      checkImport: {
        method: 'POST',
        summary: 'Check which groups a list names',
        description:
          'For operators. Says what `importMembers` with the same list would do. Changes nothing.',
        body: memberList,
        response: resultSchema('What the import would do.', ImportResult),
        failure: 'The list could not be checked.',
        readOnly: true,
        refusals: IMPORT_REFUSALS,
      },
    },
  ),
  ...defineOwnerEndpoints('groups', OPERATOR_DEFAULTS, {
    importMembers: {
      method: 'POST',
      summary: 'Put the people of a list into groups',
      description:
        'For operators. Adds members to the groups in the column `groups`, such as *Alto, Board*, and creates missing groups. People are matched by address and name, as in `createInvitations`; invited people join when they accept.',
      body: {
        ...memberList,
        remove_others: field(
          'removeOthersInvalid',
          booleanParam().default(false),
          'Whether members leave a group of the list if the list does not name them in it. Only those whom an earlier list put there.',
          false,
        ),
      },
      response: resultSchema('What the import did.', {
        import_id: idField(
          'The id, for `revokeImport`. Null if nothing changed.',
          IMPORT_ID,
        ).nullable(),
        ...ImportResult,
      }),
      recentLogin: true,
      failure: 'The list could not be imported.',
      refusals: { ...IMPORT_REFUSALS, ...READER_REFUSALS, groupFull },
    },
    revokeImport: {
      method: 'POST',
      summary: 'Take back the import of a list',
      description:
        'For operators. Within a day of an import, removes the members it added unless a later import added them again, and restores the members it removed. Deletes the groups it created, unless they have other members; `updateGroup` restores such a group and its members.',
      body: {
        import_id: field(
          'importIdInvalid',
          uuid('must be the id of an import.'),
          'The id of the import.',
          IMPORT_ID,
        ),
      },
      response: SuccessResponse,
      recentLogin: true,
      destructive: true,
      failure: 'The import could not be taken back.',
      refusals: {
        ...READER_REFUSALS,
        groupFull,
        importNotFound: forField(
          'import_id',
          refusal(
            404,
            'There is no import with this id, or it is older than a day.',
            'There is no such import, or it is older than a day.',
          ),
        ),
      },
    },
  }),
};
