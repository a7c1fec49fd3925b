import { z } from 'zod';
import { formatLimit, LIMITS } from '#contract/shared/limits.ts';
import { defineOwnerEndpoints } from '../define-endpoints.ts';
import { OPERATOR_DEFAULTS, QUERY_DEFAULTS } from '../endpoint-defaults.ts';
import { JOE_ID } from '../examples.ts';
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
import { forField, refusal } from '../refusal.ts';
import { limitedText, NOT_BLANK_PATTERN, oneLine } from '../text.ts';
import { uuid } from '../uuid.ts';
import { listQuery, next } from './listing.ts';
import { accountName, pageTitle } from './members.ts';
import { MAIL_REFUSALS } from './sessions.ts';

const EXAMPLE_ID = '3f6d2a51-7c1e-4b8e-9a55-1d2c3b4a5f60';
const MESSAGE_STATES = [
  ...(['waiting', 'sent', 'failed', 'skipped'] as const),
  ...(['unsubscribed', 'unreachable', 'shared', 'outside'] as const),
] as const;
const SUBJECT_DESCRIPTION = 'The subject, and the headline of the mail.';
const EXAMPLE_SUBJECT = 'Work party on Saturday';
const EXAMPLE_TEXT = 'Dear all,\n\nwe meet at the jetty at ten. Bring gloves.';
const TEXT_MESSAGE = `must be a text of 1 to ${formatLimit(LIMITS.messageText)} characters.`;

const subject = field(
  'subjectInvalid',
  oneLine(LIMITS.messageSubject),
  SUBJECT_DESCRIPTION,
  EXAMPLE_SUBJECT,
);
const text = field(
  'textInvalid',
  limitedText(LIMITS.messageText, TEXT_MESSAGE).regex(new RegExp(NOT_BLANK_PATTERN), TEXT_MESSAGE),
  'Plain text, the same for everybody. An empty line separates paragraphs.',
  EXAMPLE_TEXT,
);
const audience = field(
  'audienceInvalid',
  enumParam(['all', 'no_page', 'unseen', 'address', 'groups', 'self']),
  'all: all members; no_page: those without a published page; unseen: those not seen for six months; address: members who read the group address `address`; groups: members of the groups `group_ids`; self: only you, as a test that does not count for the limit. Suspended members get no messages.',
  'all',
);

const address = field(
  'addressInvalid',
  limitedText(LIMITS.displayNameMax).nullish(),
  'The name of the group address, if the audience is `address`.',
  null,
);

const groupIds = field(
  'groupIdsInvalid',
  listParam(uuid(), 1, LIMITS.memberGroups, 'ids of groups').nullish(),
  'The ids of groups, if the audience is `groups`. Who is in several gets one mail.',
  null,
);

const official = field(
  'officialInvalid',
  booleanParam().default(false),
  `Whether this is an official notice, such as the invitation to an assembly. It also goes to members who have unsubscribed, says so, and has no link to unsubscribe. A member gets at most one to all members, and one to some of them, in ${LIMITS.officialNoticeDays} days.`,
  false,
);

const Message = objectSchema('Message', 'A message to members, and the state of its mails.', {
  id: idField('The id of the message.', EXAMPLE_ID),
  audience,
  address: nullableTextField(
    'The name of the group address, if the audience is `address`.',
    LIMITS.displayNameMax,
    null,
  ),
  groups: z
    .array(
      z.object({
        id: idField('The id of the group.', '2c9d7b52-6f0e-4a3d-8b1c-4e5f6a7b8c9d'),
        name: textField('Its name when the message was sent.', LIMITS.groupName, 'Altos'),
      }),
    )
    .nullable()
    .meta({
      description: 'The groups, if the audience is `groups`, by name.',
      maxItems: LIMITS.memberGroups,
      examples: [null],
    }),
  official: booleanField(
    'Whether it was an official notice, which also goes to members who have unsubscribed.',
    false,
  ),
  subject: textField(SUBJECT_DESCRIPTION, LIMITS.messageSubject, EXAMPLE_SUBJECT),
  text,
  waiting: countField('Mails that wait, or are tried again for up to two days.', 40),
  sent: countField('Mails that the mail server took.', 16),
  failed: countField('Mails that the mail server refused, or did not take within two days.', 1),
  skipped: countField(
    'People of the audience who get no mail: they have unsubscribed, have no confirmed address, or read the group address from outside; or the message was stopped.',
    0,
  ),
  created_at: timeField('When the message was sent', '2026-01-31T09:30:00.000Z'),
});

