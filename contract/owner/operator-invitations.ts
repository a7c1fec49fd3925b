import { z } from 'zod';
import { LIMITS } from '#contract/shared/limits.ts';
import { defineOwnerEndpoints } from '../define-endpoints.ts';
import { emailParam } from '../email.ts';
import { OPERATOR_DEFAULTS } from '../endpoint-defaults.ts';
import { BATCH_ID, EXAMPLE_TIME, exampleLink } from '../examples.ts';
import {
  field,
  idField,
  nullableTextField,
  objectSchema,
  resultSchema,
  timeField,
  timeParam,
  intParam,
  enumParam,
  listParam,
} from '../fields.ts';
import { forField, refusal } from '../refusal.ts';
import { EMAIL_DOMAIN_REFUSALS } from '../request-refusals.ts';
import { SuccessResponse } from '../result-fields.ts';
import { oneLine } from '../text.ts';
import { uuid } from '../uuid.ts';
import { REGISTRATION_CLOSED_REFUSALS } from './invitations.ts';
import { listQuery, next } from './listing.ts';

const INVITATION_STATES = ['open', 'waiting', 'sent', 'failed', 'accepted', 'expired'] as const;
const RESENT_STATES = ['sent', 'failed', 'expired'] as const;
const SEARCH_MESSAGE = 'must be a text of 1 to 254 characters.';

const EXAMPLE_ID = '71c4a9e8-0d52-4b36-a8f7-9e2d5c1b6043';

const personName = nullableTextField(
  'The name of the invited person, or null.',
  LIMITS.memberName,
  'José Müller',
);

const address = (description: string) =>
  nullableTextField(description, LIMITS.email, 'jose@example.com');

const suggestedName = nullableTextField(
  'The display name that the invitation suggests, or null. It is not reserved: the invited person can choose another one.',
  LIMITS.displayNameMax,
  'jose-mueller',
);

const Invitation = objectSchema('Invitation', 'An invitation of a member, or an invitation link.', {
  id: idField('The id of the invitation. It is not a secret.', EXAMPLE_ID),
  state: z.enum(INVITATION_STATES).meta({
    description:
      'open: a link that still works; waiting: the mail is waiting to be sent, or is being retried; sent: the mail server took the mail, and the person has not answered; failed: the mail server refused the mail for good; accepted: used up; expired.',
    examples: ['sent'],
  }),
  note: nullableTextField(
    'A note about who the link is for, or null. Only operators see it.',
    LIMITS.invitationNote,
    'Autumn training weekend',
  ),
  batch_id: idField('The batch of an invited member. Null for a link.', BATCH_ID).nullable(),
  name: personName,
  email: address('The address of the invited member. Null for a link, and after acceptance.'),
  display_name: suggestedName,
  forward_to_email: address(
    'Where mail is to be forwarded, if not to `email`. Null for a link, and after acceptance.',
  ),
  max_uses: z
    .int()
    .meta({ description: 'How many people can use the invitation.', examples: [30] }),
  uses: z.int().meta({ description: 'How many people have used it.', examples: [11] }),
  mail_tries: z.int().meta({ description: 'How often the newest mail was tried.', examples: [1] }),
  mail_error: nullableTextField(
    "The error of the last try: a code of the connection and, if there is one, the mail server's status code.",
    200,
    'EENVELOPE 550',
  ),
  sent_at: timeField('When the mail server took the mail', '2026-01-31T09:31:00.000Z').nullable(),
  accepted_at: timeField('When it was last used', '2026-02-01T10:00:00.000Z').nullable(),
  account_id: idField(
    'The account that was created with it. Null for a link for several people.',
    null,
  ).nullable(),
  created_at: timeField('When the invitation was created', EXAMPLE_TIME),
  expires_at: timeField('When the invitation expires', '2026-02-07T09:30:00.000Z'),
});

const count = (description: string, example: number) =>
  z.int().meta({ description, examples: [example] });

const InvitationCounts = objectSchema(
  'InvitationCounts',
  'The number of invitations in each state, of the batch or of all.',
  {
    open: count('Links that still work.', 1),
    waiting: count('Mails that wait or are retried.', 15),
    sent: count('Mailed, without an answer.', 28),
    failed: count('Refused by the mail server.', 1),
    accepted: count('Used up.', 2),
    expired: count('Expired.', 0),
  },
);

