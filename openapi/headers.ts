import type { JsonObject } from './json.ts';

/** The response headers that a client may want to read. */
export const headers: JsonObject = {
  IdempotentReplayed: {
    description: 'Sent when this is the stored answer to an earlier request with the same key.',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
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
export function headersOf(status: number, stored: boolean, codes: readonly string[]): JsonObject {
  return {
    'X-Request-Id': { $ref: '#/components/headers/RequestId' },
    ...(codes.length > 0 && { 'X-Error-Code': errorCode(codes) }),
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

const RETRY_AFTER = new Set([429, 500, 503]);