const MessageRecipient = objectSchema(
  'MessageRecipient',
  'A person of the audience when the message was sent.',
  {
    id: idField('The id of the recipient.', '5d0c7c0e-2f43-4a0b-8b1d-6a3f0c9d2e11'),
    account_id: idField('The id of the account.', JOE_ID).nullable().meta({
      description: 'The id of the account. Null for outside readers and deleted accounts.',
    }),
    display_name: accountName,
    page_title: pageTitle,
    email: nullableTextField('The address of an outside reader, or null.', LIMITS.email, null),
    state: z.enum(MESSAGE_STATES).meta({
      description:
        'waiting, sent, failed: the mail; skipped: it was stopped, or the account was suspended, deleted or unsubscribed before; unsubscribed, unreachable (no confirmed address), outside (an outside reader of the group address): no mail; shared: the mail went to another account with the same mailbox.',
      examples: ['sent'],
    }),
    error: nullableTextField(
      "The error of the last try: a code of the connection and, if there is one, the mail server's status code.",
      200,
      null,
    ),
  },
);

const MessageResponse = objectSchema('MessageResponse', 'The message.', { message: Message });

const CreateMessageRequest = z
  .object({ audience, address, group_ids: groupIds, official, subject, text })
  // Tests (`self`) keep the address or the groups of the draft.
  .refine((message) => !message.address || /^(?:address|self)$/.test(message.audience), {
    error: 'must be left out unless audience is address.',
    path: ['address'],
  })
  .refine((message) => !message.group_ids || /^(?:groups|self)$/.test(message.audience), {
    error: 'must be left out unless audience is groups.',
    path: ['group_ids'],
  })
  .meta({ id: 'CreateMessageRequest', description: 'The message.' });

const messageId = field(
  'messageIdInvalid',
  uuid('must be the id of a message.'),
  'The id of the message.',
  EXAMPLE_ID,
);
const MESSAGE_REFUSALS = {
  messageNotFound: forField(
    'message_id',
    refusal(404, 'There is no such message.', 'There is no such message.'),
  ),
};
const CREATE_REFUSALS = {
  mailUnavailable: MAIL_REFUSALS.mailUnavailable,
  replyAddressMissing: refusal(
    409,
    'The contact of the server (`server.updateInstance`) is no email address.',
    'Members could not reply: enter an email address as contact under Appearance.',
  ),
  recipientsMissing: forField(
    'audience',
    refusal(
      409,
      'No member of the audience gets messages and has a confirmed address.',
      'None of these members can get a message: they have unsubscribed, or have no confirmed address.',
    ),
  ),
  ownEmailMissing: refusal(
    409,
    'The audience is `self`, and you have no confirmed address.',
    'You have no confirmed address, so a test cannot reach you. Add one under Settings.',
  ),
  messageLimitReached: refusal(
    429,
    `Somebody of the audience got ${LIMITS.messagesPerDay} messages within 24 hours.`,
    `Some of these people got ${LIMITS.messagesPerDay} messages within 24 hours. Try again in {wait}, or write to others.`,
    { wait: '5 hours' },
  ),
  noticeLimitReached: forField(
    'official',
    refusal(
      429,
      `Somebody of the audience got an official notice within ${LIMITS.officialNoticeDays} days. Notices to all members and notices to some of them count separately.`,
      `Only one official notice can be sent to the same people in ${LIMITS.officialNoticeDays} days. The next can be sent on {time}. To correct the last one, send it as a message that is not official.`,
      { time: '14 February 2026 at 09:30 UTC' },
    ),
  ),
};

const allowance = (receivers: string) => ({
  remaining: countField(`Messages that can be sent to ${receivers} now.`, 1),
  sendable_at: timeField('When the next one can be sent', '2026-02-01T09:30:00.000Z')
    .nullable()
    .meta({
      description: `When the next message to ${receivers} can be sent (ISO 8601, UTC). Null means now.`,
    }),
});

