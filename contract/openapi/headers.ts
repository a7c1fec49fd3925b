import type { Refusal } from '#contract/refusal.ts';
import type { Operation } from './collect-operations.ts';
import type { JsonObject } from './json.ts';

export const headers: JsonObject = {
  IdempotentReplayed: {
    description:
      'Present if this is the stored response of an earlier request with the same key, also if that is an error such as 409.',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
  ErrorCode: {
    description:
      'The error code, which `/docs/errors` and the URL in the header `Link` explain. Codes never change; new ones are added.',
    required: true,
    schema: { type: 'string' },
    example: 'validationFailed',
  },
  ErrorField: {
    description:
      'The paths of up to ten invalid fields, such as `blocks.3.url`, percent-encoded and separated by commas. Absent if the error is not about a field.',
    schema: { type: 'string' },
    example: 'blocks.3.url,bio',
  },
  IgnoredFields: {
    description:
      'The paths of up to ten fields of the body and query that had no effect, such as `boi` or a time that cannot be read (`blocks.2.ends_at`), percent-encoded and separated by commas.',
    schema: { type: 'string' },
    example: 'boi,blocks.3.type',
  },
  RequestId: {
    description: 'Identifies the request in the server logs. Include it when you report a problem.',
    required: true,
    schema: { type: 'string' },
    example: '0198f0c2-5d0e-7c11-9a51-8a2d1f0e7c11',
  },
  RateLimit: {
    description:
      'The requests that the account has left (`r`), and the seconds until it has all of them again (`t`), as in draft-ietf-httpapi-ratelimit-headers. Absent if the server has no limit.',
    schema: { type: 'string' },
    example: '"account";r=599;t=60',
  },
  RateLimitPolicy: {
    description: 'The requests that an account may send (`q`) in a number of seconds (`w`).',
    schema: { type: 'string' },
    example: '"account";q=600;w=60',
  },
  RetryAfter: {
    description:
      'Seconds to wait before a retry, which can be hours. A 500 has this header only if the time is known.',
    schema: { type: 'integer', format: 'int32', minimum: 1 },
    example: 5,
  },
};

export function headersOf(
  { route }: Operation,
  status: number,
  refusals: readonly (readonly [code: string, Refusal])[],
): JsonObject {
  const { sharedRefusals } = route.metadata;
  const isValidated = refusals.some(([code]) => code === 'validationFailed');
  const hasField = isValidated || refusals.some(([, { field }]) => field !== undefined);
  const isLimited = 'rateLimited' in sharedRefusals && (status === 200 || status === 429);
  const names: Readonly<Record<string, string | false>> = {
    'X-Request-Id': 'RequestId',
    'X-Error-Code': status !== 200 && 'ErrorCode',
    'X-Error-Field': hasField && 'ErrorField',
    'Retry-After': RETRY_AFTER_STATUSES.has(status) && 'RetryAfter',
    RateLimit: isLimited && 'RateLimit',
    'RateLimit-Policy': isLimited && 'RateLimitPolicy',
    'X-Ignored-Fields': (status === 200 || isValidated) && 'IgnoredFields',
    'Idempotent-Replayed':
      status === 200 && 'idempotency-key' in (route.headers ?? {}) && 'IdempotentReplayed',
  };
  return Object.fromEntries(
    Object.entries(names).flatMap(([header, name]) =>
      name === false ? [] : [[header, { $ref: `#/components/headers/${name}` }]],
    ),
  );
}

const RETRY_AFTER_STATUSES = new Set([429, 500, 503]);
