import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LIMITS } from '../../contract/limits.ts';
import { EVERY_REQUEST } from '../../contract/request-refusals.ts';
import { refuserOf } from '../service/refusal.ts';
import { callerOf } from './caller.ts';

/** Of bodies and answers; in memory they take some six times as much. */
const ALL_BYTES = 33_554_432;
/** What a request costs without its body, about. */
const REQUEST_BYTES = 4_096;

const refuse = refuserOf(EVERY_REQUEST);

/** Bytes that are held for accounts: one may hold as many as it leaves to all others. */
class BytesUnderWay {
  readonly #accounts = new Map<string, number>();
  #all = 0;

  /** False if there is no room for them. */
  take(account: string, bytes: number): boolean {
    const held = (this.#accounts.get(account) ?? 0) + bytes;
    if (held > ALL_BYTES - this.#all - bytes) return false;
    this.#accounts.set(account, held);
    this.#all += bytes;
    return true;
  }

  giveBack(account: string, bytes: number): void {
    const held = (this.#accounts.get(account) ?? 0) - bytes;
    this.#all -= bytes;
    if (held > 0) this.#accounts.set(account, held);
    else this.#accounts.delete(account);
  }
}

/**
 * Bounds the bytes that requests have under way, from before a body is read until the last of the
 * answer is sent. What there is no room for is refused: a body before it is read, the answer to a
 * read in place of the answer.
 */
export function boundBytes(api: FastifyInstance): void {
  const bytes = new BytesUnderWay();
  api.addHook('onRequest', (request, reply, done) => {
    const { accountId } = callerOf(request);
    const own = REQUEST_BYTES + bodyBytes(request);
    if (!bytes.take(accountId, own)) return done(overloaded());
    request.bytesUnderWay = own;
    reply.raw.once('close', () => bytes.giveBack(accountId, request.bytesUnderWay));
    done();
  });
  api.addHook('onSend', (request, reply, payload, done) => {
    const { caller } = request;
    if (!caller || request.bytesUnderWay === 0 || typeof payload !== 'string')
      return done(null, payload);
    if (bytes.take(caller.accountId, payload.length)) request.bytesUnderWay += payload.length;
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
