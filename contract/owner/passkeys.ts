import { ContractNoBody } from '@ts-rest/core';
import { z } from 'zod';
import { defineEndpoints } from '../define-endpoints.ts';
import { LIMITS } from '../limits.ts';
import { success } from '../result-fields.ts';
import { RECENT_LOGIN_REFUSALS } from '../recent-login.ts';
import { PASSKEY_REFUSALS } from '../passkey-refusals.ts';
import { forField, invalidField, refusal } from '../refusal.ts';
import { AUTHENTICATED_DEFAULTS, UNAUTHENTICATED_DEFAULTS } from '../endpoint-defaults.ts';
import { oneLine } from '../text.ts';
import { timeField } from '../fields.ts';
import { SessionResponse } from './session.ts';

const PASSKEY_ID = 'passkeyId must be the id of one of your passkeys.';
const ANSWER = 'answer must be the answer of the browser to the options, as JSON.';
const TEXT = 'must be a string of at most 1,400 characters.';
const LONG_TEXT = 'must be a string of at most 8,192 characters.';
const LABEL = `label must be one line of 1 to ${LIMITS.keyLabel} characters, or null.`;

const passkeyId = z
  .string(PASSKEY_ID)
  .max(1_400, PASSKEY_ID)
  .regex(/^[A-Za-z0-9_\-]+$/v, PASSKEY_ID)
  .meta({
    description: 'The id of the passkey, which is no secret.',
    examples: ['q83vEjRWeJASNFZ4kBI0Vg'],
  });

const Passkey = z
  .object({
    id: passkeyId,
    label: z
      .string()
      .nullable()
      .meta({
        description: 'The name of the passkey.',
        maxLength: LIMITS.keyLabel,
        examples: ['Phone'],
      }),
    created_at: timeField('When it was created', '2026-01-31T09:30:00.000Z'),
    last_used_at: timeField('When it last logged in', '2026-01-31T09:30:00.000Z').nullable(),
  })
  .meta({ id: 'Passkey', description: 'A passkey of the account.' });

const PasskeysResponse = z
  .object({
    passkeys: z.array(Passkey).meta({ description: 'The passkeys, oldest first.', maxItems: 20 }),
  })
  .meta({ id: 'PasskeysResponse', description: 'The passkeys of the account.' });

const challenge = z.string().meta({
  description: 'Random bytes that the answer must sign.',
  maxLength: 1_400,
  examples: ['gM2Wc1i2eWcR0b8xk6uE8nJ0Q3uYkq3hVv9c3m9E4tA'],
});

const options = (what: string) =>
  z.object({
    options: z.looseObject({ challenge }).meta({
      description: `The options to parse with \`PublicKeyCredential.${what}\` and pass to the browser.`,
      examples: [{ challenge: 'gM2Wc1i2eWcR0b8xk6uE8nJ0Q3uYkq3hVv9c3m9E4tA' }],
    }),
  });

const RegistrationOptions = options('parseCreationOptionsFromJSON').meta({
  id: 'PasskeyRegistrationOptions',
  description:
    'Options to create a passkey. The challenge can be answered once, within five minutes.',
});

const LoginOptions = options('parseRequestOptionsFromJSON').meta({
  id: 'PasskeyLoginOptions',
  description:
    'Options to log in with a passkey. The challenge can be answered once, within five minutes.',
});

const answer = z
  .looseObject(
    {
      id: z.string(TEXT).max(1_400, TEXT).meta({ description: 'The id of the passkey.' }),
      response: z
        .looseObject(
          {
            clientDataJSON: z
              .string(LONG_TEXT)
              .max(8_192, LONG_TEXT)
              .meta({ description: 'The challenge and the page that requested it.' }),
          },
          'must be an object.',
        )
        .meta({ description: 'The signed answer of the passkey.' }),
    },
    ANSWER,
  )
  .meta({
    description: "The browser's answer to the options: the `toJSON()` of its credential.",
    examples: [{ id: 'q83vEjRWeJASNFZ4kBI0Vg', response: { clientDataJSON: 'eyJ0eXBlIjoi' } }],
  });

const RegisterRequest = z
  .object({
    answer,
    label: oneLine(LIMITS.keyLabel, LABEL)
      .nullish()
      .meta({ description: 'The name of the passkey.', examples: ['Phone'] }),
  })
  .meta({ id: 'RegisterPasskeyRequest', description: 'A new passkey.' });

