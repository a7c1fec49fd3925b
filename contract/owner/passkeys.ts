import { ContractNoBody } from '@ts-rest/core';
import { z } from 'zod';
import { defineEndpoints } from '../define-endpoints.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { success, successResponse } from '../result-fields.ts';
import { RECENT_LOGIN_REFUSALS } from '../recent-login.ts';
import { AUTHORIZATION_REFUSALS } from '../request-refusals.ts';
import { PASSKEY_REFUSALS } from '../passkey-refusals.ts';
import { refusal, notFound } from '../refusal.ts';
import { AUTHENTICATED_DEFAULTS, UNAUTHENTICATED_DEFAULTS } from '../endpoint-defaults.ts';
import { oneLine, limitedText } from '../text.ts';
import { field, nullableTextField, objectSchema, textField, timeField } from '../fields.ts';
import { SessionResponse } from './session.ts';

const PASSKEY_ID_MESSAGE = 'must be the id of one of your passkeys.';

const passkeyId = field(
  'passkeyIdInvalid',
  z
    .string(PASSKEY_ID_MESSAGE)
    .max(1_400, PASSKEY_ID_MESSAGE)
    .regex(/^[A-Za-z0-9_\-]+$/v, PASSKEY_ID_MESSAGE),
  'The id of the passkey. It is not a secret.',
  'q83vEjRWeJASNFZ4kBI0Vg',
);

const Passkey = objectSchema('Passkey', 'A passkey of the account.', {
  passkey_id: passkeyId,
  label: nullableTextField('The name of the passkey.', LIMITS.keyLabel, 'Phone'),
  created_at: timeField('When the passkey was created', '2026-01-31T09:30:00.000Z'),
  last_used_at: timeField('When it was last used to log in', '2026-01-31T09:30:00.000Z').nullable(),
});

const PasskeysResponse = objectSchema('PasskeysResponse', 'The passkeys of the account.', {
  passkeys: z.array(Passkey).meta({ description: 'The passkeys, oldest first.', maxItems: 20 }),
});

const challenge = textField(
  'Random bytes that the passkey must sign.',
  1_400,
  'gM2Wc1i2eWcR0b8xk6uE8nJ0Q3uYkq3hVv9c3m9E4tA',
);

const options = (parser: string) =>
  z.object({
    options: z.looseObject({ challenge }).meta({
      description: `The WebAuthn options. Parse them with \`PublicKeyCredential.${parser}\` and pass them to the browser.`,
      examples: [{ challenge: 'gM2Wc1i2eWcR0b8xk6uE8nJ0Q3uYkq3hVv9c3m9E4tA' }],
    }),
  });

const RegistrationOptions = options('parseCreationOptionsFromJSON').meta({
  id: 'PasskeyRegistrationOptions',
  description: 'Options to create a passkey. The challenge can be used once, within five minutes.',
});

const LoginOptions = options('parseRequestOptionsFromJSON').meta({
  id: 'PasskeyLoginOptions',
  description:
    'Options to log in with a passkey. The challenge can be used once, within five minutes.',
});

const answer = field(
  'answerInvalid',
  z.looseObject(
    {
      id: limitedText(1_400, 'must be a string of at most 1,400 characters.').meta({
        description: 'The id of the passkey.',
      }),
      response: z
        .looseObject(
          {
            clientDataJSON: limitedText(
              8_192,
              'must be a string of at most 8,192 characters.',
            ).meta({ description: 'The client data: the challenge and the origin of the page.' }),
          },
          'must be an object.',
        )
        .meta({ description: 'The signed response of the passkey.' }),
    },
    'must be the response of the browser to the options, as JSON.',
  ),
  "The browser's response to the options: the result of `toJSON()` on the credential.",
  { id: 'q83vEjRWeJASNFZ4kBI0Vg', response: { clientDataJSON: 'eyJ0eXBlIjoi' } },
);

