import { z } from 'zod';
import { LIMITS } from '#contract/shared/limits.ts';
import { defineOwnerEndpoints } from '../define-endpoints.ts';
import { AUTHENTICATED_DEFAULTS } from '../endpoint-defaults.ts';
import { PROJECT_ID, EXAMPLE_TIME } from '../examples.ts';
import {
  field,
  booleanField,
  booleanParam,
  countField,
  idField,
  keyId,
  nullableTextField,
  objectSchema,
  resultSchema,
  textField,
  timeField,
  timeParam,
} from '../fields.ts';
import { queryBoolean } from '../query-values.ts';
import { RECENT_LOGIN_REFUSALS } from '../recent-login.ts';
import { forField, refusal, notFound } from '../refusal.ts';
import { SuccessResponse } from '../result-fields.ts';
import { SCOPES } from '../scope.ts';
import { limitedText, oneLine, matchingText } from '../text.ts';
import { uuid } from '../uuid.ts';
import { listQuery, next } from './listing.ts';

const KeyLabel = oneLine(LIMITS.keyLabel);

const scope = z.enum(SCOPES, 'must be all, read, page, metrics or operator.').meta({
  description:
    'The scope of the key. `all`: everything except operator endpoints. `read`: all endpoints that only read, except the export of all data. `page`: only read and change the page. `metrics`: only submit metrics. `operator`: like `all`, plus operator endpoints as long as the account is an operator.',
  examples: ['metrics'],
});

const ApiKey = objectSchema('ApiKey', 'An API key without its secret.', {
  id: keyId.meta({
    description: 'The id of the key: the part before the dot. It is not a secret.',
  }),
  label: nullableTextField('The label of the key, or null.', LIMITS.keyLabel, 'status page'),
  scope,
  project_id: idField(
    'The only project that the key may send metrics to. Null: all of them.',
    PROJECT_ID,
  ).nullable(),
  created_at: timeField('When the key was created', EXAMPLE_TIME),
  last_used_at: timeField(
    'When the key was last used, to the minute; null if never',
    '2026-02-01T10:12:00.000Z',
  ).nullable(),
  expires_at: timeField(
    'When the key expires; null if it does not',
    '2036-01-31T00:00:00.000Z',
  ).nullable(),
  current: booleanField(
    'Whether this request uses the key, or a session that the key started.',
    false,
  ),
});

const ownKeyId = matchingText(
  /^np_[A-Za-z0-9]{1,64}$/,
  'must be the id of one of your keys. It starts with np_.',
).meta({ maxLength: 67 });

/** A connected app has the id of its grant. */
const callerId = matchingText(
  /^(?:np_[A-Za-z0-9]{1,64}|[0-9a-f-]{36})$/,
  'must be the id of one of your keys, which starts with np_, or of a connected app.',
).meta({ maxLength: 67 });

const KeyRequest = objectSchema('KeyRequest', 'A request that was made with a key.', {
  id: idField('The id of the entry.', '5b1f4c0e-6a7d-4e2b-9c3f-8d2a1b0c4e5f'),
  created_at: timeField('When the response was sent', '2026-01-31T09:30:00.123Z'),
  key_id: textField(
    'The id of the key, or that of the grant of a connected app.',
    67,
    'np_KeE5H4OlWsWE2ciL',
  ),
  key_label: nullableTextField(
    'The label of the key, or the name of the app. Null if it has none or was deleted.',
    LIMITS.keyLabel,
    'status page',
  ),
  operation: textField('The operation.', 100, 'stats.ingestMetrics'),
  status: countField('The HTTP status of the response.', 403),
  error_code: nullableTextField('The error code, or null.', 100, 'projectForbidden'),
  error: nullableTextField(
    'The `error` of the response, or null.',
    LIMITS.keyRequestMessage,
    'The project does not belong to you.',
  ),
  explanation: nullableTextField(
    'What the error code means for this operation, or null.',
    LIMITS.message,
    'The project does not exist or belongs to another account.',
  ),
  field: nullableTextField(
    'The fields at fault, separated by commas, or null.',
    LIMITS.message,
    'projectId',
  ),
  duration_ms: countField('How long the request took.', 4),
  left_out: countField('How many requests at about the same time are not listed.', 0),
  x_request_id: textField('The `X-Request-Id` of the response.', 128, 'e19b55f0-4c1d-4b7a-9a51'),
  user_agent: nullableTextField(
    `The header \`User-Agent\`, at most ${LIMITS.userAgent} characters, or null. With MCP, it begins with \`MCP\`.`,
    LIMITS.userAgent,
    'curl/8.5.0',
  ),
});

/** A code or id, which is ASCII. */
const asciiText = limitedText(200).regex(/^[ -~]*$/, 'must be letters, digits and punctuation.');