export const days = intParam(1, LIMITS.invitationDays);

const batchId = uuid('must be the id of a batch of invitations.');

const groupId = uuid('must be the id of a group.');
const GROUP_ID = '2c9d7b52-6f0e-4a3d-8b1c-4e5f6a7b8c9d';

const invitationId = field(
  'invitationIdInvalid',
  uuid('must be the id of an invitation.'),
  'The id of the invitation.',
  EXAMPLE_ID,
);

export const invitationLinksCsv = nullableTextField(
  'The links as CSV (name, email, display_name, invitation_url) if they are not mailed, otherwise null. It is returned only once, because the server stores only hashes. Null if the request is repeated.',
  10_000_000,
  null,
);

const SentInvitationsResponse = objectSchema(
  'SentInvitationsResponse',
  'The invitations have new links.',
  {
    resent: z.int().meta({ description: 'How many invitations were sent again.', examples: [1] }),
    links_csv: invitationLinksCsv,
  },
);

const INVITATION_NOT_FOUND_REFUSALS = {
  invitationNotFound: forField(
    'invitation_id',
    refusal(
      404,
      'The invitation was used up, revoked or deleted, or never existed.',
      'There is no such invitation.',
    ),
  ),
};

export const INVITATION_EMAIL_REFUSALS = {
  ...EMAIL_DOMAIN_REFUSALS,
  emailHasAccount: forField(
    'email',
    refusal(
      409,
      'The person has an account with this address.',
      'There is an account with this address.',
    ),
  ),
  emailInvited: forField(
    'email',
    refusal(
      409,
      'The person has another open invitation with this address.',
      'This address has another invitation.',
    ),
  ),
  ...INVITATION_NOT_FOUND_REFUSALS,
};

