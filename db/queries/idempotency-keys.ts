import { HOUR_MS } from '#contract/durations.ts';
import { type ExpressionBuilder, type Kysely, sql } from 'kysely';
import type { Database } from '../schema.ts';

const LIFETIME_MS = 24 * HOUR_MS;
const BATCH_SIZE = 5_000;

const ageMs = sql<number>`(extract(epoch FROM clock_timestamp() - created_at) * 1000)::float8`;

export interface IdempotencyKey {
  accountId: string;
  method: string;
  path: string;
  key: string;
  bodyHash: Buffer;
}

/** The response is set if the request has already been processed. */
export interface IdempotencyClaim extends IdempotencyKey {
  status?: number;
  response?: unknown;
}

export interface StoredResponse {
  /** Null while the request is running. */
  status: number | null;
  response: unknown;
  error_code: string | null;
  body_hash: Buffer;
  age_ms: number;
}

/**
 * Claims a key for 24 hours. Returns undefined on success, otherwise the stored response. Waits for a transaction
 * that is claiming the same key.
 */
export async function claimIdempotencyKey(
  db: Kysely<Database>,
  key: IdempotencyKey,
): Promise<StoredResponse | undefined> {
  const claimed = await claimIdempotencyKeys(db, [key]);
  if (claimed.size > 0) return undefined;
  const stored = await db
    .selectFrom('idempotency_keys')
    .select(['status', 'response', 'error_code', 'body_hash'])
    .select(ageMs.as('age_ms'))
    .where(matchesKey(key))
    .executeTakeFirst();
  if (stored && stored.age_ms < LIFETIME_MS)
    return { ...stored, body_hash: Buffer.from(stored.body_hash) };
  // If there is no row, the first request failed and deleted the key. Delete an expired row, unless
  // another request has claimed the key again.
  if (stored)
    await db
      .deleteFrom('idempotency_keys')
      .where(matchesKey(key))
      .where(ageMs, '>=', LIFETIME_MS)
      .execute();
  return claimIdempotencyKey(db, key);
}

/**
 * Claims all unclaimed keys in one statement and returns them. The keys must be distinct. Waits for
 * transactions that are claiming one of them; the fixed order of claims prevents deadlocks.
 */
export async function claimIdempotencyKeys<Key extends IdempotencyClaim>(
  db: Kysely<Database>,
  keys: readonly Key[],
): Promise<Set<Key>> {
  const rows = keys.map((claim) => ({
    account_id: claim.accountId,
    method: claim.method,
    path: claim.path,
    key: claim.key,
    body_hash: claim.bodyHash.toString('hex'),
    status: claim.status,
    response: claim.response,
  }));
  const claimed = await sql<
    Pick<Database['idempotency_keys'], 'account_id' | 'method' | 'path' | 'key'>
  >`
    INSERT INTO idempotency_keys (account_id, method, path, key, body_hash, status, response)
    SELECT account_id, method, path, key, decode(body_hash, 'hex'), status, response
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS row (
      account_id uuid, method text, path text, key text, body_hash text, status smallint, response json
    )
    ORDER BY account_id, method, path, key
    ON CONFLICT DO NOTHING
    RETURNING account_id, method, path, key`.execute(db);
  const claimedKeys = new Set(
    claimed.rows.map(({ account_id, method, path, key }) =>
      serializeKey(account_id, method, path, key),
    ),
  );
  return new Set(
    keys.filter(({ accountId, method, path, key }) =>
      claimedKeys.has(serializeKey(accountId, method, path, key)),
    ),
  );
}

function serializeKey(...parts: string[]): string {
  return JSON.stringify(parts);
}

export async function storeResponse(
  db: Kysely<Database>,
  key: IdempotencyKey,
  response: { status: number; code?: string | undefined; json: string },
): Promise<void> {
  await db
    .updateTable('idempotency_keys')
    .set({ status: response.status, response: response.json, error_code: response.code ?? null })
    .where(matchesKey(key))
    .execute();
}

/** Deletes the key, so that a retry runs the request again. */
export async function deleteIdempotencyKey(
  db: Kysely<Database>,
  key: IdempotencyKey,
): Promise<void> {
  await db.deleteFrom('idempotency_keys').where(matchesKey(key)).execute();
}

/** Makes the claim look old, so that retries fail at once with an unknown outcome. */
export async function interruptIdempotencyKey(
  db: Kysely<Database>,
  key: IdempotencyKey,
): Promise<void> {
  await db
    .updateTable('idempotency_keys')
    .set({ created_at: sql<Date>`now() - interval '1 minute'` })
    .where(matchesKey(key))
    .execute();
}

/** Replaces only responses with status 200. */
export async function replaceStoredResponses(
  db: Kysely<Database>,
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
    // A request that replaces an expired row locks it before the account.
    .where(ageMs, '<', LIFETIME_MS)
    .execute();
}

export async function deleteExpiredIdempotencyKeys(db: Kysely<Database>): Promise<void> {
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      DELETE FROM idempotency_keys WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM idempotency_keys
        WHERE created_at < now() - ${LIFETIME_MS} * interval '1 millisecond'
        ORDER BY created_at LIMIT ${BATCH_SIZE} FOR UPDATE SKIP LOCKED
      ))`.execute(db);
    if (numAffectedRows < BATCH_SIZE) return;
  }
}

export async function deleteStoredResponses(
  db: Kysely<Database>,
  accountId: string,
  limit: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    DELETE FROM idempotency_keys AS stored USING (
      SELECT method, path, key FROM idempotency_keys WHERE account_id = ${accountId} LIMIT ${limit}
    ) AS batch
    WHERE stored.account_id = ${accountId}
      AND (stored.method, stored.path, stored.key) = (batch.method, batch.path, batch.key)`.execute(
    db,
  );
  return Number(numAffectedRows ?? 0);
}

function matchesKey({ accountId, method, path, key }: IdempotencyKey) {
  return (eb: ExpressionBuilder<Database, 'idempotency_keys'>) =>
    eb.and({ account_id: accountId, method, path, key });
}
