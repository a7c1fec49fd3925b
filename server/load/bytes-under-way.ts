import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LIMITS } from '../../contract/limits.ts';
import { FairShare } from './fair-share.ts';
import { OverloadedError } from './overloaded-error.ts';

/** Bytes of bodies and answers; in memory they take some six times as much. */
const ALL_BYTES = 33_554_432;
/** Approximate size of a request without its body. */
const REQUEST_BYTES = 4_096;

/**
 * Bounds the bytes that requests have under way, from before a body is read until the last of the
 * answer is sent. A body is refused before it is read, and the answer to a read is replaced by a
 * refusal. `holderOf` says whose share they come from; `watch` gets a function that reads the sum.
 */
export function boundBytes(
  scope: FastifyInstance,
  holderOf: (request: FastifyRequest) => string,
  watch?: (read: () => number) => void,
): void {
  const bytes = new FairShare(ALL_BYTES);
  watch?.(() => bytes.taken);
  scope.addHook('onRequest', (request, reply, done) => {
    const holder = holderOf(request);
    const own = REQUEST_BYTES + bodyBytes(request);
    if (!bytes.take(holder, own)) return done(new OverloadedError('bytes'));
    request.bytesUnderWay = own;
    reply.raw.once('close', () => bytes.giveBack(holder, request.bytesUnderWay));
    done();
  });
  scope.addHook('onSend', (request, reply, payload, done) => {
    if (request.bytesUnderWay === 0 || typeof payload !== 'string') return done(null, payload);
    if (bytes.take(holderOf(request), payload.length)) request.bytesUnderWay += payload.length;
    // Writes are answered in any case: their effect cannot be taken back.
    else if (request.method === 'GET' && reply.statusCode === 200)
      return done(new OverloadedError('bytes'));
    done(null, payload);
  });
}

function bodyBytes({ headers }: FastifyRequest): number {
  if (headers['transfer-encoding'] !== undefined) return LIMITS.bodyBytes;
  // A longer one is refused unread.
  return Math.min(Number(headers['content-length'] ?? 0), LIMITS.bodyBytes);
}
