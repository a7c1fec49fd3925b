import { sql } from 'kysely';
import type { Database, Executor, ReadDatabase } from '#db/connections/handles.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { type IdempotencyKey, SKIP_CLAIMED_KEYS } from './idempotency-keys.ts';
import { isInRange, type MetricRange } from './metric-range.ts';

const BATCH_ROWS = 1_000;
const BATCH_BYTES = 2_097_152;
const FIRST_BATCH_ROWS = 64;
/** Approximate size of a metric without its payload. */
export const METRIC_OVERHEAD_BYTES = 100;

export interface NewMetric {
  accountId: string;
  projectId: string;
  /** JSON. */
  payload: string;
  idempotencyClaim?: IdempotencyKey | undefined;
}

/**
 * Stores and returns the metrics whose project belongs to their account and is not being deleted,
 * and whose idempotency key is not claimed. Of several metrics with the same key, stores one.
 */
export async function insertMetrics<Metric extends NewMetric>(
  db: Executor,
  metrics: readonly Metric[],
): Promise<Set<Metric>> {
  const isKeyed = metrics.some(({ idempotencyClaim }) => idempotencyClaim);
  const { rows } = await (isKeyed ? insertKeyed(metrics) : insertUnkeyed(metrics)).execute(db);
  return new Set(rows.map(({ position }) => metrics[Number(position) - 1]!));
}

function insertUnkeyed(metrics: readonly NewMetric[]) {
  return sql<{ position: string }>`
    WITH metric AS (
      SELECT * FROM ${metricArrays(metrics)}
        WITH ORDINALITY AS metric ("accountId", "projectId", payload, position)
    ), project AS (${OPEN_PROJECTS}), accepted AS (
      SELECT position, "projectId", payload FROM metric
      WHERE ("accountId", "projectId") IN (SELECT account_id, id FROM project)
    ), ${STORE_ACCEPTED}
    SELECT position FROM accepted`;
}

/** The fixed order of claims prevents deadlocks. */
function insertKeyed(metrics: readonly NewMetric[]) {
  const claims = metrics.map(({ idempotencyClaim }) => idempotencyClaim);
  return sql<{ position: string }>`
    WITH metric AS (
      SELECT * FROM ROWS FROM (
        ${metricArrays(metrics)},
        unnest(${claims.map((claim) => claim?.method)}::text[],
          ${claims.map((claim) => claim?.path)}::text[],
          ${claims.map((claim) => claim?.key)}::text[],
          ${claims.map((claim) => claim?.bodyHash)}::bytea[])
      ) WITH ORDINALITY AS metric
        ("accountId", "projectId", payload, method, path, key, "bodyHash", position)
    ), project AS (${OPEN_PROJECTS}), owned AS (
      SELECT DISTINCT ON ("accountId", key, CASE WHEN key IS NULL THEN position END) *
      FROM metric WHERE ("accountId", "projectId") IN (SELECT account_id, id FROM project)
    ), claimed AS (
      INSERT INTO idempotency_keys (account_id, method, path, key, body_hash, state, status)
      SELECT "accountId", method, path, key, "bodyHash", 'done', 200 FROM owned
      WHERE key IS NOT NULL ORDER BY "accountId", key
      ${SKIP_CLAIMED_KEYS} RETURNING account_id, key
    ), accepted AS (
      SELECT position, "projectId", payload FROM owned
      WHERE key IS NULL OR ("accountId", key) IN (SELECT account_id, key FROM claimed)
    ), ${STORE_ACCEPTED}
    SELECT position FROM accepted`;
}

/** One array for each column: PostgreSQL reads them faster than JSON. */
function metricArrays(metrics: readonly NewMetric[]) {
  return sql`unnest(${metrics.map(({ accountId }) => accountId)}::uuid[],
    ${metrics.map(({ projectId }) => projectId)}::uuid[],
    ${metrics.map(({ payload }) => payload)}::json[])`;
}

/** Locks each project once. */
const OPEN_PROJECTS = sql`
  SELECT open.account_id, open.id
  FROM (SELECT DISTINCT "accountId", "projectId" FROM metric) AS wanted
  JOIN LATERAL (
    -- One index lookup per project, even with a plan made while the table was small.
    SELECT account_id, id FROM projects
    WHERE id = "projectId" AND account_id = "accountId" AND closed_at IS NULL
    FOR KEY SHARE
  ) AS open ON true`;

const STORE_ACCEPTED = sql`stored AS (
  INSERT INTO metrics (project_id, payload)
  SELECT "projectId", payload FROM accepted ORDER BY position
)`;

