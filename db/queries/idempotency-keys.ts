import { HOUR_MS } from '../../contract/durations.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ExpressionBuilder, type Kysely, sql } from 'kysely';
import { isLockTimeout } from '../sql-state.ts';
import type { Database } from '../schema.ts';
import { inTransaction } from '../connections/transaction.ts';

const LIFETIME_MS = 24 * HOUR_MS;
/** Number of tables that hold the answers of a day in turn: of today, of yesterday, and the next one empty. */
const PARTS = 3;
/** In its first minutes a day is not told from the one before: claims take less, and clocks differ by less. */
const BORDER_MS = 300_000;
/** How long others may be kept waiting for a part that is emptied, how often that is tried, and how soon again. */
const EMPTYING_MS = 100;
const EMPTYING_ATTEMPTS = 20;
const EMPTYING_PAUSE_MS = 1_000;

const ageMs = sql<number>`(extract(epoch FROM clock_timestamp() - created_at) * 1000)::float8`;

/** One write of one account, and the body that it came with. */
export interface IdempotencyKey {
  accountId: string;
  method: string;
  path: string;
  key: string;
  bodyHash: Buffer;
}

/** A key to claim, with the answer to its first request if that is known before it is done. */
export interface Claim extends IdempotencyKey {
  status?: number;
  answer?: unknown;
}

/** Answer to the first request with a key; the status is null while it still runs. */
export interface StoredAnswer {
  status: number | null;
  answer: unknown;
  /** The name of the refusal that the answer is, if it is one. */
  error_code: string | null;
  body_hash: Buffer;
  age_ms: number;
}

/**
 * Claims a key for the first request that comes with it, or for the first one after 24 hours.
 * Returns undefined to that request and the row to every other, which waits until the transaction
 * of the first has ended.
 */
export async function claimIdempotencyKey(
  db: Kysely<Database>,
  key: IdempotencyKey,
): Promise<StoredAnswer | undefined> {
  const claimed = await claimKeys(db, [key]);
  if (claimed.size > 0) return undefined;
  const stored = await db
    .selectFrom('idempotency_keys')
    .select(['status', 'answer', 'error_code', 'body_hash'])
    .select(ageMs.as('age_ms'))
    .where(isKey(key))
    .executeTakeFirst();
  if (stored && stored.age_ms < LIFETIME_MS)
    return { ...stored, body_hash: Buffer.from(stored.body_hash) };
  // The first request failed and let go of the key in between; or it is too old, unless somebody else
  // has found that, too, and claimed it anew.
  if (stored)
    await db
      .deleteFrom('idempotency_keys')
      .where(isKey(key))
      .where(ageMs, '>=', LIFETIME_MS)
      .execute();
  return claimIdempotencyKey(db, key);
}

/**
 * Claims in one statement those of some keys that nobody has claimed yet, and returns them; no two may
 * be the same. Waits for a transaction that is claiming one of them. All keys are claimed in the same
 * order, so that no two statements wait for each other.
 *
 * A key is unique within a part. Around midnight it is therefore claimed in the parts of both days,
 * first in the one in which a server whose clock is a little ahead or behind would claim it.
 */
export async function claimKeys<Key extends Claim>(
  db: Kysely<Database>,
  keys: readonly Key[],
): Promise<Set<Key>> {
  const now = Date.now();
  const part = partOf(now - BORDER_MS / 2);
  const other = [partOf(now), partOf(now - BORDER_MS)].find((near) => near !== part) ?? part;
  const list = keys.map(({ accountId, method, path, key, bodyHash, status, answer }, position) => ({
    ...{ position, account_id: accountId, method, path, key, status, answer },
    body_hash: bodyHash.toString('hex'),
  }));
  const insert = (into: number) => sql`
    INSERT INTO idempotency_keys (part, account_id, method, path, key, body_hash, status, answer)
    SELECT ${into}::smallint, account_id, method, path, key, decode(body_hash, 'hex'), status, answer
    FROM wanted`;
  // OFFSET has each looked up by itself, also by a plan that was made while the table was empty.
  const { rows } = await sql<{ position: number }>`
    WITH wanted AS (
      SELECT * FROM json_to_recordset(${JSON.stringify(list)}::json) AS wanted (
        position integer, account_id uuid, method text, path text, key text, body_hash text,
        status smallint, answer json
      )
      WHERE NOT EXISTS (
        SELECT FROM idempotency_keys AS stored
        WHERE (stored.account_id, stored.method, stored.path, stored.key)
          = (wanted.account_id, wanted.method, wanted.path, wanted.key) OFFSET 0
      )
    ), claimed AS (
      ${insert(part)} ORDER BY account_id, method, path, key
      ON CONFLICT DO NOTHING
      RETURNING account_id, method, path, key
    ), copied AS (
      ${insert(other)} WHERE ${other !== part}
        AND (account_id, method, path, key) IN (SELECT * FROM claimed)
    )
    SELECT position FROM wanted
    WHERE (account_id, method, path, key) IN (SELECT * FROM claimed)`.execute(db);
  return new Set(rows.map(({ position }) => keys[position]!));
}

