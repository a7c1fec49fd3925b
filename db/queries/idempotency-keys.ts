import { type ExpressionBuilder, type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../schema.ts';

const LIFETIME = sql`interval '24 hours'`;

/** One write of one account, and the body that it came with. */
export interface IdempotencyKey {
  accountId: string;
  method: string;
  path: string;
  key: string;
  bodyHash: Buffer;
}

/** A key with the answer to its first request, where that is known before it is done. */
export interface Claim extends IdempotencyKey {
  status: number;
  answer: unknown;
}

/** What was answered to the first request with a key; the status is null while it still runs. */
export interface StoredAnswer {
  status: number | null;
  answer: unknown;
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
  const claimed = await db
    .insertInto('idempotency_keys')
    .values({
      account_id: key.accountId,
      method: key.method,
      path: key.path,
      key: key.key,
      body_hash: key.bodyHash,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'method', 'path', 'key'])
        .doUpdateSet({
          body_hash: sql<Buffer>`excluded.body_hash`,
          status: null,
          answer: null,
          created_at: sql<Date>`now()`,
        })
        .where(sql<boolean>`idempotency_keys.created_at < now() - ${LIFETIME}`),
    )
    .returning('key')
    .executeTakeFirst();
  if (claimed) return undefined;
  const stored = await db
    .selectFrom('idempotency_keys')
    .select(['status', 'answer', 'body_hash'])
    .select(
      sql<number>`(extract(epoch FROM clock_timestamp() - created_at) * 1000)::float8`.as('age_ms'),
    )
    .where(isKey(key))
    .executeTakeFirst();
  // The first request failed and let go of the key in between.
  if (!stored) return claimIdempotencyKey(db, key);
  return { ...stored, body_hash: Buffer.from(stored.body_hash) };
}

/** The columns of a key in a list that is a parameter, as `keyToJson` makes it. */
export const keyColumns = sql`account_id uuid, method text, path text, key text, body_hash text`;

/** A key for such a list. */
export function keyToJson({ accountId, method, path, key, bodyHash }: IdempotencyKey) {
  return { account_id: accountId, method, path, key, body_hash: bodyHash.toString('hex') };
}

/**
 * Claims the keys of rows that have `keyColumns`, a `status` and an `answer`, where the answer is
 * known in the same statement. All in the same order, so that no two statements wait for each other.
 */
export function claimKeys(rows: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`INSERT INTO idempotency_keys (account_id, method, path, key, body_hash, status, answer)
    SELECT account_id, method, path, key, decode(body_hash, 'hex'), status, answer
    FROM ${rows} WHERE key IS NOT NULL ORDER BY account_id, method, path, key`;
}

/** Stores the answer to the request that claimed a key. */
export async function storeAnswer(
  db: Kysely<Database>,
  key: IdempotencyKey,
  answer: { status: number; json: string },
): Promise<void> {
  await db
    .updateTable('idempotency_keys')
    .set({ status: answer.status, answer: answer.json })
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

/** Puts another answer in place of those that an account got to its successful writes at a path. */
export async function replaceAnswersAt(
  db: Kysely<Database>,
  accountId: string,
  { path, answer }: { path: string; answer: object },
): Promise<void> {
  await db
    .updateTable('idempotency_keys')
    .set({ answer: JSON.stringify(answer) })
    .where('account_id', '=', accountId)
    .where('path', '=', path)
    .where('status', '=', 200)
    .execute();
}

/** Deletes the answers that are older than 24 hours, so many at a time that no statement takes long. */
export async function deleteExpiredAnswers(db: Kysely<Database>, atATime = 5_000): Promise<void> {
  for (;;) {
    const { numDeletedRows } = await db
      .deleteFrom('idempotency_keys')
      .where(
        sql<boolean>`ctid = ANY (ARRAY(
          SELECT ctid FROM idempotency_keys WHERE created_at < now() - ${LIFETIME} LIMIT ${atATime}))`,
      )
      .executeTakeFirstOrThrow();
    if (numDeletedRows < atATime) return;
  }
}

/** Deletes so many stored answers of an account at most; returns how many. */
export async function deleteSomeAnswers(
  db: Kysely<Database>,
  accountId: string,
  limit: number,
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('idempotency_keys')
    .where(
      sql<boolean>`ctid = ANY (ARRAY(
        SELECT ctid FROM idempotency_keys WHERE account_id = ${accountId} LIMIT ${limit}))`,
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

function isKey({ accountId, method, path, key }: IdempotencyKey) {
  return (eb: ExpressionBuilder<Database, 'idempotency_keys'>) =>
    eb.and({ account_id: accountId, method, path, key });
}
