import { ContractNoBody } from '@ts-rest/core';
import { z } from 'zod';
import { LIMITS } from '#contract/shared/limits.ts';
import { defineOwnerEndpoints } from '../define-endpoints.ts';
import { OWN_LOGIN_DEFAULTS, UNAUTHENTICATED_DEFAULTS } from '../endpoint-defaults.ts';
import { EXAMPLE_TIME } from '../examples.ts';
import {
  field,
  nullableTextField,
  objectSchema,
  resultSchema,
  textField,
  timeField,
} from '../fields.ts';
import { PASSKEY_REFUSALS } from '../passkey-refusals.ts';
import { refusal, notFound } from '../refusal.ts';
import { AUTHORIZATION_REFUSALS } from '../request-refusals.ts';
import { SuccessResponse } from '../result-fields.ts';
import { oneLine, limitedText } from '../text.ts';
import { SessionResponse } from './sessions.ts';

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
  id: passkeyId,
  label: nullableTextField('The name of the passkey.', LIMITS.keyLabel, 'Phone'),
  host: nullableTextField(
    'The only host at which browsers offer the passkey. Null until the next login with a passkey from before version 0.3.1.',
    253,
    'club.example',
  ),
  created_at: timeField('When the passkey was created', EXAMPLE_TIME),
  last_used_at: timeField('When it was last used to log in', EXAMPLE_TIME).nullable(),
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

const CreatePasskeyOptionsResponse = options('parseCreationOptionsFromJSON').meta({
  id: 'CreatePasskeyOptionsResponse',
  description: 'Options to create a passkey. The challenge can be used once, within five minutes.',
});

const CreatePasskeyLoginOptionsResponse = options('parseRequestOptionsFromJSON').meta({
  id: 'CreatePasskeyLoginOptionsResponse',
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

const passkeysUnavailable = refusal(
  409,
  'Browsers do not support passkeys at the URL of this server.',
  'Passkeys need an address with https. Ask the person who installed this server to set it (PUBLIC_URL).',
);

export const passkeyLogin = defineOwnerEndpoints('passkeys', UNAUTHENTICATED_DEFAULTS, {
  createPasskeyLoginOptions: {
    method: 'POST',
    summary: 'Start a passkey login',
    description:
      'Returns the WebAuthn options with which a browser asks for any passkey of this server.',
    body: ContractNoBody,
    response: CreatePasskeyLoginOptionsResponse,
    failure: 'The login could not be started.',
    refusals: { passkeysUnavailable },
  },
  createPasskeySession: {
    method: 'POST',
    summary: 'Log in with a passkey',
    description: 'Starts a session and sets its cookie.',
    body: { answer },
    response: SessionResponse,
    failure: 'The session could not be started.',
    refusals: {
      passkeysUnavailable,
      passkeyLoginFailed: refusal(
        401,
        'The passkey is unknown, or the challenge has expired.',
        'This passkey is not valid here. Log in another way.',
      ),
      passkeyCounterTooLow: refusal(
        401,
        'An earlier login sent the counter of this passkey or a higher one, which a copy of the passkey can cause. Synchronized passkeys are accepted.',
        'This passkey was used elsewhere in the meantime and may have been copied. Log in another way, remove the passkey and add it again.',
      ),
      accountSuspended: AUTHORIZATION_REFUSALS.accountSuspended,
    },
  },
});

export const passkeys = defineOwnerEndpoints('passkeys', OWN_LOGIN_DEFAULTS, {
  listPasskeys: {
    method: 'GET',
    summary: 'List the passkeys',
    description: 'Returns the passkeys of the account, oldest first.',
    response: resultSchema('The passkeys of the account.', {
      passkeys: z.array(Passkey).meta({ description: 'The passkeys, oldest first.', maxItems: 20 }),
    }),
    listField: 'passkeys',
    failure: 'The passkeys could not be fetched.',
  },
  createPasskeyOptions: {
    method: 'POST',
    summary: 'Start to create a passkey',
    description:
      'Returns the WebAuthn options with which a browser creates a passkey for the account.',
    body: ContractNoBody,
    response: CreatePasskeyOptionsResponse,
    recentLogin: true,
    failure: 'The passkey options could not be created.',
    refusals: { passkeysUnavailable },
  },
  createPasskey: {
    method: 'POST',
    summary: 'Register a passkey',
    description: 'Stores a passkey that the browser created. It can then be used to log in.',
    body: {
      answer,
      label: field(
        'labelInvalid',
        oneLine(LIMITS.keyLabel).nullish(),
        'The name of the passkey.',
        'Phone',
      ),
    },
    response: resultSchema('The new passkey. It can be used to log in.', { passkey: Passkey }),
    failure: 'The passkey could not be stored.',
    refusals: {
      passkeysUnavailable,
      ...PASSKEY_REFUSALS,
    },
  },
  deletePasskey: {
    method: 'POST',
    summary: 'Remove a passkey',
    description:
      'Removes a passkey and ends the sessions that it started, on all servers within milliseconds.',
    body: {
      passkey_id: passkeyId,
    },
    response: SuccessResponse,
    recentLogin: true,
    failure: 'The passkey could not be removed.',
    destructive: true,
    idempotent: true,
    refusals: {
      passkeyNotFound: notFound('passkey'),
    },
  },
});
