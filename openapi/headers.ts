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

/** The headers of an answer, by reference: which of them depends on its status and on whether it may be a stored one. */
export function headersOf(status: number, stored: boolean): JsonObject {
  return {
    'X-Request-Id': { $ref: '#/components/headers/RequestId' },
    ...(RETRY_AFTER.has(status) && { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }),
    ...(stored && {
      'Idempotent-Replayed': { $ref: '#/components/headers/IdempotentReplayed' },
    }),
  };
}

const RETRY_AFTER = new Set([429, 500, 503]);
