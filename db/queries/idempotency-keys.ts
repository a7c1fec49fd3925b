import { type ExpressionBuilder, type RawBuilder, sql } from 'kysely';
import type { Executor, ReadDatabase } from '../connections/handles.ts';
import type { Schema } from '../schema.ts';
import { isLockTimeout } from '../sql-state.ts';

const BATCH_SIZE = 5_000;

const isExpired = sql<boolean>`created_at < now() - interval '24 hours'`;

export interface IdempotencyKey {
  accountId: string;
  method: string;
  path: string;
  key: string;
  bodyHash: Buffer;
}

/**
 * `busy`: the first request with the key has not ended. `reused`: it had another body.
 * `interrupted`: its outcome is unknown.
 */
type KeyClaim =
  | { kind: 'claimed' | 'busy' | 'reused' | 'interrupted' }
  | { kind: 'stored'; status: number; body: unknown; code: string | undefined };

/** Lets an INSERT skip claimed keys and claim expired ones again. */
const SKIP_CLAIMED_KEYS = sql`
  ON CONFLICT (account_id, method, path, key) DO UPDATE
  SET (body_hash, state, status, response, error_code, created_at) = (EXCLUDED.body_hash,
    EXCLUDED.state, EXCLUDED.status, EXCLUDED.response, EXCLUDED.error_code, EXCLUDED.created_at)
  WHERE idempotency_keys.created_at < EXCLUDED.created_at - interval '24 hours'`;

/**
 * Claims a key for 24 hours. Waits for a transaction that is claiming the same key, and returns
 * `busy` after the lock timeout, which aborts the transaction.
 */
export async function claimIdempotencyKey(db: Executor, key: IdempotencyKey): Promise<KeyClaim> {
  try {
    const { rows } = await sql`
      INSERT INTO idempotency_keys (account_id, method, path, key, body_hash)
      VALUES (${key.accountId}, ${key.method}, ${key.path}, ${key.key}, ${key.bodyHash})
      ${SKIP_CLAIMED_KEYS} RETURNING key`.execute(db);
    if (rows.length > 0) return { kind: 'claimed' };
  } catch (error) {
    if (isLockTimeout(error)) return { kind: 'busy' };
    throw error;
  }
  // Without a row, the first request has failed and given the key back.
  return (await findEarlierClaim(db, key)) ?? claimIdempotencyKey(db, key);
}

async function findEarlierClaim(
  db: ReadDatabase,
  key: IdempotencyKey,
): Promise<KeyClaim | undefined> {
  // No request takes 30 seconds: the server of an older one has crashed.
  const isInterrupted = sql<boolean>`(state = 'interrupted'
    OR state = 'running' AND created_at < now() - interval '30 seconds')`;
  const row = await db
    .selectFrom('idempotency_keys')
    .select(['status', 'response', 'error_code', 'body_hash', isInterrupted.as('is_interrupted')])
    .where(matchesKey(key))
    .where((eb) => eb.not(isExpired))
    .executeTakeFirst();
  if (!row) return undefined;
  const { status, response: body, error_code: code, body_hash: bodyHash } = row;
  if (!key.bodyHash.equals(bodyHash)) return { kind: 'reused' };
  if (row.is_interrupted) return { kind: 'interrupted' };
  return status === null
    ? { kind: 'busy' }
    : { kind: 'stored', status, body, code: code ?? undefined };
}

/** Stores the response, or that its outcome is unknown. */
export async function settleIdempotencyKey(
  db: Executor,
  key: IdempotencyKey,
  outcome:
    | { state: 'done'; status: number; response: string; error_code: string | null }
    | { state: 'interrupted' },
): Promise<void> {
  await db.updateTable('idempotency_keys').set(outcome).where(matchesKey(key)).execute();
}

/** Deletes the key, so that a retry runs the request again. */
export async function deleteIdempotencyKey(db: Executor, key: IdempotencyKey): Promise<void> {
  await db.deleteFrom('idempotency_keys').where(matchesKey(key)).execute();
}

/** Replaces only responses with status 200. */
export async function replaceStoredResponses(
  db: Executor,
  accountId: string,
  { method, path, response }: { method: string; path: string; response: object },
): Promise<void> {
  await db
    .updateTable('idempotency_keys')
    .set({ response: JSON.stringify(response) })
    .where('account_id', '=', accountId)
    .where('method', '=', method)
    .where('path', '=', path)
    .where('status', '=', 200)
    // A request that claims an expired key again locks it before the account.
    .where((eb) => eb.not(isExpired))
    .execute();
}

const TABLES = ['idempotency_keys', 'metric_keys'] as const;

export async function deleteExpiredIdempotencyKeys(db: Executor): Promise<void> {
  for (const table of TABLES)
    for (let deleted = BATCH_SIZE; deleted === BATCH_SIZE;)
      deleted = await deleteUnlocked(db, table, sql`${isExpired} ORDER BY created_at`, BATCH_SIZE);
}

export async function deleteStoredResponses(
  db: Executor,
  accountId: string,
  limit: number,
): Promise<number> {
  let deleted = 0;
  for (const table of TABLES)
    deleted += await deleteUnlocked(db, table, sql`account_id = ${accountId}`, limit);
  return deleted;
}

async function deleteUnlocked(
  db: Executor,
  table: (typeof TABLES)[number],
  rows: RawBuilder<unknown>,
  limit: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    DELETE FROM ${sql.table(table)} WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM ${sql.table(table)} WHERE ${rows}
      LIMIT ${limit} FOR UPDATE SKIP LOCKED
    ))`.execute(db);
  return Number(numAffectedRows ?? 0);
}

function matchesKey({ accountId, method, path, key }: IdempotencyKey) {
  return (eb: ExpressionBuilder<Schema, 'idempotency_keys'>) =>
    eb.and({ account_id: accountId, method, path, key });
}
