import type { Refusal } from '#contract/refusal.ts';
import type { JsonObject } from './json.ts';

/** The response headers that a client may want to read. */
export const headers: JsonObject = {
  IdempotentReplayed: {
    description: 'Sent when this is the stored answer to an earlier request with the same key.',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
  ErrorField: {
    description:
      'The path of the field that the error is about, such as `blocks.3.url`, percent-encoded. Absent if it is about none.',
    schema: { type: 'string', pattern: '^[!-~]+$', minLength: 1, maxLength: 1_000 },
    example: 'blocks.3.url',
  },
  RequestId: {
    description:
      'Identifies the request in the logs of the server. Quote it when you report a problem.',
    required: true,
    schema: { type: 'string', pattern: '^[!-~]+$', minLength: 1, maxLength: 255 },
    example: '0198f0c2-5d0e-7c11-9a51-8a2d1f0e7c11',
  },
  RetryAfter: {
    description:
      'After how many seconds a repeat may succeed. On a 500 it is sent only where it is known.',
    schema: { type: 'integer', format: 'int32', minimum: 1, maximum: 31_536_000 },
    example: 5,
  },
};

/** The headers of an answer, which depend on its status, on whether it may be a stored one and on the refusals that it may be. */
export function headersOf(
  status: number,
  stored: boolean,
  refusals: readonly (readonly [code: string, Refusal])[],
): JsonObject {
  const codes = refusals.map(([code]) => code);
  const hasField = refusals.some(
    ([code, { field }]) => field !== undefined || FINDS_FIELD.has(code),
  );
  return {
    'X-Request-Id': { $ref: '#/components/headers/RequestId' },
    ...(codes.length > 0 && { 'X-Error-Code': errorCode(codes) }),
    ...(hasField && { 'X-Error-Field': { $ref: '#/components/headers/ErrorField' } }),
    ...(RETRY_AFTER.has(status) && { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }),
    ...(stored && {
      'Idempotent-Replayed': { $ref: '#/components/headers/IdempotentReplayed' },
    }),
  };
}

function errorCode(codes: readonly string[]): JsonObject {
  return {
    description: 'The name of the error. Sentences may change, names never do.',
    required: true,
    schema: { type: 'string', enum: [...codes] },
    example: codes[0]!,
  };
}

/** Errors about whichever field the request breaks a rule with. */
const FINDS_FIELD = new Set(['integerInexact', 'validationFailed']);

const RETRY_AFTER = new Set([429, 500, 503]);