const RegisterResponse = z
  .object({ success, passkey: Passkey })
  .meta({ id: 'RegisterPasskeyResponse', description: 'The passkey can log in now.' });

const LogInRequest = z
  .object({ answer })
  .meta({ id: 'PasskeyLoginRequest', description: 'A passkey that proves who logs in.' });

const RemoveRequest = z
  .object({ passkeyId })
  .meta({ id: 'RemovePasskeyRequest', description: 'The passkey to remove.' });

const RemoveResponse = z
  .object({ success })
  .meta({ id: 'RemovePasskeyResponse', description: 'The passkey can no longer log in.' });

const answerInvalid = invalidField('answer', 'The answer is missing or not valid.', ANSWER);
const passkeysUnavailable = refusal(
  409,
  'Browsers allow no passkeys at the address of this server.',
  'Passkeys are not available: PUBLIC_URL must be https with a host name, or the server must run on this machine.',
);

/** How one gets in with a passkey. */
export const passkeyLogin = defineEndpoints(UNAUTHENTICATED_DEFAULTS, {
  beginLogin: {
    method: 'POST',
    path: '/owner/passkeys/begin-login',
    summary: 'Begin to log in with a passkey',
    description: 'Returns the options with which a browser asks for any passkey of this server.',
    body: ContractNoBody,
    responses: { 200: LoginOptions },
    metadata: {
      failure: 'The login could not be begun.',
      refusals: { passkeysUnavailable },
    },
  },
  logIn: {
    method: 'POST',
    path: '/owner/passkeys/log-in',
    summary: 'Log in with a passkey',
    description: 'Begins a session and sets its cookie.',
    body: LogInRequest,
    responses: { 200: SessionResponse },
    metadata: {
      failure: 'The session could not be begun.',
      refusals: {
        answerInvalid,
        passkeysUnavailable,
        passkeyLoginFailed: refusal(
          401,
          'The passkey is unknown or too late, or its account is suspended.',
          'This passkey is not valid here. Log in another way.',
        ),
      },
    },
  },
});

/** The passkeys of the account. */
export const passkeys = defineEndpoints(AUTHENTICATED_DEFAULTS, {
  listPasskeys: {
    method: 'GET',
    path: '/owner/passkeys/list-passkeys',
    summary: 'List the passkeys',
    description: 'Returns the passkeys of the account, oldest first.',
    responses: { 200: PasskeysResponse },
    metadata: { list: 'passkeys', failure: 'The passkeys could not be fetched.' },
  },
  beginRegistration: {
    method: 'POST',
    path: '/owner/passkeys/begin-registration',
    summary: 'Begin to create a passkey',
    description:
      'Returns the options with which a browser creates a passkey for the account. With a session, it needs a login within the last 60 minutes.',
    body: ContractNoBody,
    responses: { 200: RegistrationOptions },
    metadata: {
      failure: 'The passkey could not be begun.',
      refusals: { passkeysUnavailable, ...RECENT_LOGIN_REFUSALS },
    },
  },
  register: {
    method: 'POST',
    path: '/owner/passkeys/register',
    summary: 'Register a passkey',
    description:
      'Stores a passkey that the browser created. Its owner can log in with it from now on.',
    body: RegisterRequest,
    responses: { 200: RegisterResponse },
    metadata: {
      failure: 'The passkey could not be stored.',
      refusals: {
        answerInvalid,
        labelInvalid: invalidField('label', 'The label is not valid.', LABEL),
        passkeysUnavailable,
        ...PASSKEY_REFUSALS,
      },
    },
  },
  removePasskey: {
    method: 'POST',
    path: '/owner/passkeys/remove-passkey',
    summary: 'Remove a passkey',
    description: 'Removes a passkey and ends its sessions, on all servers within milliseconds.',
    body: RemoveRequest,
    responses: { 200: RemoveResponse },
    metadata: {
      failure: 'The passkey could not be removed.',
      destructive: true,
      idempotent: true,
      refusals: {
        passkeyIdInvalid: invalidField('passkeyId', 'No valid id was sent.', PASSKEY_ID),
        passkeyNotFound: forField(
          'passkeyId',
          refusal(404, 'The account has no passkey with this id.', 'You have no such passkey.'),
        ),
        ...RECENT_LOGIN_REFUSALS,
      },
    },
  },
});
