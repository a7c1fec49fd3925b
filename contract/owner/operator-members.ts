import { z } from 'zod';
import { defineEndpoints } from '../define-endpoints.ts';
import { LANGUAGES } from '#contract/shared/languages.ts';
import { formatLimit, LIMITS } from '#contract/shared/limits.ts';
import { forField, invalidField, refusal } from '../refusal.ts';
import { OPERATOR_DEFAULTS, QUERY_DEFAULTS } from '../endpoint-defaults.ts';
import { RECENT_LOGIN_REFUSALS } from '../recent-login.ts';
import { limitedText, oneLine } from '../text.ts';
import { REGISTRATION_CLOSED_REFUSALS } from './invitations.ts';
import { days, DAYS_REFUSALS, invitationLinksCsv } from './operator-invitations.ts';
import { MAIL_REFUSALS } from './session.ts';
import { nullableTextField, objectSchema, textField, idField } from '../fields.ts';

const CSV_MESSAGE = `csv must be a string of at most ${formatLimit(LIMITS.memberCsv)} characters.`;
const EMAIL_MESSAGE = 'email must be an email address.';
const NAME_MESSAGE = `name must be one line of 1 to ${LIMITS.memberName} characters, or null.`;
const LANGUAGE_MESSAGE = `language must be one of ${LANGUAGES.join(', ')}.`;
const SENTENCE_MESSAGE = `sentence must be one line of 1 to ${LIMITS.invitationSentence} characters, or null.`;
const MAIL_MESSAGE = 'mail must be true or false.';

export const MEMBER_PROBLEMS = [
  'email_missing',
  'email_invalid',
  'email_not_allowed',
  'email_repeated',
  'email_has_account',
  'email_invited',
  'name_too_long',
  'display_name_invalid',
  'display_name_reserved',
  'display_name_taken',
  'display_name_repeated',
  'forward_to_invalid',
  'forward_to_not_allowed',
] as const;

const MEMBER_FIELDS = ['name', 'email', 'display_name', 'forward_to'] as const;
export const MEMBER_COLUMNS = [...MEMBER_FIELDS, 'first_name', 'last_name'] as const;
const COLUMNS_MESSAGE = `columns must be a list of at most ${LIMITS.memberColumns} of ${MEMBER_COLUMNS.join(', ')} and null.`;

const cell = (description: string, example: string) =>
  nullableTextField(description, LIMITS.memberCsv, example);

const CheckedMember = objectSchema('CheckedMember', 'A line of a member list.', {
  line: z.int().meta({ description: 'The line of the list, from 1.', examples: [7] }),
  name: cell('The name of the person.', 'José Müller'),
  email: cell('The address that gets the invitation.', 'jose@example.com'),
  display_name: cell(
    'The suggested display name: the one in the list, otherwise one made of the name or address. Null if none is available.',
    'jose-mueller',
  ),
  forward_to: cell('Where mail is to be forwarded. Null means to `email`.', 'jm@example.org'),
  state: z.enum(['ready', 'problem', 'left_out']).meta({
    description:
      'ready: can be invited; problem: has to be corrected first; left_out: needs no invitation.',
    examples: ['problem'],
  }),
  problem: z
    .object({
      code: z
        .enum(MEMBER_PROBLEMS)
        .meta({ description: 'The kind of problem.', examples: ['display_name_taken'] }),
      field: z
        .enum(MEMBER_FIELDS)
        .meta({ description: 'The column with the problem.', examples: ['display_name'] }),
      text: textField(
        'The problem as a sentence, in the language of the account or of `Accept-Language`.',
        LIMITS.message,
        'The name jose is taken.',
      ),
      suggestion: nullableTextField(
        'A value for the column that solves the problem, or null.',
        LIMITS.email,
        'jose-mueller',
      ),
    })
    .nullable()
    .meta({ description: 'The first problem of the line, or null.' }),
});

const checkedMembers = z
  .array(CheckedMember)
  .meta({ description: 'The lines, in order.', maxItems: LIMITS.members });

