import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import type { RouteMetadata } from '#contract/define-endpoints.ts';
import { EXTERNAL_WRITE_REFUSALS, WRITE_REFUSALS } from '#contract/request-refusals.ts';
import type { Database, Executor, Transaction } from '#db/connections/handles.ts';
import { inSavepoint, inTransaction } from '#db/connections/transaction.ts';
import {
  claimIdempotencyKey,
  deleteIdempotencyKey,
  type IdempotencyKey,
  settleIdempotencyKey,
} from '#db/queries/idempotency-keys.ts';
import { isForeignKeyViolation } from '#db/sql-state.ts';
import type { Core } from '#server/core.ts';
import { retryAfterMidnight } from '#server/platform/limits/allowances/retry-after.ts';
import { OverloadedError } from '#server/platform/limits/overloaded-error.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import { toRefusal } from '../responses/error-response.ts';
import type { HandlerResponse } from './register-contract.ts';

const refuse = createRefuser({ ...WRITE_REFUSALS, ...EXTERNAL_WRITE_REFUSALS });

const POLL_INTERVAL_MS = 50;
const MAX_WAIT_MS = 15_000;

export const REPLAYED_HEADERS = { 'idempotent-replayed': 'true' };

interface IdempotentWrite {
  db: Database;
  dailyUsage: Core['dailyUsage'];
  idempotencyKey: IdempotencyKey;
  request: FastifyRequest;
  metadata: Pick<RouteMetadata, 'access' | 'secretField'>;
  callHandler: (db: Database | Transaction) => Promise<HandlerResponse>;
}

/** `busy`: the first request with the key has not ended. */
type Outcome = HandlerResponse | 'busy';

/**
 * Runs a write with an `Idempotency-Key` once. The first request claims the key, whose row then is:
 *
 * - `running`: retries wait.
 * - `done`: for 24 hours, retries get the same response.
 * - `interrupted`: the outcome is unknown, because the effect outside the database got no response, or the
 *   server died. Retries get `requestInterrupted`.
 * - deleted or rolled back: the request failed for now (5xx, 429), so a retry runs again.
 */
export async function runOnce(write: IdempotentWrite): Promise<HandlerResponse> {
  const run = write.metadata.access === 'noTransaction' ? runOutsideTransaction : runInTransaction;
  const deadline = performance.now() + MAX_WAIT_MS;
  for (;;) {
    const outcome = await run(write);
    if (outcome !== 'busy') return outcome;
    if (performance.now() > deadline) throw new OverloadedError('database');
    await sleep(POLL_INTERVAL_MS);
  }
}

/** Commits the write and its response together. Concurrent retries wait for the lock on the key. */
async function runInTransaction(write: IdempotentWrite): Promise<Outcome> {
  const { db, dailyUsage, idempotencyKey, request, callHandler } = write;
  const { outcome, storedJson } = await inTransaction(db, async (trx) => {
    const earlier = await claimOrReplay(trx, write);
    if (earlier) return { outcome: earlier };
    requireResponseAllowance(write);
    const response = await inSavepoint(trx, () => callHandler(trx)).catch((error: unknown) =>
      toFinalResponse(error, request),
    );
    return { outcome: response, storedJson: await saveResponse(trx, write, response) };
  });
  // After the commit, because an aborted transaction stores nothing.
  if (storedJson !== undefined) dailyUsage.addResponse(idempotencyKey, storedJson);
  return outcome;
}

/** For effects outside the database: commits the claim before them, and the response after them. */
async function runOutsideTransaction(write: IdempotentWrite): Promise<Outcome> {
  const { db, dailyUsage, idempotencyKey, request, callHandler } = write;
  const earlier = await claimOrReplay(db, write);
  if (earlier) return earlier;
  const logError = (error: unknown) =>
    request.log.error({ err: error }, 'the outcome of an external write could not be stored');
  try {
    requireResponseAllowance(write);
    const response = await callHandler(db).catch((error: unknown) =>
      toFinalResponse(error, request),
    );
    await saveResponse(db, write, response).then(
      (json) => dailyUsage.addResponse(idempotencyKey, json),
      logError,
    );
    return response;
  } catch (error) {
    const { outcomeUnknown } = toRefusal(error, request);
    const settled = outcomeUnknown
      ? settleIdempotencyKey(db, idempotencyKey, { state: 'interrupted' })
      : deleteIdempotencyKey(db, idempotencyKey);
    await settled.catch(logError);
    throw error;
  }
}

/** Returns undefined if this request has claimed the key. */
async function claimOrReplay(
  db: Executor,
  { idempotencyKey, request }: IdempotentWrite,
): Promise<Outcome | undefined> {
  const claim = await claimIdempotencyKey(db, idempotencyKey);
  if (claim.kind === 'busy') return 'busy';
  if (claim.kind === 'reused') throw refuse('idempotencyKeyReused');
  if (claim.kind === 'interrupted') throw refuse('requestInterrupted');
  if (claim.kind !== 'stored') return undefined;
  const { status, body, code } = claim;
  if (status >= 400) request.refused = { reason: 'replayed' };
  return { status, body, code, headers: REPLAYED_HEADERS };
}

/** Not called for retries, which get the stored response even over the limit. */
function requireResponseAllowance({ dailyUsage, idempotencyKey }: IdempotentWrite): void {
  if (!dailyUsage.isBelowLimit(idempotencyKey.accountId, 'responses'))
    throw refuse('storedResponseLimitReached', retryAfterMidnight());
}

/**
 * Throws errors with status 5xx and 429 again: they are not stored, because a retry may succeed. A
 * foreign key violation means that a row was deleted meanwhile: retry, do not store.
 */
function toFinalResponse(error: unknown, request: FastifyRequest): HandlerResponse {
  const refusal = toRefusal(error, request);
  const { status, code, message, headers } = refusal;
  if (status >= 500 || status === 429 || isForeignKeyViolation(error)) throw error;
  request.refused = { reason: code };
  return { status, code, body: { error: message }, refusal, headers };
}

/** Returns the stored JSON. */
async function saveResponse(
  db: Executor,
  { idempotencyKey, metadata: { secretField } }: IdempotentWrite,
  { status, code, body }: HandlerResponse,
): Promise<string> {
  const hidesSecret = secretField !== undefined && status === 200;
  const json = JSON.stringify(hidesSecret ? { ...(body as object), [secretField]: null } : body);
  const response = { status, response: json, error_code: code ?? null };
  await settleIdempotencyKey(db, idempotencyKey, { state: 'done', ...response });
  return json;
}