const noticeTime = (receivers: string) =>
  timeField('When it can be sent', '2026-02-14T09:30:00.000Z')
    .nullable()
    .meta({
      description: `When the next official notice to ${receivers} can be sent (ISO 8601, UTC), if messages can be sent then. Null means now.`,
    });

export const messages = {
  ...defineOwnerEndpoints(
    'messages',
    {
      ...QUERY_DEFAULTS,
      scope: OPERATOR_DEFAULTS.scope,
      requestRefusals: OPERATOR_DEFAULTS.requestRefusals,
    },
    {
      previewMessage: {
        method: 'POST',
        summary: 'Preview a message to members',
        description:
          'For operators. Counts who would get a message, and returns the mail as plain text. Sends nothing.',
        body: {
          audience,
          address,
          group_ids: groupIds,
          official,
          subject: subject.optional(),
          text: text.optional(),
        },
        response: resultSchema('Recipients and mail.', {
          recipients: countField('Mails that would be sent: one for each mailbox.', 57),
          unsubscribed: countField(
            'Members who have unsubscribed. They get no message, unless it is an official notice.',
            2,
          ),
          unreachable: countField('Members without a confirmed address.', 1),
          shared: countField('Members who share the mailbox of another recipient.', 1),
          outside: countField('Outside readers of the group address, who get no messages.', 0),
          suspended: countField('Suspended members of the audience, who get no messages.', 1),
          ...allowance('this audience'),
          notice_sendable_at: noticeTime('this audience'),
          invited: countField(
            'If the audience is `all` or `groups`: people of it who were invited by mail and have not joined. They get no messages.',
            15,
          ),
          text: textField('The mail as plain text, with its footer.', 20_000, EXAMPLE_TEXT),
        }),
        failure: 'The message could not be previewed.',
        readOnly: true,
      },
    },
  ),
  ...defineOwnerEndpoints('messages', OPERATOR_DEFAULTS, {
    listMessages: {
      method: 'GET',
      summary: 'List messages to members',
      description:
        'For operators. Returns the messages of the last year, newest first, with the state of their mails.',
      query: listQuery('must be the id of a message.'),
      response: resultSchema('A batch of messages.', {
        messages: z
          .array(Message)
          .meta({ description: 'The messages, newest first.', maxItems: LIMITS.listEntries }),
        ...allowance('all members'),
        notice_sendable_at: noticeTime('all members'),
        next,
      }),
      listField: 'messages',
      failure: 'The messages could not be listed.',
    },
    listMessageRecipients: {
      method: 'GET',
      summary: 'List who got a message',
      description:
        'For operators. Returns the people of the audience when the message was sent, with the state of their mails.',
      query: { message_id: messageId, ...listQuery('must be the id of a recipient.') },
      response: resultSchema('A batch of recipients.', {
        recipients: z.array(MessageRecipient).meta({
          description: 'Failed mails first, then waiting ones, then the others, each by name.',
          maxItems: LIMITS.listEntries,
        }),
        next,
      }),
      listField: 'recipients',
      failure: 'The recipients could not be listed.',
      refusals: MESSAGE_REFUSALS,
    },
    createMessage: {
      method: 'POST',
      summary: 'Send a message to members',
      description: `For operators. Sends a message to members by email: one mail per mailbox, 30 mails a minute, with replies to the contact of the server. To the same people, at most ${LIMITS.messagesPerDay} messages in 24 hours, and one official notice in ${LIMITS.officialNoticeDays} days.`,
      body: CreateMessageRequest,
      response: MessageResponse,
      recentLogin: true,
      failure: 'The message could not be sent.',
      refusals: CREATE_REFUSALS,
    },
    cancelMessage: {
      method: 'POST',
      summary: 'Stop a message to members',
      description: 'For operators. What has not been sent yet is not sent.',
      body: {
        message_id: messageId,
      },
      response: MessageResponse,
      recentLogin: true,
      failure: 'The message could not be stopped.',
      destructive: true,
      idempotent: true,
      refusals: MESSAGE_REFUSALS,
    },
  }),
};