/** The part for what is claimed at a time. */
function partOf(time: number): number {
  return Math.floor(time / LIFETIME_MS) % PARTS;
}

/** Stores the answer to the request that claimed a key. */
export async function storeAnswer(
  db: Kysely<Database>,
  key: IdempotencyKey,
  answer: { status: number; code?: string | undefined; json: string },
): Promise<void> {
  await db
    .updateTable('idempotency_keys')
    .set({ status: answer.status, answer: answer.json, error_code: answer.code ?? null })
    .where(isKey(key))
    .execute();
}

/** Lets go of a key, so that a repeat starts anew. */
export async function deleteIdempotencyKey(
  db: Kysely<Database>,
  key: IdempotencyKey,
): Promise<void> {
  await db.deleteFrom('idempotency_keys').where(isKey(key)).execute();
}

/** Gives up on a key's first request, so that repeats learn at once that its outcome is unknown. */
export async function interruptIdempotencyKey(
  db: Kysely<Database>,
  key: IdempotencyKey,
): Promise<void> {
  await db
    .updateTable('idempotency_keys')
    .set({ created_at: sql<Date>`now() - interval '1 minute'` })
    .where(isKey(key))
    .execute();
}

/** Puts another answer in place of those that an account got to its successful writes of a kind. */
export async function replaceAnswersAt(
  db: Kysely<Database>,
  accountId: string,
  { method, path, answer }: { method: string; path: string; answer: object },
): Promise<void> {
  await db
    .updateTable('idempotency_keys')
    .set({ answer: JSON.stringify(answer) })
    .where('account_id', '=', accountId)
    .where('method', '=', method)
    .where('path', '=', path)
    .where('status', '=', 200)
    .execute();
}

/**
 * Empties the part of the day before yesterday, which is also that of tomorrow, at once: all answers
 * in it are older than 24 hours. Nobody waits for it longer than a tenth of a second at a time; where
 * others use it all the time it fails.
 */
export async function emptyExpiredAnswers(db: Kysely<Database>): Promise<void> {
  const now = Date.now();
  // Not near midnight: another's clock may be ahead.
  if (partOf(now - HOUR_MS) !== partOf(now + HOUR_MS)) return;
  const part = sql.table(`idempotency_keys_${partOf(now + LIFETIME_MS)}`);
  for (let attempt = 1; ; attempt += 1)
    try {
      return await inTransaction(db, async (trx) => {
        const { rows } = await sql`SELECT FROM ${part} LIMIT 1`.execute(trx);
        if (rows.length === 0) return;
        await sql`SELECT set_config('lock_timeout', ${String(EMPTYING_MS)}, true)`.execute(trx);
        await sql`TRUNCATE ${part}`.execute(trx);
      });
    } catch (error) {
      if (attempt === EMPTYING_ATTEMPTS || !isLockTimeout(error)) throw error;
      await sleep(EMPTYING_PAUSE_MS);
    }
}

/** Deletes so many stored answers of an account at most; returns how many. */
export async function deleteSomeAnswers(
  db: Kysely<Database>,
  accountId: string,
  limit: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    DELETE FROM idempotency_keys AS stored USING (
      SELECT method, path, key, part FROM idempotency_keys
      WHERE account_id = ${accountId} LIMIT ${limit}
    ) AS batch
    WHERE stored.account_id = ${accountId}
      AND (stored.method, stored.path, stored.key, stored.part)
        = (batch.method, batch.path, batch.key, batch.part)`.execute(db);
  return Number(numAffectedRows ?? 0);
}

function isKey({ accountId, method, path, key }: IdempotencyKey) {
  return (eb: ExpressionBuilder<Database, 'idempotency_keys'>) =>
    eb.and({ account_id: accountId, method, path, key });
}
