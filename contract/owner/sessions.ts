import { ContractNoBody } from '@ts-rest/core';
import { z } from 'zod';
import { LANGUAGES } from '#contract/shared/languages.ts';
import { formatLimit, LIMITS } from '#contract/shared/limits.ts';
import { defineOwnerEndpoints } from '../define-endpoints.ts';
import { emailParam } from '../email.ts';
import { AUTHENTICATED_DEFAULTS, UNAUTHENTICATED_DEFAULTS } from '../endpoint-defaults.ts';
import { JANE_ID, SESSION_ID, EXAMPLE_TIME, exampleLink } from '../examples.ts';
import {
  field,
  booleanField,
  idField,
  keyId,
  nullableTextField,
  objectSchema,
  resultSchema,
  timeField,
} from '../fields.ts';
import { forField, refusal } from '../refusal.ts';
import { AUTHORIZATION_REFUSALS, LOGIN_LINK_REFUSALS } from '../request-refusals.ts';
import { SuccessResponse } from '../result-fields.ts';
import { limitedText } from '../text.ts';
import { uuid } from '../uuid.ts';
import { SETUP_CODES, SetupFinding } from './setup-finding.ts';

const Session = objectSchema('Session', 'A login in a browser.', {
  id: idField('The id of the session. It is not a secret.', SESSION_ID),
  via: z.enum(['link', 'key', 'passkey', 'oidc']).meta({
    description:
      'The login method: a login link, an API key, a passkey or single sign-on (`oidc`).',
    examples: ['link'],
  }),
  key_id: keyId.nullable().meta({
    description:
      'The id of the API key that started the session, or null. The session ends with the key.',
    examples: [null],
  }),
  agent: nullableTextField(
    'The user agent of the browser at login.',
    300,
    'Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0',
  ),
  created_at: timeField('When the session started', EXAMPLE_TIME),
  last_seen_at: timeField(
    'When the session was last used, to the minute',
    '2026-01-31T10:12:00.000Z',
  ),
  ends_at: timeField(
    'When the session ends: 14 days after it was last used, and at most 90 days after it started',
    '2026-02-14T10:12:00.000Z',
  ),
  current: booleanField('Whether this request uses the session.', true),
});

export const SessionResponse = objectSchema(
  'SessionResponse',
  'The authenticated account and its login.',
  {
    account_id: idField('The id of the account.', JANE_ID),
    key_id: keyId.nullable().meta({
      description:
        'The id of the API key of this request, or of the key that started its session. Null if there is none.',
      examples: [null],
    }),
    session: Session.nullable().meta({
      description: 'The session of this request. Null if the request uses an API key.',
    }),
    login_age: z.enum(['fresh', 'stale']).meta({
      description:
        'Whether the login is recent. `fresh`: an API key, or a session that started within the last 60 minutes (for single sign-on, the identity provider authenticated the user in that time). `stale`: an older session, which cannot call endpoints that need a recent login.',
      examples: ['fresh'],
    }),
  },
);

const CurrentSessionResponse = SessionResponse.extend({
  actor_id: idField(
    'The account of the person who is signed in. Another one than `account_id` if they act for an account that they keep.',
    '0b7e5c1e-0f4e-4d53-9f0f-3d1c2b5a6e77',
  ),
  operator: booleanField(
    'Whether this login may call operator endpoints. An API key, or the key that started the session, needs the scope `operator`.',
    true,
  ),
  to_do: z.array(SetupFinding).meta({
    description:
      'What waits for the owner: alerts that fire, failing connections, an unconfirmed address, invitations to keep an account. For operators also applications, reports, members who left, and failing parts of the server.',
    maxItems: SETUP_CODES.length,
  }),
  open_reports: z
    .int()
    .min(0)
    .max(LIMITS.countedReports)
    .nullable()
    .meta({
      description: `The number of open reports, counted up to ${formatLimit(LIMITS.countedReports)}. Null if the caller is not an operator.`,
      examples: [null],
    }),
  waiting_applications: z
    .int()
    .min(0)
    .max(LIMITS.countedApplications)
    .nullable()
    .meta({
      description: `The number of applications that wait for a decision, counted up to ${formatLimit(LIMITS.countedApplications)}. Null if the caller is not an operator.`,
      examples: [null],
    }),
  server_failing: z
    .enum(['backup', 'mail', 'addresses'])
    .nullable()
    .meta({
      description:
        'backup: the newest one failed; mail: mails wait for another attempt; addresses: a group address lost its readers. Null if none, or if the caller is not an operator.',
      examples: [null],
    }),
  page_suspension_reason: nullableTextField(
    'Why an operator hides the page of the account. Null if none does.',
    LIMITS.suspensionReason,
    null,
  ),
  page_was_visible: booleanField('Whether the page of the account is or ever was public.', true),
  developer_tools: booleanField(
    'Whether the dashboard shows API calls, keys, metrics, events and chat. True once the owner has created an API key, or as set with `updateDeveloperTools`. It only changes what the dashboard shows.',
    false,
  ),
  language: z
    .enum(LANGUAGES)
    .nullable()
    .meta({
      description:
        "The language of the account's dashboard and mails: the browser's at the first login, or as set with `updateLanguage`. Null: the dashboard uses the browser's language, mails are in English.",
      examples: ['en'],
    }),
  time_zone: nullableTextField(
    'The time zone of weekly summaries, as set with `updateTimeZone`, at first by the dashboard. Null: UTC.',
    64,
    'Europe/Lisbon',
  ),
  messages: booleanField(
    'Whether the account gets the messages that operators write to members, as set with `updateMessages` or by a link in such a mail.',
    true,
  ),
  can_log_in_again: booleanField(
    'Whether the account has a way to log in again: a passkey, single sign-on, a key with the scope `all`, or a confirmed address for login links.',
    true,
  ),
}).meta({ id: 'GetSessionResponse', description: 'The authenticated account and its login.' });