const list = {
  csv: limitedText(LIMITS.memberCsv, CSV_MESSAGE).meta({
    description: `The list as CSV, at most ${formatLimit(LIMITS.members)} people, separated by commas, semicolons, tabs or vertical bars. Its first line, or the first below a heading, names the columns, in any order. Only an address is required; \`name\` (or \`first_name\` and \`last_name\`), \`display_name\` and \`forward_to\` are optional, and others are ignored. Titles that address books and club programs write in English, German, French, Spanish, Italian and Dutch work, too. Of several addresses, the first counts. Columns without a known title are recognized by their addresses.`,
    examples: ['name,email\nJane Doe,jane@example.com\n'],
  }),
  columns: z
    .array(z.enum(MEMBER_COLUMNS, COLUMNS_MESSAGE).nullable(), COLUMNS_MESSAGE)
    .max(LIMITS.memberColumns, COLUMNS_MESSAGE)
    .optional()
    .meta({
      description:
        'What each column is, in order, if it cannot be recognized: `field` of the `columns` of the check, null for a column that is not used. Several columns of first or last names are joined; of others, the first filled one counts. If empty, columns are recognized, but a list without addresses is not refused.',
      examples: [['name', 'email']],
    }),
};

const CheckRequest = objectSchema('CheckMembersRequest', 'A list of people.', list);

const columns = z
  .array(
    objectSchema('MemberColumn', 'A column of a member list.', {
      title: textField('The title, shortened. Without titles, the field.', 100, 'Vorname'),
      field: z
        .enum(MEMBER_COLUMNS)
        .nullable()
        .meta({
          description: 'What the column is used as, or null if it is not used.',
          examples: ['first_name'],
        }),
      examples: z.array(z.string().meta({ maxLength: 100 })).meta({
        description: 'The cells of the first people, shortened.',
        maxItems: 3,
        examples: [['Jane', 'José', '']],
      }),
    }),
  )
  .meta({
    description: 'The columns, in order: at most the first 100.',
    maxItems: LIMITS.memberColumns,
  });

const CheckResponse = objectSchema('CheckMembersResponse', 'The checked list.', {
  columns,
  members: checkedMembers,
});

/** Fields of a request that say what the mails contain. */
const mailFields = {
  days: days.default(14).meta({
    description: 'The number of days until the invitations expire.',
    examples: [14],
  }),
  language: z
    .enum(LANGUAGES, LANGUAGE_MESSAGE)
    .optional()
    .meta({
      description: 'The language of the mails. By default, the language of the operator.',
      examples: ['en'],
    }),
  sentence: oneLine(LIMITS.invitationSentence, SENTENCE_MESSAGE)
    .nullish()
    .meta({
      description: 'A sentence of the operator in the mails, as plain text.',
      examples: ['See you at the winter party!'],
    }),
};

const MAIL_FIELD_REFUSALS = {
  ...DAYS_REFUSALS,
  languageInvalid: invalidField('language', 'The language is not valid.', LANGUAGE_MESSAGE),
  sentenceInvalid: invalidField('sentence', 'The sentence is not valid.', SENTENCE_MESSAGE),
};

const PreviewRequest = objectSchema('PreviewInvitationRequest', 'A person, and the mail.', {
  name: oneLine(LIMITS.memberName, NAME_MESSAGE)
    .nullish()
    .meta({ description: 'The name of the person.', examples: ['Jane Doe'] }),
  email: oneLine(LIMITS.email, EMAIL_MESSAGE).meta({
    description: 'The address that would get the mail.',
    examples: ['jane@example.com'],
  }),
  ...mailFields,
});

const paragraphs = (description: string, example: string) =>
  z
    .array(z.string().meta({ maxLength: LIMITS.message }))
    .meta({ description, maxItems: 10, examples: [[example]] });

const PreviewResponse = objectSchema('PreviewInvitationResponse', 'The texts of the mail.', {
  subject: textField('The subject.', LIMITS.message, 'Nora invites you to Skerry Sailing Club'),
  intro: paragraphs('The paragraphs above the button.', 'Hello Jane Doe,'),
  button: textField('The text of the button with the link.', LIMITS.message, 'Choose your name'),
  outro: paragraphs('The paragraphs below the button.', 'The link works until 8 December 2026.'),
  footer: textField(
    'Why the person gets the mail.',
    LIMITS.message,
    'Sent by example.com because an operator there invited this address.',
  ),
});

const InviteRequest = objectSchema('InviteMembersRequest', 'The people to invite.', {
  ...list,
  ...mailFields,
  mail: z.boolean(MAIL_MESSAGE).meta({
    description: 'Whether to mail the invitations. Otherwise the response contains the links.',
    examples: [false],
  }),
});

