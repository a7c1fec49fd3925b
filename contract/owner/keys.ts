import { z } from 'zod';
import { defineOwnerEndpoints } from '../define-endpoints.ts';
import { RECENT_LOGIN_REFUSALS } from '../recent-login.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { SuccessResponse } from '../result-fields.ts';
import { forField, refusal, notFound } from '../refusal.ts';
import { SCOPES } from '../scope.ts';
import { AUTHENTICATED_DEFAULTS } from '../endpoint-defaults.ts';
import { oneLine, matchingText } from '../text.ts';
import {
  field,
  booleanField,
  keyId,
  nullableTextField,
  objectSchema,
  timeField,
} from '../fields.ts';

const KeyLabel = oneLine(LIMITS.keyLabel);

const scope = z.enum(SCOPES, 'must be all, read, metrics or operator.').meta({
  description:
    'The scope of the key. `all`: everything except operator endpoints. `read`: all endpoints that only read, except the export of all data. `metrics`: only submit metrics. `operator`: like `all`, plus operator endpoints as long as the account is an operator.',
  examples: ['metrics'],
});

const ApiKey = objectSchema('ApiKey', 'An API key without its secret.', {
  id: keyId.meta({
    description: 'The id of the key: the part before the dot. It is not a secret.',
  }),
  label: nullableTextField('The label of the key, or null.', LIMITS.keyLabel, 'status page'),
  scope,
  created_at: timeField('When the key was created', '2026-01-31T09:30:00.000Z'),
  last_used_at: timeField(
    'When the key was last used, to the minute; null if never',
    '2026-02-01T10:12:00.000Z',
  ).nullable(),
  expires_at: timeField(
    'When the key expires; null if it does not',
    '2027-01-31T00:00:00.000Z',
  ).nullable(),
  current: booleanField(
    'Whether this request uses the key, or a session that the key started.',
    false,
  ),
});

const ListKeysResponse = objectSchema('ListKeysResponse', 'The API keys of the account.', {
  keys: z.array(ApiKey).meta({ description: 'The keys, oldest first.' }),
});

const CreateKeyRequest = objectSchema(
  'CreateKeyRequest',
  'The label, scope and expiry of the new key.',
  {
    label: KeyLabel.nullish().meta({
      description: 'The label of the key, such as its purpose.',
      examples: ['status page'],
    }),
    scope: scope.default('all'),
    expires_at: z.iso
      .datetime('must be a time in ISO 8601, in UTC.')
      .nullish()
      .meta({
        description: 'When the key expires (ISO 8601, UTC). Default: never.',
        maxLength: 30,
        examples: ['2027-01-31T00:00:00.000Z'],
      }),
  },
);

const CreateKeyResponse = objectSchema('CreateKeyResponse', 'The new key.', {
  key: ApiKey,
  api_key: nullableTextField(
    'The full API key. It is returned only once, because the server stores only a hash of its secret. Null if the request is repeated.',
    200,
    'np_your.key',
  ),
});

const RevokeKeyRequest = objectSchema('RevokeKeyRequest', 'The key to revoke.', {
  key_id: field(
    'keyIdInvalid',
    matchingText(
      /^np_[A-Za-z0-9]{1,64}$/,
      'must be the id of one of your keys. It starts with np_.',
    ).meta({ maxLength: 67 }),
    'The id of one of your keys.',
    'np_KeE5H4OlWsWE2ciL',
  ),
});

export const CREATE_KEY_REFUSALS = {
  operatorScopeForbidden: forField(
    'scope',
    refusal(
      403,
      'The new key would have the scope `operator`, but the account is not an operator, or the request uses a key with another scope or a session that such a key started.',
      'Only operators can create a key with the scope operator. They need a login, or another key with that scope.',
    ),
  ),
  keyLimitReached: refusal(
    400,
    'The account reached its limit of keys (`KEYS_PER_ACCOUNT`).',
    'This account has reached its limit of {limit} keys. Revoke one first.',
    { limit: 50 },
  ),
};

export const keys = defineOwnerEndpoints('keys', AUTHENTICATED_DEFAULTS, {
  listKeys: {
    method: 'GET',
    summary: 'List the keys',
    description: 'Returns the API keys of the account, oldest first. Revoked keys are left out.',
    responses: { 200: ListKeysResponse },
    metadata: { listField: 'keys', failure: 'The keys could not be fetched.' },
  },
  createKey: {
    method: 'POST',
    summary: 'Create a key',
    description:
      'Creates an API key and returns it, this time only. Retrying with the same Idempotency-Key creates no second key and does not return the key again. With a session, this needs a login within the last 60 minutes, unless the scope is `metrics`.',
    body: CreateKeyRequest,
    responses: { 200: CreateKeyResponse },
    metadata: {
      failure: 'The key could not be created.',
      secretField: 'api_key',
      refusals: {
        expiryInPast: forField(
          'expires_at',
          refusal(400, 'The expiry is in the past.', 'expires_at must be in the future.'),
        ),
        ...CREATE_KEY_REFUSALS,
        ...RECENT_LOGIN_REFUSALS,
      },
    },
  },
  revokeKey: {
    method: 'POST',
    summary: 'Revoke a key',
    description:
      'Revokes an API key permanently, on all servers within milliseconds, and ends the sessions that it started. A key can revoke itself.',
    body: RevokeKeyRequest,
    responses: { 200: SuccessResponse },
    metadata: {
      recentLogin: true,
      failure: 'The key could not be revoked.',
      destructive: true,
      idempotent: true,
      refusals: {
        keyNotFound: notFound('key'),
      },
    },
  },
});
