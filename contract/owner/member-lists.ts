import { z } from 'zod';
import { LANGUAGES } from '#contract/shared/languages.ts';
import { formatLimit, LIMITS } from '#contract/shared/limits.ts';
import { defineOwnerEndpoints } from '../define-endpoints.ts';
import { OPERATOR_DEFAULTS, QUERY_DEFAULTS } from '../endpoint-defaults.ts';
import { BATCH_ID } from '../examples.ts';
import {
  field,
  nullableTextField,
  objectSchema,
  resultSchema,
  textField,
  idField,
  booleanParam,
  enumParam,
  listParam,
} from '../fields.ts';
import { forField, refusal } from '../refusal.ts';
import { limitedText, oneLine } from '../text.ts';
import { REGISTRATION_CLOSED_REFUSALS } from './invitations.ts';
import { days, invitationLinksCsv } from './operator-invitations.ts';
import { MAIL_REFUSALS } from './sessions.ts';

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
  'forward_to_email_invalid',
  'forward_to_email_not_allowed',
] as const;

const MEMBER_FIELDS = ['name', 'email', 'display_name', 'forward_to_email'] as const;
export const MEMBER_COLUMNS = [...MEMBER_FIELDS, 'first_name', 'last_name', 'groups'] as const;

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
  forward_to_email: cell('Where mail is to be forwarded. Null means to `email`.', 'jm@example.org'),
  groups: cell('Names of groups, with commas between them, for `groups.importMembers`.', 'Altos'),
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
  note: nullableTextField(
    'Who else has the address, as a sentence, if another person has it. Both can be invited.',
    LIMITS.message,
    'joe-bloggs has this address, too.',
  ),
});

const checkedMembers = z
  .array(CheckedMember)
  .meta({ description: 'The lines, in order.', maxItems: LIMITS.members });

/** Fields of a request with a list. */
export const memberList = {
  csv: field(
    'csvInvalid',
    limitedText(LIMITS.memberCsv),
    `The list as CSV, at most ${formatLimit(LIMITS.members)} people, separated by commas, semicolons, tabs or vertical bars. Its first line, or the first below a heading, names the columns, in any order. Only an address is required; \`name\` (or \`first_name\` and \`last_name\`), \`display_name\`, \`forward_to_email\` and \`groups\` (for \`groups.importMembers\`) are optional, and others are ignored. Titles that address books and club programs write in English, German, French, Spanish, Italian and Dutch work, too. Of several addresses, the first counts. Columns without a known title are recognized by their addresses.`,
    'name,email\nJosé Müller,jose@example.com\n',
  ),
  columns: field(
    'columnsInvalid',
    listParam(
      enumParam(MEMBER_COLUMNS).nullable(),
      0,
      LIMITS.memberColumns,
      `of ${MEMBER_COLUMNS.join(', ')} and null`,
    ).optional(),
    'What each column is, in order, if it cannot be recognized: `field` of the `columns` of the check, null for a column that is not used. Several columns of first or last names are joined; of others, the first filled one counts. If empty, columns are recognized, but a list without addresses is not refused.',
    ['name', 'email'],
  ),
};

const CheckInvitationsRequest = objectSchema(
  'CheckInvitationsRequest',
  'A list of people.',
  memberList,
);

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

/** Fields of a request that say what the mails contain. */
const mailFields = {
  days: field(
    'daysInvalid',
    days.default(14),
    'The number of days until the invitations expire.',
    14,
  ),
  language: field(
    'languageInvalid',
    enumParam(LANGUAGES).optional(),
    'The language of the mails. By default, the language of the operator.',
    'en',
  ),
  sentence: field(
    'sentenceInvalid',
    oneLine(LIMITS.invitationSentence).nullish(),
    'A sentence of the operator in the mails, as plain text.',
    'See you at the winter party!',
  ),
};

const paragraphs = (description: string, example: string) =>
  z
    .array(z.string().meta({ maxLength: LIMITS.message }))
    .meta({ description, maxItems: 10, examples: [[example]] });

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

export const memberLists = {
  ...defineOwnerEndpoints(
    'invitations',
    {
      ...QUERY_DEFAULTS,
      scope: OPERATOR_DEFAULTS.scope,
      requestRefusals: OPERATOR_DEFAULTS.requestRefusals,
    },
    {
      checkInvitations: {
        method: 'POST',
        summary: 'Check a list of people',
        description:
          'For operators. Reads a list of people, finds invalid, repeated, reserved and taken values, and suggests corrections. Changes nothing.',
        body: CheckInvitationsRequest,
        response: resultSchema('The checked list.', {
          columns,
          members: checkedMembers,
        }),
        failure: 'The list could not be checked.',
        readOnly: true,
        refusals: MEMBER_LIST_REFUSALS,
      },
      previewInvitation: {
        method: 'POST',
        summary: 'Preview the mail of an invitation',
        description:
          'For operators. Returns the texts of the mail that `createInvitations` would send to a person. Sends nothing.',
        body: {
          name: field(
            'nameInvalid',
            oneLine(LIMITS.memberName).nullish(),
            'The name of the person.',
            'José Müller',
          ),
          email: field(
            'emailInvalid',
            oneLine(LIMITS.email, 'must be an email address.'),
            'The address that would get the mail.',
            'jose@example.com',
          ),
          display_name: field(
            'nameInvalid',
            oneLine(LIMITS.displayNameMax).nullish(),
            'The suggested display name.',
            'jose-mueller',
          ),
          ...mailFields,
        },
        response: resultSchema('The texts of the mail.', {
          subject: textField(
            'The subject.',
            LIMITS.message,
            'Jane Doe invites you to Skerry Sailing Club',
          ),
          intro: paragraphs('The paragraphs above the button.', 'Hello José Müller,'),
          button: textField(
            'The text of the button with the link.',
            LIMITS.message,
            'Choose your name',
          ),
          outro: paragraphs(
            'The paragraphs below the button.',
            'The link works until 8 December 2026.',
          ),
          footer: textField(
            'Why the person gets the mail.',
            LIMITS.message,
            'Sent by example.com because an operator there invited this address.',
          ),
        }),
        failure: 'The mail could not be previewed.',
        readOnly: true,
      },
    },
  ),
  ...defineOwnerEndpoints('invitations', OPERATOR_DEFAULTS, {
    createInvitations: {
      method: 'POST',
      summary: 'Invite a list of people',
      description:
        'For operators. Checks the list again and invites everyone whose line has no problem. Skips people whose address already has an account or an open invitation with the same name.',
      body: {
        ...memberList,
        ...mailFields,
        mail: field(
          'mailInvalid',
          booleanParam(),
          'Whether to mail the invitations. Otherwise the response contains the links.',
          false,
        ),
      },
      response: resultSchema('The result.', {
        batch_id: idField(
          'The batch of the new invitations. Null if there are none.',
          BATCH_ID,
        ).nullable(),
        invited: z.int().meta({ description: 'The number of new invitations.', examples: [46] }),
        skipped: checkedMembers.meta({ description: 'The lines that were not invited.' }),
        links_csv: invitationLinksCsv,
      }),
      recentLogin: true,
      failure: 'The people could not be invited.',
      secretField: 'links_csv',
      refusals: {
        ...MEMBER_LIST_REFUSALS,
        ...MAIL_REFUSALS,
        ...REGISTRATION_CLOSED_REFUSALS,
      },
    },
  }),
};
