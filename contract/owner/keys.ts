import { z } from 'zod';
import { defineEndpoints } from '../define-endpoints.ts';
import { RECENT_LOGIN_REFUSALS } from '../recent-login.ts';
import { LIMITS } from '../limits.ts';
import { success } from '../result-fields.ts';
import { forField, invalidField, refusal } from '../refusal.ts';
import { SCOPES } from '../scope.ts';
import { AUTHENTICATED_DEFAULTS } from '../endpoint-defaults.ts';
import { oneLine } from '../text.ts';
import { keyId, timeField } from '../fields.ts';

const LABEL = 'A label is one line of 1 to 200 characters.';

/** Purpose of a key, in its owner's words. */
export const KeyLabel = oneLine(LIMITS.keyLabel, LABEL);

const scope = z.enum(SCOPES, 'scope must be all, read, metrics or operator.').meta({
  description:
    'Scope of the key. `all`: everything except the endpoints of operators. `read`: everything that only reads, except the export of all data. `metrics`: submit metrics and nothing else. `operator`: like `all`, and the endpoints of operators as long as the account is an operator.',
  examples: ['metrics'],
});

const ApiKey = z
  .object({
    key_id: keyId.meta({ description: 'The half of the key before the dot, which is no secret.' }),
    label: z
      .string()
      .nullable()
      .meta({
        description: 'The purpose of the key, or null.',
        maxLength: LIMITS.keyLabel,
        examples: ['status page'],
      }),
    scope,
    created_at: timeField('When it was created', '2026-01-31T09:30:00.000Z'),
    last_used_at: timeField(
      'When it was last used, to the minute; null if it never was',
      '2026-02-01T10:12:00.000Z',
    ).nullable(),
    expires_at: timeField(
      'When it stops working by itself; null if it does not',
      '2027-01-31T00:00:00.000Z',
    ).nullable(),
    current: z.boolean().meta({
      description: 'Whether this request came with it, or with a session that it began.',
      examples: [false],
    }),
  })
  .meta({ id: 'ApiKey', description: 'An API key without its secret.' });

const ApiKeysResponse = z
  .object({ keys: z.array(ApiKey).meta({ description: 'The keys, oldest first.' }) })
  .meta({ id: 'ApiKeysResponse', description: 'The API keys of the account.' });

const CreateKeyRequest = z
  .object({
    label: KeyLabel.nullish().meta({
      description: 'The purpose of the key.',
      examples: ['status page'],
    }),
    scope: scope.default('all'),
    expiresAt: z.iso
      .datetime('expiresAt must be a time in ISO 8601, in UTC, or null.')
      .nullish()
      .meta({
        description: 'When it expires (ISO 8601, UTC). Default: never.',
        maxLength: 30,
        examples: ['2027-01-31T00:00:00.000Z'],
      }),
  })
  .meta({ id: 'CreateKeyRequest', description: 'The purpose and permissions of a new key.' });

const CreateKeyResponse = z
  .object({
    key: ApiKey,
    api_key: z
      .string()
      .nullable()
      .meta({
        description:
          'The whole key. It is shown only now, because only a hash of its secret is stored. Null in the answer to a repeat.',
        maxLength: 200,
        examples: ['np_your.key'],
      }),
  })
  .meta({ id: 'CreateKeyResponse', description: 'The new key.' });

const KEY_ID_REQUIRED = 'The id of the key is required; it begins with np_.';

const RevokeKeyRequest = z
  .object({
    keyId: z
      .string(KEY_ID_REQUIRED)
      .regex(/^np_[A-Za-z0-9]{1,64}$/, KEY_ID_REQUIRED)
      .meta({
        description: 'The id of one of your keys.',
        maxLength: 67,
        examples: ['np_KeE5H4OlWsWE2ciL'],
      }),
  })
  .meta({ id: 'RevokeKeyRequest', description: 'The key to revoke.' });

const RevokeKeyResponse = z
  .object({ success })
  .meta({ id: 'RevokeKeyResponse', description: 'The key is refused from now on.' });

/** Why another key is not made. */
export const CREATE_KEY_REFUSALS = {
  operatorScopeForbidden: forField(
    'scope',
    refusal(
      403,
      'The key would have the scope `operator`, but the account is not an operator, or the request has a key of another scope or a session that such a key began.',
      'Only operators can create a key with the scope operator, with a login or another such key.',
    ),
  ),
  keyLimitReached: refusal(
    400,
    'The account reached its limit of keys (`KEYS_PER_ACCOUNT`).',
    'This account has reached its limit of {limit} keys. Revoke one first.',
    { limit: 50 },
  ),
};

/** The API keys of the account. */
export const keys = defineEndpoints(AUTHENTICATED_DEFAULTS, {
  listKeys: {
    method: 'GET',
    path: '/owner/keys/list-keys',
    summary: 'List the keys',
    description: 'Returns the API keys of the account that are not revoked, oldest first.',
    responses: { 200: ApiKeysResponse },
    metadata: { list: 'keys', failure: 'The keys could not be fetched.' },
  },
  createKey: {
    method: 'POST',
    path: '/owner/keys/create-key',
    summary: 'Create a key',
    description:
      'Creates an API key, which is shown only in this answer. A repeat with the same Idempotency-Key creates no second one and does not show it again. With a session, it needs a login within the last 60 minutes, unless the scope is `metrics`.',
    body: CreateKeyRequest,
    responses: { 200: CreateKeyResponse },
    metadata: {
      failure: 'The key could not be created.',
      once: 'api_key',
      refusals: {
        expiryInPast: forField(
          'expiresAt',
          refusal(400, 'The expiry is in the past.', 'expiresAt must be in the future.'),
        ),
        ...CREATE_KEY_REFUSALS,
        ...RECENT_LOGIN_REFUSALS,
      },
    },
  },
  revokeKey: {
    method: 'POST',
    path: '/owner/keys/revoke-key',
    summary: 'Revoke a key',
    description:
      'Revokes an API key permanently, on all servers within milliseconds, and ends the sessions that it began. A key can revoke itself.',
    body: RevokeKeyRequest,
    responses: { 200: RevokeKeyResponse },
    metadata: {
      failure: 'The key could not be revoked.',
      destructive: true,
      idempotent: true,
      refusals: {
        keyIdInvalid: invalidField('keyId', 'No key was named.', KEY_ID_REQUIRED),
        keyNotFound: forField(
          'keyId',
          refusal(404, 'The account has no key with this id.', 'You have no such key.'),
        ),
        ...RECENT_LOGIN_REFUSALS,
      },
    },
  },
});
