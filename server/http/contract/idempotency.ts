import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import {
  claimIdempotencyKey,
  deleteIdempotencyKey,
  type IdempotencyKey,
  interruptIdempotencyKey,
  type StoredAnswer,
} from '../../../db/queries/idempotency-keys.ts';
import { EXTERNAL_WRITE } from '../../../contract/request-refusals.ts';
import type { DatabaseQueues } from '../../load/database-queues.ts';
import type { Database } from '../../../db/schema.ts';
import { isAboutValues, isHeldUp, isLockTimeout } from '../../../db/sql-state.ts';
import { inSavepoint, inTransaction } from '../../../db/connections/transaction.ts';
import type { Route } from '../../../contract/area.ts';
import { findRoute, type Runner } from './adapter.ts';
import type { StoredVolumes } from '../../service/allowances/stored-volumes.ts';
import { RefusalError, refuserOf } from '../../service/refusal.ts';
import { callerOf } from '../access/caller.ts';
import { toRefusal } from '../answers/error-answer.ts';
import {
  type KeyedWrite,
  type Outcome,
  passes,
  InFlightWrites,
  toAnswer,
} from './in-flight-writes.ts';
import { countAnswer, demandRoom, hasRoom, store } from './stored-answers.ts';

const refuse = refuserOf(EXTERNAL_WRITE);

const POLL_MS = 50;
/** Longer than any request of ours can take: after that, the first one died. */
const FIRST_DEAD_AFTER_MS = 30_000;
const WAIT_MS = 15_000;

/** Runs handlers; a write with an `Idempotency-Key` is done once and its answer repeated for 24 hours. */
export function runOnce(all: {
  db: Kysely<Database>;
  reads: Kysely<Database>;
  queues: DatabaseQueues;
  volumes: StoredVolumes;
}): Runner {
  const inFlight = new InFlightWrites();
  return (request, reply, handler) => {
    const caller = callerOf(request);
    const { accountId } = caller;
    const handle = (executor: Kysely<Database>, claim?: IdempotencyKey) =>
      handler({ ...caller, db: executor, ...(claim && { key: claim }) });
    if (!takesKey(findRoute(request))) return handle(all.queues.reads.of(accountId, all.reads));
    const db = all.queues.writes.of(accountId, all.db);
    const header = request.headers['idempotency-key'];
    if (typeof header !== 'string') return handle(db);
    const key = {
      accountId,
      method: request.method,
      path: request.routeOptions.url ?? '',
      key: header,
      bodyHash: hash('sha256', JSON.stringify(request.body ?? null), 'buffer'),
    };
    const { once, external, storesAnswer } = findRoute(request)?.metadata ?? {};
    const write = { db, volumes: all.volumes, key, request, reply, once, handle };
    const answer = external ? answerExternal : storesAnswer ? answerInGroup : answerInTransaction;
    return inFlight.answer(write, () => answer(write));
  };
}

/** The handler stores its answer itself; a transaction decides what is not a success at once. */
async function answerInGroup(write: KeyedWrite): Promise<Outcome> {
  if (!hasRoom(write)) return answerInTransaction(write);
  try {
    const answer = await write.handle(write.db, write.key);
    countAnswer(write, answer.body);
    return { answer };
  } catch (error) {
    const isUndecided = error instanceof RefusalError || isHeldUp(error) || isAboutValues(error);
    if (isUndecided) return answerInTransaction(write);
    throw error;
  }
}

/** Whether a request changes something; all others only read. */
export function takesKey(route: Route | undefined): boolean {
  return Object.hasOwn(route?.headers ?? {}, 'idempotency-key');
}

/** The first request with a key still ran when the time limit of a lock was over. */
class FirstStillRunsError extends Error {
  override readonly name = 'FirstStillRunsError';
}

/** The answer is stored in the transaction of the effect; a parallel repeat waits for it on the key's row. */
async function answerInTransaction(write: KeyedWrite): Promise<Outcome> {
  const giveUpAt = performance.now() + WAIT_MS;
  for (;;)
    try {
      return await answerFirst(write);
    } catch (error) {
      if (!(error instanceof FirstStillRunsError)) throw error;
      if (performance.now() > giveUpAt) throw error.cause;
    }
}

async function answerFirst(write: KeyedWrite): Promise<Outcome> {
  const { db, key, request, handle } = write;
  return inTransaction(db, async (trx) => {
    const stored = await claimIdempotencyKey(trx, key).catch((error: unknown) => {
      if (!isLockTimeout(error)) throw error;
      throw new FirstStillRunsError('the first request still runs', { cause: error });
    });
    if (stored) return { stored };
    demandRoom(write);
    let answer;
    try {
      answer = await inSavepoint(trx, () => handle(trx));
    } catch (error) {
      const refusal = toRefusal(error, request);
      if (passes(refusal)) throw error;
      request.refused = { reason: refusal.code };
      answer = toAnswer(refusal);
    }
    // With the commit, which fails if it does.
    store(trx, write, answer).catch(() => {});
    return { answer };
  });
}

/**
 * The effect is outside: the key is claimed before and the answer stored after it. If the first
 * request died in between, nobody knows what came of it, and a repeat says so.
 */
async function answerExternal(write: KeyedWrite): Promise<Outcome> {
  const { db, key, request, handle } = write;
  const stored = await waitForAnswer(db, key);
  if (stored) return { stored };
  try {
    demandRoom(write);
    const answer = await handle(db);
    await store(db, write, answer).catch((error: unknown) => {
      request.log.error(
        { err: error },
        'the answer of a message that was sent could not be stored',
      );
    });
    return { answer };
  } catch (error) {
    await settle(write, toRefusal(error, request)).catch((failure: unknown) => {
      request.log.error({ err: failure }, 'what became of a message could not be stored');
    });
    throw error;
  }
}

/** Stores what a repeat of a write without success gets. */
async function settle(write: KeyedWrite, refusal: RefusalError): Promise<void> {
  const { db, key } = write;
  if (!passes(refusal)) await store(db, write, toAnswer(refusal));
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
      throw refuse('requestInterrupted', { outcomeUnknown: true });
    await sleep(POLL_MS);
  }
}
