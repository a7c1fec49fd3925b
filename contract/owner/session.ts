import { ContractNoBody } from '@ts-rest/core';
import { z } from 'zod';
import { defineEndpoints } from '../define-endpoints.ts';
import { LIMITS } from '../limits.ts';
import { success } from '../result-fields.ts';
import { forField, invalidField, refusal } from '../refusal.ts';
import { LOGIN_LINK_REFUSALS } from '../request-refusals.ts';
import { AUTHENTICATED_DEFAULTS, UNAUTHENTICATED_DEFAULTS } from '../endpoint-defaults.ts';
import { uuid } from '../uuid.ts';
import { keyId, timeField } from '../fields.ts';

const Session = z
  .object({
    id: uuid().meta({
      description: 'The id of the session, which is no secret.',
      examples: ['6f1d0c52-4b0a-4a36-8f55-0f8a3c1c9f10'],
    }),
    via: z.enum(['link', 'key', 'passkey', 'oidc']).meta({
      description:
        'How it was begun: by a login link, an API key, a passkey or single sign-on (`oidc`).',
      examples: ['link'],
    }),
    key_id: keyId.nullable().meta({
      description: 'The id of the API key by which it was begun and with which it ends, or null.',
      examples: [null],
    }),
    agent: z
      .string()
      .nullable()
      .meta({
        description: 'The user agent of the browser when the session began.',
        maxLength: 300,
        examples: ['Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0'],
      }),
    created_at: timeField('When it began', '2026-01-31T09:30:00.000Z'),
    last_seen_at: timeField('When it was last used, to the minute', '2026-01-31T10:12:00.000Z'),
    ends_at: timeField(
      'When it ends: 14 days after it was last used, and at the latest 90 days after it began',
      '2026-02-14T10:12:00.000Z',
    ),
    current: z.boolean().meta({
      description: 'Whether this request came with it.',
      examples: [true],
    }),
  })
  .meta({ id: 'Session', description: 'A login from a browser.' });

/** Who is logged in. */
export const SessionResponse = z
  .object({
    account_id: uuid().meta({
      description: 'The id of the account.',
      examples: ['0b7e5c1e-0f4e-4d53-9f0f-3d1c2b5a6e77'],
    }),
    key_id: keyId.nullable().meta({
      description:
        'The id of the API key that this request came with, or by which its session was begun; null if there is none.',
      examples: [null],
    }),
    session: Session.nullable().meta({
      description: 'The session of this request. Null if it has an API key.',
    }),
    proof: z.enum(['fresh', 'stale']).meta({
      description:
        'Whether the login is recent. `fresh`: an API key, or a session that began within the last 60 minutes (for single sign-on, the provider checked the user in that time). `stale`: an older session, which cannot do what needs a recent login.',
      examples: ['fresh'],
    }),
  })
  .meta({ id: 'SessionResponse', description: 'Who is logged in, and how.' });

const CurrentSessionResponse = SessionResponse.extend({
  operator: z.boolean().meta({
    description:
      'Whether this login may call the endpoints of operators. A key, and a session that it began, needs the scope `operator`.',
    examples: [false],
  }),
  open_reports: z
    .int()
    .min(0)
    .max(LIMITS.countedReports)
    .nullable()
    .meta({
      description: `Number of open reports of pages, at most ${LIMITS.countedReports}, for operators; else null.`,
      examples: [null],
    }),
  can_return: z.boolean().meta({
    description:
      'Whether the account has a way to log in again: a passkey, single sign-on, a key of scope `all`, or an address that login links are mailed to.',
    examples: [true],
  }),
}).meta({ id: 'CurrentSessionResponse', description: 'Who is logged in, and how.' });

const SessionsResponse = z
  .object({
    sessions: z.array(Session).meta({
      description: 'The sessions, most recently used first.',
      maxItems: LIMITS.sessions,
    }),
  })
  .meta({ id: 'SessionsResponse', description: 'The open sessions of the account.' });

const SuccessResponse = z
  .object({ success })
  .meta({ id: 'SuccessResponse', description: 'The request succeeded.' });

const EMAIL = 'email must be an email address.';
const EITHER = 'Send either link, the token of a login link, or apiKey.';

const API_KEY = 'apiKey must be an API key.';

const CreateSessionRequest = z
  .object({
    link: z
      .string(EITHER)
      .max(100, EITHER)
      .optional()
      .meta({
        description: 'The token of a login link: the part after the #. It works once.',
        examples: ['2zJyBvV6bTn0mVg1pX4kz6Yc0wQe8rTqXl3sHdUj9aA'],
      }),
    apiKey: z
      .string(API_KEY)
      .max(100, API_KEY)
      .optional()
      .meta({
        description: 'An API key of the account. The session ends when the key is revoked.',
        examples: ['np_your.key'],
      }),
  })
  .refine(({ link, apiKey }) => (link === undefined) !== (apiKey === undefined), {
    error: EITHER,
    path: ['link'],
  })
  .meta({
    id: 'CreateSessionRequest',
    description: 'A login link or an API key.',
    examples: [{ link: '2zJyBvV6bTn0mVg1pX4kz6Yc0wQe8rTqXl3sHdUj9aA' }],
  });

