import { ContractNoBody } from '@ts-rest/core';
import { z } from 'zod';
import { LIMITS } from '#contract/shared/limits.ts';
import { MAIL_PORTS } from '#contract/shared/mail-servers.ts';
import { defineOwnerEndpoints } from '../define-endpoints.ts';
import { emailParam } from '../email.ts';
import { OPERATOR_DEFAULTS, QUERY_DEFAULTS } from '../endpoint-defaults.ts';
import { booleanField, countField, field, objectSchema, textField, timeField } from '../fields.ts';
import { forField, refusal } from '../refusal.ts';
import { SuccessResponse } from '../result-fields.ts';
import { limitedText, matchingText, oneLine } from '../text.ts';

const host = textField('The host name.', LIMITS.email, 'mail.example.org');
const port = z.int().meta({ description: 'The port.', examples: [465] });
const user = textField('The user of the login.', LIMITS.email, 'office@example.org');
const sender = textField('The sender of all mail.', LIMITS.email, 'office@example.org');

const MailServer = objectSchema(
  'MailServer',
  'The mail server that this server sends with. The password is never returned.',
  {
    source: z.enum(['environment', 'dashboard']).meta({
      description:
        '`environment`: set by `SMTP_URL`, which wins. `dashboard`: connected by an operator.',
      examples: ['dashboard'],
    }),
    readable: booleanField(
      'False if it was encrypted with another key, such as before a restore. Then no mail is sent, and the other fields are null.',
      true,
    ),
    host: host.nullable(),
    port: port.nullable(),
    user: user.nullable(),
    sender: sender.nullable(),
  },
);

const PendingMailServer = objectSchema(
  'PendingMailServer',
  'A mail server that accepted a test mail and waits for its code.',
  {
    host,
    port,
    user,
    sender,
    email: textField('Where the code was sent.', LIMITS.email, 'jane@example.com'),
    expires_at: timeField('Until when the code works', '2026-02-01T09:30:00.000Z'),
  },
);

const MailServerResponse = objectSchema('MailServerResponse', 'How this server sends mail.', {
  mail_server: MailServer.nullable().meta({ description: 'Null if none is set up.' }),
  pending: PendingMailServer.nullable().meta({ description: 'Null if no code is awaited.' }),
  waiting: countField('Mails that wait to be sent.', 0),
  obstacle: z
    .enum(['publicUrlMissing', 'encryptionKeyMissing'])
    .nullable()
    .meta({
      description: 'The setting without which none can be connected, or null.',
      examples: [null],
    }),
});

const HOST_PATTERN = /^(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z0-9-]{2,63}$/;
const HOST_MESSAGE = 'must be a host name such as mail.example.org.';
const PORT_MESSAGE = `must be one of ${MAIL_PORTS.join(', ')}.`;

const CheckMailServerRequest = objectSchema('CheckMailServerRequest', 'The mail server to try.', {
  host: field(
    'mailHostInvalid',
    limitedText(LIMITS.email, HOST_MESSAGE).regex(HOST_PATTERN, HOST_MESSAGE),
    'The host name of the server for outgoing mail (SMTP). It must have a public address.',
    'mail.example.org',
  ),
  port: field(
    'mailPortInvalid',
    z.union(
      MAIL_PORTS.map((value) => z.literal(value)),
      PORT_MESSAGE,
    ),
    `The port: ${MAIL_PORTS.join(', ')}. 465 uses TLS from the start, others STARTTLS.`,
    465,
  ),
  user: field('mailUserInvalid', oneLine(LIMITS.email), 'The user of the login.', 'me@example.org'),
  password: field(
    'mailPasswordInvalid',
    oneLine(LIMITS.email).optional(),
    'The password. Default: the stored one, if host, port and user stay the same.',
    'correct horse battery staple',
  ),
  sender: field('mailSenderInvalid', emailParam, 'The sender of all mail.', 'office@example.org'),
  email: field(
    'emailInvalid',
    emailParam,
    'Where the test mail with the code goes.',
    'jane@example.com',
  ),
});

/** `problem` says what the mail server did not accept, and what to do. */
const failed = (when: string) => refusal(400, when, '{problem}', { problem: when });

export const MAIL_SERVER_REFUSALS = {
  mailServerUnreachable: forField(
    'host',
    failed('There is no mail server with this name, port and certificate at a public address.'),
  ),
  mailLoginRefused: forField('password', failed('The mail server refuses user or password.')),
  mailSenderRefused: forField('sender', failed('The mail server refuses the sender.')),
  mailRecipientRefused: forField('email', failed('The mail server refuses the recipient.')),
  mailNotAccepted: failed('The mail server takes no mail from this server, perhaps only for now.'),
};

export const MAIL_TRY_REFUSALS = {
  mailTryLimitReached: refusal(
    429,
    `Operators tried ${LIMITS.mailTriesPerHour} mail servers or codes in this hour.`,
    'Too many attempts. Try again in {wait}.',
    { wait: '20 minutes' },
  ),
};