export const operatorInvitations = defineOwnerEndpoints('invitations', OPERATOR_DEFAULTS, {
  listInvitations: {
    method: 'GET',
    summary: 'List invitations',
    description: `For operators. Returns invitations of members and invitation links, newest first, and how many are in each state. Expired invitations are deleted after 30 days.`,
    query: {
      ...listQuery('must be the id of an invitation.'),
      state: field(
        'invitationStateInvalid',
        enumParam(INVITATION_STATES).optional(),
        'Returns only invitations in this state.',
        'sent',
      ),
      search: field(
        'searchInvalid',
        z
          .string(SEARCH_MESSAGE)
          .trim()
          .min(1, SEARCH_MESSAGE)
          .max(LIMITS.email, SEARCH_MESSAGE)
          .regex(/^[^\0]*$/, SEARCH_MESSAGE)
          .optional(),
        'Returns only invitations whose name, address, display name or note contains this text, ignoring case.',
        'müller',
      ),
      batch_id: field(
        'batchIdInvalid',
        batchId.optional(),
        'Returns and counts only the invitations of this batch.',
        BATCH_ID,
      ),
      group_id: field(
        'groupIdInvalid',
        groupId.optional(),
        'Returns and counts only invitations that lead into this group.',
        GROUP_ID,
      ),
    },
    response: resultSchema('A batch of invitations.', {
      invitations: z
        .array(Invitation)
        .meta({ description: 'The invitations, newest first.', maxItems: LIMITS.listEntries }),
      counts: InvitationCounts,
      resendable: count(
        'The number of invitations that `sendInvitations` would send now: the failed or expired ones if that state is requested, else those in the state `sent`. Excludes mails of the last hour.',
        28,
      ),
      next,
    }),
    untrustedFields: 'all',
    listField: 'invitations',
    failure: 'The invitations could not be listed.',
  },
  createInvitationLink: {
    method: 'POST',
    summary: 'Create an invitation link',
    description:
      'For operators. Creates a link with which one person, or a limited number of people, can create accounts.',
    body: {
      days: field(
        'daysInvalid',
        days.default(7),
        'The number of days until the invitation expires.',
        7,
      ),
      expires_at: field(
        'expiresAtMalformed',
        timeParam().nullish(),
        `When the invitation expires, instead of \`days\`: within ${LIMITS.invitationDays} days.`,
        null,
      ),
      max_uses: field(
        'maxUsesInvalid',
        intParam(1, LIMITS.members).default(1),
        'How many people can use the link.',
        30,
      ),
      note: field(
        'noteInvalid',
        oneLine(LIMITS.invitationNote).nullish(),
        'A note about who the link is for.',
        'Autumn training weekend',
      ),
    },
    response: resultSchema('The new invitation.', {
      invitation: Invitation,
      invitation_url: nullableTextField(
        'The sign-up link. It works for `max_uses` people. It is returned only once, because the server stores only a hash. Null if the request is repeated.',
        LIMITS.url,
        exampleLink('invitation'),
      ),
    }),
    recentLogin: true,
    failure: 'The invitation could not be created.',
    secretField: 'invitation_url',
    refusals: {
      expiresAtInvalid: forField(
        'expires_at',
        refusal(
          400,
          `The time is not valid, has passed or is more than ${LIMITS.invitationDays} days away.`,
          `expires_at must be a time within the next ${LIMITS.invitationDays} days, such as 2026-01-31T09:30:00Z.`,
        ),
      ),
      ...REGISTRATION_CLOSED_REFUSALS,
    },
  },
  sendInvitations: {
    method: 'POST',
    summary: 'Send invitations again',
    description:
      'For operators. Mails new links, valid for at least 14 days, to invited members who have not accepted, also if their invitation expired; without a mail server, returns the links. The old links stop working.',
    body: {
      invitation_ids: field(
        'invitationIdsInvalid',
        listParam(uuid(), 1, LIMITS.listEntries, 'ids of invitations')
          .nullish()
          .meta({ maxItems: LIMITS.listEntries }),
        'The ids of invitations of members.',
        [EXAMPLE_ID],
      ),
      state: field(
        'resentStateInvalid',
        enumParam(RESENT_STATES).nullish(),
        'Sends all invitations of members in this state again, except those mailed within the last hour.',
        null,
      ),
      batch_id: field(
        'batchIdInvalid',
        batchId.nullish(),
        'With `state`: sends only the invitations of this batch.',
        null,
      ),
      group_id: field(
        'groupIdInvalid',
        groupId.nullish(),
        'With `state`: sends only the invitations that lead into this group.',
        null,
      ),
    },
    response: SentInvitationsResponse,
    recentLogin: true,
    failure: 'The invitations could not be sent.',
    destructive: true,
    secretField: 'links_csv',
    refusals: {
      invitationSelectionInvalid: refusal(
        400,
        'Both `invitation_ids` and `state` are given, or neither, or `invitation_ids` with `batch_id` or `group_id`.',
        'Send either invitation_ids, or state with or without batch_id and group_id.',
      ),
      ...REGISTRATION_CLOSED_REFUSALS,
    },
  },
  updateInvitation: {
    method: 'POST',
    summary: 'Correct the address of an invitation',
    description:
      'For operators. Changes the address of an invitation that has not been accepted, and mails a new link, valid for at least 14 days, to the new address; without a mail server, the response contains it. The old link stops working.',
    body: {
      invitation_id: invitationId,
      email: field(
        'emailInvalid',
        emailParam,
        'The address that gets the invitation from now on.',
        'jose@example.org',
      ),
    },
    response: SentInvitationsResponse,
    recentLogin: true,
    failure: 'The address could not be corrected.',
    secretField: 'links_csv',
    refusals: {
      ...INVITATION_EMAIL_REFUSALS,
      ...REGISTRATION_CLOSED_REFUSALS,
    },
  },
  revokeInvitation: {
    method: 'POST',
    summary: 'Revoke an invitation',
    description:
      'For operators. Deletes an invitation that is not used up, with the addresses in it: its link stops working, and a waiting mail is not sent.',
    body: { invitation_id: invitationId },
    response: SuccessResponse,
    recentLogin: true,
    failure: 'The invitation could not be revoked.',
    destructive: true,
    idempotent: true,
    refusals: INVITATION_NOT_FOUND_REFUSALS,
  },
});