const EXAMPLE_URL = exampleLink('login');
const CREDENTIALS_MESSAGE = 'Send either login_url, a login link, or api_key.';

const CreateSessionRequest = z
  .object({
    login_url: field(
      'credentialsMissing',
      limitedText(LIMITS.url, CREDENTIALS_MESSAGE).optional(),
      'A login link, or its part after the #. It works once.',
      EXAMPLE_URL,
    ),
    api_key: limitedText(100, 'must be an API key.')
      .optional()
      .meta({
        description: 'An API key of the account. The session ends when the key is revoked.',
        examples: ['np_your.key'],
      }),
  })
  .refine(({ login_url, api_key }) => (login_url === undefined) !== (api_key === undefined), {
    error: CREDENTIALS_MESSAGE,
    path: ['login_url'],
  })
  .meta({
    id: 'CreateSessionRequest',
    description: 'A login link or an API key.',
    examples: [{ login_url: EXAMPLE_URL }],
  });

export const MAIL_REFUSALS = {
  mailUnavailable: refusal(
    409,
    'The server sends no mail: no mail server is connected. A command needs the same SMTP_URL as the server.',
    'This server sends no mail, because no mail server is connected.',
  ),
};

export const login = defineOwnerEndpoints('sessions', UNAUTHENTICATED_DEFAULTS, {
  createSession: {
    method: 'POST',
    summary: 'Log in',
    description:
      'Starts a session with an API key or a login link, which works once, and sets its cookie. Browsers can log in only from pages of this server; programs send the header `Origin` with the URL of the server.',
    body: CreateSessionRequest,
    response: SessionResponse,
    failure: 'The session could not be started.',
    refusals: {
      credentialsMissing: forField(
        'login_url',
        refusal(
          400,
          'Neither `login_url` nor `api_key` was sent, or both were.',
          CREDENTIALS_MESSAGE,
        ),
      ),
      loginFailed: refusal(
        401,
        'The link was used, has expired or never existed, or the key is not valid.',
        'This link or key is not valid. Create a new link, or use another key.',
      ),
      keyNotForLogin: forField(
        'api_key',
        refusal(
          403,
          'The key is valid, but its scope is neither `all` nor `operator`.',
          'A key with the scope {scope} cannot sign in. Use one with the scope all.',
          { scope: 'metrics' },
        ),
      ),
      accountSuspended: AUTHORIZATION_REFUSALS.accountSuspended,
    },
  },
  sendLoginLink: {
    method: 'POST',
    summary: 'Request a login link by mail',
    description:
      'Mails a login link for each account with this confirmed address, or for the account of an address of the service, such as `jane-doe@club.example`. The response does not show whether there is one, and each address gets at most a few links an hour.',
    body: {
      email: field(
        'emailInvalid',
        emailParam,
        'Your confirmed email address: your forwarding destination, or else the address that you signed up with.',
        'jane@example.com',
      ),
    },
    response: SuccessResponse,
    failure: 'The mail could not be requested.',
    refusals: {
      ...LOGIN_LINK_REFUSALS,
      mailUnavailable: refusal(
        409,
        'The server sends no mail: no mail server is connected.',
        'This server sends no mail. Ask its operator for a login link.',
      ),
    },
  },
});

export const sessions = defineOwnerEndpoints('sessions', AUTHENTICATED_DEFAULTS, {
  getSession: {
    method: 'GET',
    summary: 'Read the current session',
    description: 'Returns the account, and the session or API key of the request.',
    response: CurrentSessionResponse,
    failure: 'The session could not be fetched.',
    untrustedFields: 'all',
  },
  revokeCurrentSession: {
    method: 'POST',
    summary: 'Log out',
    description:
      'Ends the current session and deletes its cookie. With an API key, it does nothing.',
    body: ContractNoBody,
    response: SuccessResponse,
    failure: 'The session could not be ended.',
    destructive: true,
    idempotent: true,
  },
  listSessions: {
    method: 'GET',
    summary: 'List the sessions',
    description: 'Returns the open sessions of the account, most recently used first.',
    response: resultSchema('The open sessions of the account.', {
      sessions: z.array(Session).meta({
        description: 'The sessions, most recently used first.',
        maxItems: LIMITS.sessions,
      }),
    }),
    listField: 'sessions',
    actor: 'self',
    failure: 'The sessions could not be fetched.',
  },
  revokeSession: {
    method: 'POST',
    summary: 'End a session',
    description: 'Ends one session of the account on all servers within milliseconds.',
    body: {
      session_id: field(
        'sessionIdInvalid',
        uuid('must be the id of one of your sessions.'),
        'The id of one of your sessions.',
        SESSION_ID,
      ),
    },
    response: SuccessResponse,
    actor: 'self',
    failure: 'The session could not be ended.',
    destructive: true,
    idempotent: true,
    refusals: {
      sessionNotFound: forField(
        'session_id',
        refusal(404, 'The account has no open session with this id.', 'You have no such session.'),
      ),
    },
  },
  revokeAllSessions: {
    method: 'POST',
    summary: 'End all sessions',
    description: 'Ends all sessions of the account, including the current one.',
    body: ContractNoBody,
    response: SuccessResponse,
    actor: 'self',
    failure: 'The sessions could not be ended.',
    destructive: true,
    idempotent: true,
  },
});
