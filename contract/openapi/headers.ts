import type { RouteMetadata } from '#contract/define-endpoints.ts';
import type { Refusal } from '#contract/refusal.ts';
import type { JsonObject } from './json.ts';

export const headers: JsonObject = {
  IdempotentReplayed: {
    description: 'Present if this is the stored response of an earlier request with the same key.',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
  ErrorField: {
    description:
      'The paths of up to ten invalid fields, such as `blocks.3.url`, percent-encoded and separated by commas. The message explains the first and names others. Absent if the error is not about a field.',
    schema: { type: 'string', pattern: '^[!-~]+$', minLength: 1, maxLength: 1_000 },
    example: 'blocks.3.url,bio',
  },
  IgnoredFields: {
    description:
      'The paths of up to ten fields of the body and query that had no effect, such as `boi`, `blocks.3.type` or a time that cannot be read (`blocks.2.ends_at`), percent-encoded and separated by commas.',
    schema: { type: 'string', pattern: '^[!-~]+$', minLength: 1, maxLength: 1_000 },
    example: 'boi,blocks.3.type',
  },
  RequestId: {
    description: 'Identifies the request in the server logs. Include it when you report a problem.',
    required: true,
    schema: { type: 'string', pattern: '^[!-~]+$', minLength: 1, maxLength: 255 },
    example: '0198f0c2-5d0e-7c11-9a51-8a2d1f0e7c11',
  },
  ErrorHelp: {
    description: 'Links to the explanation of the error code.',
    required: true,
    schema: { type: 'string', pattern: '^<[!-~]+#\\w+>; rel="help"$', maxLength: 1_000 },
    example: '</docs/errors#apiKeyMissing>; rel="help"',
  },
  RateLimit: {
    description:
      'The requests that the account has left (`r`), and the seconds until it has all of them again (`t`), as in draft-ietf-httpapi-ratelimit-headers. Absent if the server has no limit.',
    schema: { type: 'string', pattern: '^"account";r=[0-9]+;t=[0-9]+$', maxLength: 50 },
    example: '"account";r=599;t=60',
  },
  RateLimitPolicy: {
    description: 'The requests that an account may send (`q`) in a number of seconds (`w`).',
    schema: { type: 'string', pattern: '^"account";q=[0-9]+;w=[0-9]+$', maxLength: 50 },
    example: '"account";q=600;w=60',
  },
  RetryAfter: {
    description: 'Seconds to wait before a retry. A 500 has this header only if the time is known.',
    schema: { type: 'integer', format: 'int32', minimum: 1, maximum: 31_536_000 },
    example: 5,
  },
};

/** `isReplayable`: a retry with the same Idempotency-Key may get the stored response. */
export function headersOf(
  status: number,
  isReplayable: boolean,
  { sharedRefusals }: RouteMetadata,
  refusals: readonly (readonly [code: string, Refusal])[],
): JsonObject {
  const codes = refusals.map(([code]) => code);
  const hasField = refusals.some(
    ([code, { field }]) => field !== undefined || code === 'validationFailed',
  );
  return {
    'X-Request-Id': { $ref: '#/components/headers/RequestId' },
    ...(codes.length > 0 && {
      'X-Error-Code': errorCodeHeader(codes),
      Link: { $ref: '#/components/headers/ErrorHelp' },
    }),
    ...(hasField && { 'X-Error-Field': { $ref: '#/components/headers/ErrorField' } }),
    ...(RETRY_AFTER_STATUSES.has(status) && {
      'Retry-After': { $ref: '#/components/headers/RetryAfter' },
    }),
    ...('rateLimited' in sharedRefusals &&
      (status === 200 || status === 429) && {
        RateLimit: { $ref: '#/components/headers/RateLimit' },
        'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
      }),
    ...((status === 200 || codes.includes('validationFailed')) && {
      'X-Ignored-Fields': { $ref: '#/components/headers/IgnoredFields' },
    }),
    ...(isReplayable && {
      'Idempotent-Replayed': { $ref: '#/components/headers/IdempotentReplayed' },
    }),
  };
}

function errorCodeHeader(codes: readonly string[]): JsonObject {
  return {
    description: 'The error code. Codes never change; messages may.',
    required: true,
    schema: { type: 'string', enum: [...codes] },
    example: codes[0]!,
  };
}

const RETRY_AFTER_STATUSES = new Set([429, 500, 503]);
