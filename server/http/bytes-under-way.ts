import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LIMITS } from '../../contract/limits.ts';
import { EVERY_REQUEST } from '../../contract/request-refusals.ts';
import { refuserOf } from '../service/refusal.ts';
import type { Instruments } from './instruments.ts';

/** Of bodies and answers; in memory they take some six times as much. */
const ALL_BYTES = 33_554_432;
/** What a request costs without its body, about. */
const REQUEST_BYTES = 4_096;

const refuse = refuserOf(EVERY_REQUEST);

/** Bytes that are held for accounts, or for addresses: one may hold as many as it leaves to all others. */
class BytesUnderWay {
  readonly #holders = new Map<string, number>();
  #all = 0;

  get all(): number {
    return this.#all;
  }

  /** False if there is no room for them. */
  take(holder: string, bytes: number): boolean {
    const held = (this.#holders.get(holder) ?? 0) + bytes;
    if (held > ALL_BYTES - this.#all - bytes) return false;
    this.#holders.set(holder, held);
    this.#all += bytes;
    return true;
  }

  giveBack(holder: string, bytes: number): void {
    const held = (this.#holders.get(holder) ?? 0) - bytes;
    this.#all -= bytes;
    if (held > 0) this.#holders.set(holder, held);
    else this.#holders.delete(holder);
  }
}

/**
 * Bounds the bytes that requests have under way, from before a body is read until the last of the
 * answer is sent. What there is no room for is refused: a body before it is read, the answer to a
 * read in place of the answer. `holderOf` says for whom they are held.
 */
export function boundBytes(
  api: FastifyInstance,
  holderOf: (request: FastifyRequest) => string,
  instruments?: Instruments,
): void {
  const bytes = new BytesUnderWay();
  instruments?.watchBytes(() => bytes.all);
  api.addHook('onRequest', (request, reply, done) => {
    const holder = holderOf(request);
    const own = REQUEST_BYTES + bodyBytes(request);
    if (!bytes.take(holder, own)) return done(overloaded());
    request.bytesUnderWay = own;
    reply.raw.once('close', () => bytes.giveBack(holder, request.bytesUnderWay));
    done();
  });
  api.addHook('onSend', (request, reply, payload, done) => {
    if (request.bytesUnderWay === 0 || typeof payload !== 'string') return done(null, payload);
    if (bytes.take(holderOf(request), payload.length)) request.bytesUnderWay += payload.length;
    // What a write did cannot be taken back.
    else if (request.method === 'GET' && reply.statusCode === 200) return done(overloaded());
    done(null, payload);
  });
}

function bodyBytes({ headers }: FastifyRequest): number {
  if (headers['transfer-encoding'] !== undefined) return LIMITS.bodyBytes;
  // A longer one is refused unread.
  return Math.min(Number(headers['content-length'] ?? 0), LIMITS.bodyBytes);
}

function overloaded() {
  return refuse('overloaded', { headers: { 'retry-after': '1' } });
}
