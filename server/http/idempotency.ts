import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import {
  claimIdempotencyKey,
  deleteIdempotencyKey,
  type IdempotencyKey,
  interruptIdempotencyKey,
  type StoredAnswer,
  storeAnswer,
} from '../../db/queries/idempotency-keys.ts';
import { EVERY_WRITE, EXTERNAL_WRITE } from '../../contract/request-refusals.ts';
import type { Database } from '../../db/schema.ts';
import { isLockTimeout } from '../../db/sql-state.ts';
import { inSavepoint, inTransaction } from '../../db/transaction.ts';
import { type Answer, findRoute, type Runner } from './adapter.ts';
import { type RefusalError, refuserOf } from '../service/refusal.ts';
import { callerOf } from './caller.ts';
import { toRefusal } from './error-answer.ts';

const refuse = refuserOf({ ...EVERY_WRITE, ...EXTERNAL_WRITE });

const POLL_MS = 50;
/** Longer than any request of ours can take: after that, the first one died. */
const FIRST_DEAD_AFTER_MS = 30_000;
const WAIT_MS = 15_000;

/** Runs handlers; a write with an `Idempotency-Key` is done once and its answer repeated for 24 hours. */
export function runOnce({ db, reads }: { db: Kysely<Database>; reads: Kysely<Database> }): Runner {
  return (request, reply, handleFor) => {
    const { accountId } = callerOf(request);
    const handle = (executor: Kysely<Database>) => handleFor({ accountId, db: executor });
    if (request.method === 'GET' || request.method === 'HEAD') return handle(reads);
    const header = request.headers['idempotency-key'];
    if (typeof header !== 'string') return handle(db);
    const key = {
      accountId,
      method: request.method,
      path: request.routeOptions.url ?? '',
      key: header,
      bodyHash: hash('sha256', JSON.stringify(request.body ?? null), 'buffer'),
    };
    const write = { db, key, request, reply, handle };
    return findRoute(request)?.metadata.external
      ? answerExternal(write)
      : answerInTransaction(write);
  };
}

/** A write that came with a key. */
interface KeyedWrite {
  db: Kysely<Database>;
  key: IdempotencyKey;
  request: FastifyRequest;
  reply: FastifyReply;
  handle: (db: Kysely<Database>) => Promise<Answer>;
}

/** The first request with a key still ran when the time limit of a lock was over. */
class FirstStillRunsError extends Error {
  override readonly name = 'FirstStillRunsError';
}

/** The answer is stored in the transaction of the effect; a parallel repeat waits for it on the key's row. */
async function answerInTransaction(write: KeyedWrite): Promise<Answer> {
  const giveUpAt = performance.now() + WAIT_MS;
  for (;;)
    try {
      return await answerFirst(write);
    } catch (error) {
      if (!(error instanceof FirstStillRunsError)) throw error;
      if (performance.now() > giveUpAt) throw error.cause;
    }
}

async function answerFirst({ db, key, request, reply, handle }: KeyedWrite): Promise<Answer> {
  return inTransaction(db, async (trx) => {
    const stored = await claimIdempotencyKey(trx, key).catch((error: unknown) => {
      if (!isLockTimeout(error)) throw error;
      throw new FirstStillRunsError('the first request still runs', { cause: error });
    });
    if (stored) return replay(stored, key, reply);
    let answer: Answer;
    try {
      answer = await inSavepoint(trx, () => handle(trx));
    } catch (error) {
      const refusal = toRefusal(error, request);
      if (passes(refusal)) throw error;
      request.refused = { reason: refusal.code };
      answer = toAnswer(refusal);
    }
    await storeAnswer(trx, key, answer);
    return answer;
  });
}

/**
 * The effect is outside: the key is claimed before and the answer stored after it. If the first
 * request died in between, nobody knows what came of it, and a repeat says so.
 */
async function answerExternal({ db, key, request, reply, handle }: KeyedWrite): Promise<Answer> {
  const stored = await waitForAnswer(db, key);
  if (stored) return replay(stored, key, reply);
  try {
    const answer = await handle(db);
    await storeAnswer(db, key, answer).catch((error: unknown) => {
      request.log.error(
        { err: error },
        'the answer of a message that was sent could not be stored',
      );
    });
    return answer;
  } catch (error) {
    await settle(db, key, toRefusal(error, request)).catch((failure: unknown) => {
      request.log.error({ err: failure }, 'what became of a message could not be stored');
    });
    throw error;
  }
}

/** Stores what a repeat of a write without success gets. */
async function settle(
  db: Kysely<Database>,
  key: IdempotencyKey,
  refusal: RefusalError,
): Promise<void> {
  if (!passes(refusal)) await storeAnswer(db, key, toAnswer(refusal));
  else if (refusal.outcomeUnknown) await interruptIdempotencyKey(db, key);
  else await deleteIdempotencyKey(db, key);
}

async function waitForAnswer(
  db: Kysely<Database>,
  key: IdempotencyKey,
): Promise<StoredAnswer | undefined> {
  for (let waited = 0; ; waited += POLL_MS) {
    const stored = await claimIdempotencyKey(db, key);
    if (!stored || stored.status !== null || !stored.body_hash.equals(key.bodyHash)) return stored;
    if (stored.age_ms > FIRST_DEAD_AFTER_MS || waited >= WAIT_MS)
      throw refuse('interrupted', { outcomeUnknown: true });
    await sleep(POLL_MS);
  }
}

function replay(stored: StoredAnswer, key: IdempotencyKey, reply: FastifyReply): Answer {
  if (!stored.body_hash.equals(key.bodyHash)) throw refuse('idempotencyKeyReused');
  void reply.header('idempotent-replayed', 'true');
  const status = stored.status ?? 500;
  if (status >= 400) reply.request.refused = { reason: 'replayed' };
  return { status, body: stored.answer };
}

/** Whether a repeat may get another answer: of what failed, and of what was too much for now. */
function passes({ status }: RefusalError): boolean {
  return status >= 500 || status === 429;
}

function toAnswer(refusal: RefusalError): Answer {
  return { status: refusal.status, body: { error: refusal.message } };
}