const KeyRequestCounts = objectSchema(
  'KeyRequestCounts',
  'The number of listed requests that match all filters but `failed`, and of those left out.',
  {
    all: countField('Matching requests.', 312),
    failed: countField('Matching requests that failed.', 62),
    left_out: countField(
      'How many requests of all keys are not listed, with any filter. If it is not 0, the request that you look for can be one of them.',
      0,
    ),
  },
);

export const CREATE_KEY_REFUSALS = {
  operatorScopeForbidden: forField(
    'scope',
    refusal(
      403,
      'The new key would have the scope `operator`, but the account is not an operator, or the request uses a key with another scope or a session that such a key started.',
      'Only operators can create a key with the scope operator. They need a login, or another key with that scope.',
    ),
  ),
  projectNotFound: notFound('project'),
  projectScopeInvalid: forField(
    'project_id',
    refusal(
      400,
      'There is a project, but the scope is not `metrics`.',
      'Only a key with the scope metrics can be for one project.',
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
    response: resultSchema('The API keys of the account.', {
      keys: z.array(ApiKey).meta({ description: 'The keys, oldest first.' }),
    }),
    listField: 'keys',
    failure: 'The keys could not be fetched.',
  },
  listRequests: {
    method: 'GET',
    summary: 'List the latest requests with a key',
    description: `Returns the last ${LIMITS.keyRequests / 2} failed and the last ${LIMITS.keyRequests / 2} other requests that keys of the account made within seven days, newest first, in batches. If an account sends more than ${LIMITS.keyRequestsPerSecond} requests a second, or all accounts more than ${LIMITS.allKeyRequestsPerSecond}, some are left out (\`left_out\`), and requests with an unknown key, to an unknown path or with another method always.`,
    query: {
      ...listQuery('must be the id of one of your requests.'),
      failed: field(
        'failedInvalid',
        queryBoolean(booleanParam()).optional(),
        'Whether to return only requests that failed, or only those that did not. Default: all.',
        true,
      ),
      key_id: field(
        'keyIdInvalid',
        callerId.optional(),
        'Return only requests with this key, or of the connected app with this grant. Default: all.',
        'np_KeE5H4OlWsWE2ciL',
      ),
      error_code: field(
        'errorCodeInvalid',
        asciiText.optional(),
        'Return only requests with this error code. Default: all.',
        'projectForbidden',
      ),
      x_request_id: field(
        'requestIdInvalid',
        asciiText.optional(),
        'Return only the request with this `X-Request-Id`. Default: all.',
        'e19b55f0-4c1d-4b7a-9a51',
      ),
    },
    response: resultSchema('A batch of requests.', {
      requests: z
        .array(KeyRequest)
        .meta({ description: 'The requests, newest first.', maxItems: LIMITS.listEntries }),
      counts: KeyRequestCounts,
      next,
    }),
    listField: 'requests',
    untrustedFields: 'all',
    failure: 'The requests could not be fetched.',
    refusals: {
      errorCodeUnknown: forField(
        'error_code',
        refusal(
          400,
          'There is no such error code, and no listed request has it.',
          'There is no error code {code}.{suggestion}',
          { code: 'toManyBuckets', suggestion: ' Did you mean tooManyBuckets?' },
        ),
      ),
    },
  },
  createKey: {
    method: 'POST',
    summary: 'Create a key',
    description:
      'Creates an API key and returns it, this time only: a retry with the same Idempotency-Key does not return it again. With the scope `metrics` and a `project_id`, it can only send metrics of that project, and is deleted with it. A session needs a login within the last 60 minutes, unless the scope is `metrics`.',
    body: {
      label: KeyLabel.nullish().meta({
        description: 'The label of the key, such as its purpose.',
        examples: ['status page'],
      }),
      scope: scope.default('all'),
      project_id: field(
        'projectIdInvalid',
        uuid('must be the id of one of your projects.').nullish(),
        'The only project that the key may send metrics to, with the scope `metrics`. The key is deleted with the project. Default: all projects.',
        PROJECT_ID,
      ),
      expires_at: timeParam()
        .nullish()
        .meta({
          description:
            'When the key expires (ISO 8601, with a time and Z or an offset). Default: never.',
          examples: ['2036-01-31T00:00:00.000Z'],
        }),
    },
    response: resultSchema('The new key.', {
      key: ApiKey,
      api_key: nullableTextField(
        'The full API key. It is returned only once, because the server stores only a hash of its secret. Null if the request is repeated.',
        200,
        'np_your.key',
      ),
    }),
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
  revokeKey: {
    method: 'POST',
    summary: 'Revoke a key',
    description:
      'Revokes an API key permanently, on all servers within milliseconds, and ends the sessions that it started. A key with the scope `all` can revoke itself.',
    body: {
      key_id: field('keyIdInvalid', ownKeyId, 'The id of one of your keys.', 'np_KeE5H4OlWsWE2ciL'),
    },
    response: SuccessResponse,
    recentLogin: true,
    failure: 'The key could not be revoked.',
    destructive: true,
    idempotent: true,
    refusals: {
      keyNotFound: notFound('key'),
    },
  },
});
