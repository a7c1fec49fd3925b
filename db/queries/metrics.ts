import { type Kysely, type Transaction, sql } from 'kysely';
import type { Database } from '../schema.ts';
import type { Claim } from './idempotency-keys.ts';
import { inTransaction } from '../transaction.ts';

/** Rows and characters that are held in memory at once, about. */
const PAGE_ROWS = 1_000;
const PAGE_CHARACTERS = 2_097_152;
const FIRST_PAGE_ROWS = 64;

/** A metric of a project, which must belong to the account. */
export interface NewMetric {
  accountId: string;
  projectId: string;
  payload: Record<string, unknown>;
}

/** A `NewMetric` as JSON; with a claim it is stored together with that, or not at all. */
export interface MetricToStore {
  text: string;
  claim?: Claim | undefined;
}

/**
 * Stores in one statement those metrics whose project belongs to their account, and whose key, if
 * they have one, was not claimed yet; tells which. A project that is deleted meanwhile belongs to
 * nobody. A key that another transaction claims is waited for; no two of these may have the same.
 */
export async function insertMetrics(
  db: Kysely<Database>,
  metrics: readonly MetricToStore[],
): Promise<boolean[]> {
  const texts = metrics.map(({ text }) => text);
  const claims = metrics.flatMap(({ claim }, index) => (claim ? toJson(claim, index + 1) : []));
  // All claim keys in the same order, so that no two statements wait for each other.
  const { rows } = await sql<{ position: string }>`
    WITH owned AS (
      SELECT position, projects.id, payload, claim.*
      FROM ROWS FROM (
        json_to_recordset(${`[${texts.join(',')}]`}::json)
          AS ("accountId" uuid, "projectId" uuid, payload json)
      ) WITH ORDINALITY AS metric ("accountId", "projectId", payload, position)
      JOIN projects ON projects.id = "projectId" AND projects.account_id = "accountId"
        AND projects.closed_at IS NULL
      LEFT JOIN json_to_recordset(${`[${claims.join(',')}]`}::json) AS claim (
        claimant bigint, account_id uuid, method text, path text, key text,
        body_hash text, status smallint, answer json
      ) ON claimant = position
      FOR KEY SHARE OF projects
    ), claimed AS (
      INSERT INTO idempotency_keys (account_id, method, path, key, body_hash, status, answer)
      SELECT account_id, method, path, key, decode(body_hash, 'hex'), status, answer
      FROM owned WHERE key IS NOT NULL ORDER BY account_id, method, path, key
      ON CONFLICT DO NOTHING
      RETURNING account_id, method, path, key
    ), wanted AS (
      SELECT position, id, payload FROM owned
      WHERE key IS NULL OR (account_id, method, path, key) IN (SELECT * FROM claimed)
    ), stored AS (
      INSERT INTO metrics (project_id, payload) SELECT id, payload FROM wanted ORDER BY position
    )
    SELECT position FROM wanted`.execute(db);
  const stored = new Set(rows.map((row) => Number(row.position)));
  return metrics.map((_metric, index) => stored.has(index + 1));
}

function toJson(
  { accountId, method, path, key, bodyHash, status, answer }: Claim,
  claimant: number,
) {
  const body_hash = bodyHash.toString('hex');
  const row = { claimant, account_id: accountId, method, path, key, body_hash, status, answer };
  return JSON.stringify(row);
}

/** Deletes so many metrics of a project at most; returns how many. Those that others delete are left out. */
export async function deleteSomeMetrics(
  db: Kysely<Database>,
  projectId: string,
  limit: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    DELETE FROM metrics USING (
      SELECT received_at, id FROM metrics
      WHERE project_id = ${projectId}::uuid
      LIMIT ${limit}
      FOR UPDATE SKIP LOCKED
    ) AS batch
    WHERE metrics.project_id = ${projectId}::uuid
      AND metrics.received_at = batch.received_at AND metrics.id = batch.id`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** A metric as it is stored: times to the microsecond (ISO 8601, UTC), the payload as JSON text. */
export interface StoredMetric {
  id: string;
  received_at: string;
  payload: string;
}

/**
 * The metrics of a project in pages, oldest first, from `since` on and before `until`, both ISO 8601;
 * by default all that were there at the time of the call. Never holds more than a page in memory.
 */
export async function* listMetrics(
  db: Kysely<Database>,
  range: { projectId: string; since?: string | undefined; until?: string | undefined },
): AsyncGenerator<StoredMetric[]> {
  const until = range.until ?? (await currentTime(db));
  let after = { received_at: range.since ?? '-infinity', id: '0' };
  for (let limit = FIRST_PAGE_ROWS; ;) {
    const position = { projectId: range.projectId, after, until, limit };
    const page = await inTransaction(db, (trx) => findPage(trx, position));
    const last = page.at(-1);
    if (!last) return;
    yield page;
    after = last;
    // A page that was cut short has large payloads: the next one reads no more rows than it needs.
    limit = Math.min(PAGE_ROWS, Math.max(8, page.length * 2));
  }
}

async function findPage(
  trx: Transaction<Database>,
  page: {
    projectId: string;
    after: { received_at: string; id: string };
    until: string;
    limit: number;
  },
): Promise<StoredMetric[]> {
  const { after, until } = page;
  // Without statistics, as of a month that has just begun, all rows that are left would be
  // sorted for every page instead of being read in the order of the index.
  await sql`SET LOCAL enable_sort = off`.execute(trx);
  // The first two conditions say the same; the plain one lets months before it be skipped.
  const { rows } = await sql<StoredMetric>`
    SELECT id::text AS id, payload,
      to_char(received_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS received_at
    FROM (
      SELECT id, received_at, payload,
        sum(length(payload)) OVER (ORDER BY received_at, id) - length(payload) AS characters_before
      FROM (
        SELECT id, received_at, payload::text AS payload
        FROM metrics
        WHERE project_id = ${page.projectId}::uuid
          AND received_at >= ${after.received_at}::timestamptz
          AND (received_at, id) > (${after.received_at}::timestamptz, ${after.id}::bigint)
          AND received_at < ${until}::timestamptz
        ORDER BY received_at, id
        LIMIT ${page.limit}
      ) AS rows
    ) AS page
    WHERE characters_before < ${PAGE_CHARACTERS}
    ORDER BY page.received_at, page.id`.execute(trx);
  return rows;
}

async function currentTime(db: Kysely<Database>): Promise<string> {
  const { rows } = await sql<{ now: string }>`
    SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS now`.execute(db);
  return rows[0]!.now;
}