const MailProvider = objectSchema('MailProvider', 'A mail provider and its server.', {
  name: textField('The name.', LIMITS.email, 'Posteo'),
  host,
  port,
  note: textField(
    'What the login needs, in the language of the account, such as a password for apps. Null if the usual password works.',
    LIMITS.message,
    'Use a password for apps, not the one of your mailbox.',
  ).nullable(),
});

const ListMailProvidersResponse = objectSchema('ListMailProvidersResponse', 'Mail providers.', {
  providers: z.array(MailProvider).meta({ description: 'By name.', maxItems: 200 }),
});

export const mailServer = defineOwnerEndpoints('server', OPERATOR_DEFAULTS, {
  getMailServer: {
    method: 'GET',
    summary: 'Get the mail server',
    description:
      'For operators. Returns the mail server that is in use, and one whose code is awaited.',
    responses: { 200: MailServerResponse },
    metadata: { failure: 'The mail server could not be read.' },
  },
  listMailProviders: {
    method: 'GET',
    summary: 'List mail providers',
    description:
      'For operators. Returns well-known providers with their server. With `email`, only the provider of that address, by its domain or the mail servers (MX) of the domain.',
    query: z.object({
      email: field('emailInvalid', emailParam.optional(), 'An address.', 'me@posteo.de'),
    }),
    responses: { 200: ListMailProvidersResponse },
    metadata: { failure: 'The providers could not be listed.', listField: 'providers' },
  },
});

/** They take no idempotency key, because the server stores a hash of each body with a key. */
const CHANGE_DEFAULTS = {
  ...OPERATOR_DEFAULTS,
  access: 'upload' as const,
  writeRefusals: QUERY_DEFAULTS.writeRefusals,
  writeHeaders: {},
};

export const mailServerChanges = defineOwnerEndpoints('server', CHANGE_DEFAULTS, {
  checkMailServer: {
    method: 'POST',
    summary: 'Try a mail server',
    description: `For operators. Connects, logs in and sends a test mail with a code. \`updateMailServer\` with that code stores the mail server; until then, nothing changes. At most ${LIMITS.mailTriesPerHour} attempts an hour. Needs \`PUBLIC_URL\` and an encryption key.`,
    body: CheckMailServerRequest,
    responses: { 200: MailServerResponse },
    metadata: {
      recentLogin: true,
      failure: 'The mail server could not be tried.',
      refusals: {
        ...MAIL_SERVER_REFUSALS,
        ...MAIL_TRY_REFUSALS,
        mailFromEnvironment: refusal(
          409,
          '`SMTP_URL` is set.',
          'The mail server is set by SMTP_URL. To connect another one here, ask the person who installed this server to remove it.',
        ),
        publicUrlMissing: refusal(
          409,
          '`PUBLIC_URL` is not set.',
          'Links in mails need the address of this server. Ask the person who installed it to set PUBLIC_URL.',
        ),
        encryptionKeyMissing: refusal(
          409,
          '`ENCRYPTION_KEY` is not set, but `DATABASE_URL` is.',
          'The password is stored encrypted. Ask the person who installed this server to set ENCRYPTION_KEY.',
        ),
        mailPasswordMissing: forField(
          'password',
          refusal(400, 'There is no stored password for this server.', 'Enter the password.'),
        ),
      },
    },
  },
  updateMailServer: {
    method: 'POST',
    summary: 'Store the tried mail server',
    description:
      'For operators. Stores the mail server that `checkMailServer` tried. All servers use it within seconds, and send the mails that wait.',
    body: objectSchema('UpdateMailServerRequest', 'The code of the test mail.', {
      code: field(
        'mailCodeInvalid',
        matchingText(/^\d{6}$/, 'must be the six digits of the test mail.'),
        'The code of the test mail.',
        '402817',
      ),
    }),
    responses: { 200: MailServerResponse },
    metadata: {
      recentLogin: true,
      failure: 'The mail server could not be stored.',
      refusals: {
        ...MAIL_TRY_REFUSALS,
        mailCodeWrong: forField(
          'code',
          refusal(
            400,
            'It is not the code of the last test mail.',
            'That is not the code of the last test mail.',
          ),
        ),
        mailCodeExpired: forField(
          'code',
          refusal(
            409,
            'No code is awaited, or it was sent more than a day ago.',
            'The code has expired. Send another one.',
          ),
        ),
      },
    },
  },
  deleteMailServer: {
    method: 'POST',
    summary: 'Disconnect the mail server',
    description:
      'For operators. Deletes the mail server that was connected here, and one whose code is awaited. Mails that wait are kept for a week.',
    body: ContractNoBody,
    responses: { 200: SuccessResponse },
    metadata: {
      recentLogin: true,
      failure: 'The mail server could not be disconnected.',
      destructive: true,
      refusals: {
        mailNotConnected: refusal(
          409,
          'No operator has connected a mail server.',
          'No mail server was connected here.',
        ),
      },
    },
  },
});