const RegisterRequest = objectSchema('RegisterPasskeyRequest', 'A new passkey.', {
  answer,
  label: field(
    'labelInvalid',
    oneLine(LIMITS.keyLabel).nullish(),
    'The name of the passkey.',
    'Phone',
  ),
});

const RegisterResponse = objectSchema(
  'RegisterPasskeyResponse',
  'The new passkey. It can be used to log in.',
  { success, passkey: Passkey },
);

const LogInRequest = objectSchema('PasskeyLoginRequest', 'The response of the passkey.', {
  answer,
});

const RemoveRequest = objectSchema('RemovePasskeyRequest', 'The passkey to remove.', {
  passkey_id: passkeyId,
});

const RemoveResponse = successResponse('RemovePasskeyResponse', 'The passkey was removed.');

const passkeysUnavailable = refusal(
  409,
  'Browsers do not support passkeys at the URL of this server.',
  'Passkeys are not available: PUBLIC_URL must be https with a host name, or the server must run on this machine.',
);

export const passkeyLogin = defineEndpoints(UNAUTHENTICATED_DEFAULTS, {
  beginLogin: {
    method: 'POST',
    path: '/owner/passkeys/begin-login',
    summary: 'Start a passkey login',
    description:
      'Returns the WebAuthn options with which a browser asks for any passkey of this server.',
    body: ContractNoBody,
    responses: { 200: LoginOptions },
    metadata: {
      failure: 'The login could not be started.',
      refusals: { passkeysUnavailable },
    },
  },
  logIn: {
    method: 'POST',
    path: '/owner/passkeys/log-in',
    summary: 'Log in with a passkey',
    description: 'Starts a session and sets its cookie.',
    body: LogInRequest,
    responses: { 200: SessionResponse },
    metadata: {
      failure: 'The session could not be started.',
      refusals: {
        passkeysUnavailable,
        passkeyLoginFailed: refusal(
          401,
          'The passkey is unknown, or the challenge has expired.',
          'This passkey is not valid here. Log in another way.',
        ),
        accountSuspended: AUTHORIZATION_REFUSALS.accountSuspended,
      },
    },
  },
});

export const passkeys = defineEndpoints(AUTHENTICATED_DEFAULTS, {
  listPasskeys: {
    method: 'GET',
    path: '/owner/passkeys/list-passkeys',
    summary: 'List the passkeys',
    description: 'Returns the passkeys of the account, oldest first.',
    responses: { 200: PasskeysResponse },
    metadata: { listField: 'passkeys', failure: 'The passkeys could not be fetched.' },
  },
  beginRegistration: {
    method: 'POST',
    path: '/owner/passkeys/begin-registration',
    summary: 'Start to create a passkey',
    description:
      'Returns the WebAuthn options with which a browser creates a passkey for the account. With a session, this needs a login within the last 60 minutes.',
    body: ContractNoBody,
    responses: { 200: RegistrationOptions },
    metadata: {
      failure: 'The passkey options could not be created.',
      refusals: { passkeysUnavailable, ...RECENT_LOGIN_REFUSALS },
    },
  },
  register: {
    method: 'POST',
    path: '/owner/passkeys/register',
    summary: 'Register a passkey',
    description: 'Stores a passkey that the browser created. It can then be used to log in.',
    body: RegisterRequest,
    responses: { 200: RegisterResponse },
    metadata: {
      failure: 'The passkey could not be stored.',
      refusals: {
        passkeysUnavailable,
        ...PASSKEY_REFUSALS,
      },
    },
  },
  removePasskey: {
    method: 'POST',
    path: '/owner/passkeys/remove-passkey',
    summary: 'Remove a passkey',
    description:
      'Removes a passkey and ends the sessions that it started, on all servers within milliseconds.',
    body: RemoveRequest,
    responses: { 200: RemoveResponse },
    metadata: {
      failure: 'The passkey could not be removed.',
      destructive: true,
      idempotent: true,
      refusals: {
        passkeyNotFound: notFound('passkey'),
        ...RECENT_LOGIN_REFUSALS,
      },
    },
  },
});