const InviteResponse = objectSchema('InviteMembersResponse', 'The result.', {
  batch_id: idField(
    'The batch of the new invitations. Null if there are none.',
    '0b7c2f4e-2f6a-4b3e-8c7d-5a1e9d3f6b20',
  ).nullable(),
  invited: z.int().meta({ description: 'The number of new invitations.', examples: [46] }),
  skipped: checkedMembers.meta({ description: 'The lines that were not invited.' }),
  links_csv: invitationLinksCsv,
});

export const MEMBER_LIST_REFUSALS = {
  memberListEmpty: forField(
    'csv',
    refusal(400, 'There is no line below the first.', 'The list contains no people.'),
  ),
  memberListTooLong: forField(
    'csv',
    refusal(
      400,
      `The list has more than ${formatLimit(LIMITS.members)} people.`,
      `A list can have at most ${formatLimit(LIMITS.members)} people. Split it.`,
    ),
  ),
  memberListUnreadable: forField(
    'csv',
    refusal(
      400,
      'The list is not valid CSV: usually a quotation mark is not closed. Or a line has more than 10,000 characters.',
      'The list cannot be read: line {line} is too long, or a quotation mark in it is not closed.',
      { line: 7 },
    ),
  ),
  memberColumnsMissing: forField(
    'csv',
    refusal(
      400,
      'No column is called `email` or something like it, and none contains addresses.',
      'No column has email addresses: {titles}. Call one email, or name all of them in columns.',
      { titles: 'Person, Phone, Town' },
    ),
  ),
};

const CSV_REFUSALS = {
  csvInvalid: invalidField('csv', 'The list is missing or too long.', CSV_MESSAGE),
  columnsInvalid: invalidField('columns', 'A column is unknown.', COLUMNS_MESSAGE),
  ...MEMBER_LIST_REFUSALS,
};

export const operatorMembers = {
  ...defineEndpoints(
    {
      ...QUERY_DEFAULTS,
      scope: OPERATOR_DEFAULTS.scope,
      requestRefusals: OPERATOR_DEFAULTS.requestRefusals,
    },
    {
      checkMembers: {
        method: 'POST',
        path: '/owner/operator/check-members',
        summary: 'Check a list of people',
        description:
          'For operators. Reads a list of people, finds invalid, repeated, reserved and taken values, and suggests corrections. Changes nothing.',
        body: CheckRequest,
        responses: { 200: CheckResponse },
        metadata: {
          failure: 'The list could not be checked.',
          readOnly: true,
          refusals: CSV_REFUSALS,
        },
      },
      previewInvitation: {
        method: 'POST',
        path: '/owner/operator/preview-invitation',
        summary: 'Preview the mail of an invitation',
        description:
          'For operators. Returns the texts of the mail that `inviteMembers` would send to a person. Sends nothing.',
        body: PreviewRequest,
        responses: { 200: PreviewResponse },
        metadata: {
          failure: 'The mail could not be previewed.',
          readOnly: true,
          refusals: {
            nameInvalid: invalidField('name', 'The name is not valid.', NAME_MESSAGE),
            emailInvalid: invalidField(
              'email',
              'The address is missing or too long.',
              EMAIL_MESSAGE,
            ),
            ...MAIL_FIELD_REFUSALS,
          },
        },
      },
    },
  ),
  ...defineEndpoints(OPERATOR_DEFAULTS, {
    inviteMembers: {
      method: 'POST',
      path: '/owner/operator/invite-members',
      summary: 'Invite a list of people',
      description:
        'For operators. Checks the list again and invites everyone whose line has no problem. Skips addresses that already have an account or an open invitation. A session needs a login within the last 60 minutes.',
      body: InviteRequest,
      responses: { 200: InviteResponse },
      metadata: {
        failure: 'The people could not be invited.',
        secretField: 'links_csv',
        refusals: {
          ...CSV_REFUSALS,
          ...MAIL_FIELD_REFUSALS,
          mailInvalid: invalidField('mail', 'It is missing or not a boolean.', MAIL_MESSAGE),
          ...MAIL_REFUSALS,
          ...REGISTRATION_CLOSED_REFUSALS,
          ...RECENT_LOGIN_REFUSALS,
        },
      },
    },
  }),
};