const MailLinkRequest = z
  .object({
    email: z
      .string(EMAIL)
      .max(LIMITS.email, EMAIL)
      .meta({
        description:
          'Your confirmed address: the one that mail is forwarded to, else the one that you signed up with.',
        examples: ['jane@example.com'],
      }),
  })
  .meta({ id: 'MailLoginLinkRequest', description: 'Where to send a login link.' });

const SESSION_ID_REQUIRED = 'The id of the session is required.';

const RevokeSessionRequest = z
  .object({
    sessionId: uuid(SESSION_ID_REQUIRED).meta({
      description: 'The id of one of your sessions.',
      examples: ['6f1d0c52-4b0a-4a36-8f55-0f8a3c1c9f10'],
    }),
  })
  .meta({ id: 'RevokeSessionRequest', description: 'The session to end.' });

export const MAIL_REFUSALS = {
  mailUnavailable: refusal(
    409,
    'The service sends no mail: `SMTP_URL` is not set.',
    'This server sends no mail. Ask its operator for a login link.',
  ),
};

/** How one gets a session. */
export const login = defineEndpoints(UNAUTHENTICATED_DEFAULTS, {
  createSession: {
    method: 'POST',
    path: '/owner/session/create-session',
    summary: 'Log in',
    description:
      'Begins a session and sets its cookie. A login link can be used once; a key only has to be valid. Only pages of this server can log in.',
    body: CreateSessionRequest,
    responses: { 200: SessionResponse },
    metadata: {
      failure: 'The session could not be begun.',
      refusals: {
        credentialsMissing: invalidField('link', 'Neither was sent, or both were.', EITHER),
        loginFailed: refusal(
          401,
          'The link was used, has expired or never existed; the key is not valid; or the account is suspended.',
          'This link or key is not valid. Create a new link, or use another key.',
        ),
      },
    },
  },
  mailLoginLink: {
    method: 'POST',
    path: '/owner/session/mail-login-link',
    summary: 'Ask for a login link by mail',
    description:
      'Mails a login link for each account whose confirmed address this is. The answer is the same whether there is one; an address gets a few an hour.',
    body: MailLinkRequest,
    responses: { 200: SuccessResponse },
    metadata: {
      failure: 'No mail could be asked for.',
      refusals: {
        emailInvalid: invalidField('email', 'No valid address was sent.', EMAIL),
        ...LOGIN_LINK_REFUSALS,
        ...MAIL_REFUSALS,
      },
    },
  },
});

/** The sessions of the account. */
export const session = defineEndpoints(AUTHENTICATED_DEFAULTS, {
  getSession: {
    method: 'GET',
    path: '/owner/session/get-session',
    summary: 'Read who is logged in',
    description: 'Returns the account, and the session or key of the request.',
    responses: { 200: CurrentSessionResponse },
    metadata: { failure: 'The session could not be fetched.' },
  },
  endSession: {
    method: 'POST',
    path: '/owner/session/end-session',
    summary: 'Log out',
    description:
      'Ends the session that the request came with and takes its cookie back. With an API key there is nothing to end.',
    body: ContractNoBody,
    responses: { 200: SuccessResponse },
    metadata: { failure: 'The session could not be ended.', destructive: true, idempotent: true },
  },
  listSessions: {
    method: 'GET',
    path: '/owner/session/list-sessions',
    summary: 'List the sessions',
    description: 'Returns the open sessions of the account, the one that was used last first.',
    responses: { 200: SessionsResponse },
    metadata: { list: 'sessions', failure: 'The sessions could not be fetched.' },
  },
  revokeSession: {
    method: 'POST',
    path: '/owner/session/revoke-session',
    summary: 'End a session',
    description: 'Ends one session of the account on all servers within milliseconds.',
    body: RevokeSessionRequest,
    responses: { 200: SuccessResponse },
    metadata: {
      failure: 'The session could not be ended.',
      destructive: true,
      idempotent: true,
      refusals: {
        sessionIdInvalid: invalidField('sessionId', 'No session was named.', SESSION_ID_REQUIRED),
        sessionNotFound: forField(
          'sessionId',
          refusal(
            404,
            'The account has no open session with this id.',
            'You have no such session.',
          ),
        ),
      },
    },
  },
  revokeAllSessions: {
    method: 'POST',
    path: '/owner/session/revoke-all-sessions',
    summary: 'End all sessions',
    description: 'Ends every session of the account, also the one that the request came with.',
    body: ContractNoBody,
    responses: { 200: SuccessResponse },
    metadata: { failure: 'The sessions could not be ended.', destructive: true, idempotent: true },
  },
});