/** Returns how many metrics were deleted. Skips rows that another transaction is deleting. */
export async function deleteSomeMetrics(
  db: Executor,
  range: MetricRange,
  limit: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    DELETE FROM metrics USING (
      SELECT received_at, id FROM metrics
      WHERE ${isInRange(range)}
      LIMIT ${limit}
      FOR UPDATE SKIP LOCKED
    ) AS batch
    WHERE metrics.project_id = ${range.projectId}::uuid
      AND metrics.received_at = batch.received_at AND metrics.id = batch.id`.execute(db);
  return Number(numAffectedRows ?? 0);
}

export interface MetricPosition {
  received_at: string;
  id: string;
}

/** `received_at` has microseconds (ISO 8601, UTC); the payload is JSON text. */
export interface StoredMetric extends MetricPosition {
  payload: string;
}

/**
 * Oldest first, from `since` (inclusive) to `until` (exclusive), both ISO 8601. Lists all metrics
 * until now by default, and holds one batch in memory.
 */
export async function* listMetrics(
  db: Database,
  range: { projectId: string; since?: string | undefined; until?: string | undefined },
): AsyncGenerator<StoredMetric[]> {
  const until = range.until ?? (await currentTime(db));
  let after: MetricPosition | undefined;
  for (let limit = FIRST_BATCH_ROWS; ;) {
    const options: MetricBatchOptions = { ...range, until, after, limit, maxBytes: BATCH_BYTES };
    const { metrics } = await findMetrics(db, options);
    after = metrics.at(-1);
    if (!after) return;
    yield metrics;
    // Large payloads make a batch short, so the next one reads fewer rows.
    limit = Math.min(BATCH_ROWS, Math.max(8, metrics.length * 2));
  }
}

/** A batch has at most `limit` metrics and `maxBytes` bytes, but at least one metric. */
export interface MetricBatchOptions {
  projectId: string;
  since?: string | undefined;
  until?: string | undefined;
  after?: MetricPosition | undefined;
  newestFirst?: boolean;
  limit: number;
  maxBytes: number;
}

export async function findMetrics(
  db: Database,
  { projectId, since, until, after, newestFirst = false, limit, maxBytes }: MetricBatchOptions,
): Promise<{ metrics: StoredMetric[]; hasMore: boolean }> {
  const order = newestFirst ? sql`received_at DESC, id DESC` : sql`received_at, id`;
  const comparison = sql.raw(newestFirst ? '<' : '>');
  return inTransaction(db, async (trx) => {
    // Forces index order: without statistics (a new month), PostgreSQL would sort all remaining rows for every batch.
    await sql`SET LOCAL enable_sort = off`.execute(trx);
    // The condition on received_at alone is redundant, but lets PostgreSQL skip partitions. The stored size is
    // a lower bound of the payload size, so payloads beyond the batch are never decompressed.
    const { rows } = await sql<StoredMetric & { hasMore: boolean }>`
      SELECT id::text AS id, payload, found > count(*) OVER () AS "hasMore",
        to_char(received_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS received_at
      FROM (
        SELECT id, received_at, payload, position, found,
          sum(octet_length(payload) + ${METRIC_OVERHEAD_BYTES}) OVER (ORDER BY position) AS bytes
        FROM (
          SELECT id, received_at, payload::text AS payload, position, found
          FROM (
            SELECT id, received_at, payload, row_number() OVER (ORDER BY ${order}) AS position,
              count(*) OVER () AS found, sum(pg_column_size(payload)) OVER (ORDER BY ${order}) AS stored
            FROM (
              SELECT id, received_at, payload
              FROM metrics
              WHERE project_id = ${projectId}::uuid
                AND received_at >= ${since ?? '-infinity'}::timestamptz
                AND received_at < ${until ?? 'infinity'}::timestamptz
                ${
                  after
                    ? sql`AND (received_at, id) ${comparison} (${after.received_at}::timestamptz, ${after.id}::bigint)
                      AND received_at ${comparison}= ${after.received_at}::timestamptz`
                    : sql``
                }
              ORDER BY ${order}
              LIMIT ${limit + 1}
            ) AS next
          ) AS sized
          WHERE position <= ${limit} AND (stored <= ${maxBytes} OR position = 1)
        ) AS unpacked
      ) AS batch
      WHERE bytes <= ${maxBytes} OR position = 1
      ORDER BY position`.execute(trx);
    return {
      metrics: rows.map(({ id, received_at, payload }) => ({ id, received_at, payload })),
      hasMore: rows[0]?.hasMore ?? false,
    };
  });
}

async function currentTime(db: ReadDatabase): Promise<string> {
  const { rows } = await sql<{ now: string }>`
    SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS now`.execute(db);
  return rows[0]!.now;
}
