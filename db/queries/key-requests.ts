import { sql } from 'kysely';
import { LIMITS } from '#contract/shared/limits.ts';
import type { Executor, ReadDatabase } from '../connections/handles.ts';
import type { Row } from '../schema.ts';
import { accountExists } from './accounts.ts';
import { exists, isAfter } from './rows.ts';

const columns = [
  'id',
  'created_at',
  'key_id',
  'operation',
  'status',
  'error_code',
  'error',
  'field',
  'duration_ms',
  'left_out',
  'x_request_id',
  'user_agent',
] as const;

export type KeyRequestRow = Row<'key_requests', (typeof columns)[number]>;

export type NewKeyRequest = Omit<KeyRequestRow, 'id'> & { account_id: string };

/**
 * Inserts requests, except those of deleted accounts, and deletes the oldest beyond the limit: half
 * of it is for failed requests, so that others do not push them out. The deletion does not see the new rows, so it leaves room for them. Skips locked rows, because another
 * server may delete the same ones in another order.
 */
export async function insertKeyRequests(
  db: Executor,
  requests: readonly NewKeyRequest[],
): Promise<void> {
  await sql`
    WITH added AS (
      INSERT INTO key_requests (account_id, key_id, operation, status, error_code, error,
        field, duration_ms, left_out, x_request_id, user_agent, created_at)
      SELECT * FROM json_to_recordset(${JSON.stringify(requests)}::json) AS added (
        account_id uuid, key_id text, operation text, status smallint, error_code text,
        error text, field text, duration_ms integer, left_out integer, x_request_id text,
        user_agent text, created_at timestamptz)
      WHERE ${accountExists(sql`added.account_id`)}
      RETURNING account_id, status
    ), excess AS (
      SELECT stored.id, stored.account_id
      FROM (SELECT account_id, status >= 400 AS failed, count(*) FROM added GROUP BY 1, 2) AS counts,
        LATERAL (SELECT id, account_id FROM key_requests
          WHERE account_id = counts.account_id AND (status >= 400) = counts.failed
          ORDER BY created_at DESC, id
          OFFSET greatest(0, ${LIMITS.keyRequests / 2} - counts.count)) AS stored
    )
    DELETE FROM key_requests WHERE (account_id, id) IN (
      SELECT account_id, id FROM key_requests WHERE (account_id, id) IN (
        SELECT account_id, id FROM excess
      ) FOR UPDATE SKIP LOCKED)`.execute(db);
}

const filters = ['key_id', 'error_code', 'x_request_id'] as const;

/** Undefined: all. */
export type KeyRequestFilter = Partial<Record<(typeof filters)[number], string | undefined>>;

function selectKeyRequests(db: ReadDatabase, accountId: string, filter: KeyRequestFilter) {
  let requests = db.selectFrom('key_requests').where('key_requests.account_id', '=', accountId);
  for (const column of filters) {
    const value = filter[column];
    if (value !== undefined) requests = requests.where(column, '=', value);
  }
  return requests;
}

/** Requests that were left out match no filter, because nothing else of them is stored. */
export async function countKeyRequests(
  db: ReadDatabase,
  accountId: string,
  filter: KeyRequestFilter,
): Promise<{ all: number; failed: number; left_out: number }> {
  return selectKeyRequests(db, accountId, filter)
    .select([
      sql<number>`count(*)::int`.as('all'),
      sql<number>`(count(*) FILTER (WHERE status >= 400))::int`.as('failed'),
      sql<number>`(SELECT coalesce(sum(left_out), 0)::int FROM key_requests AS stored
        WHERE stored.account_id = ${accountId})`.as('left_out'),
    ])
    .executeTakeFirstOrThrow();
}

/** Newest first, starting after the request with the id `after`. */
export async function listKeyRequests(
  db: ReadDatabase,
  accountId: string,
  {
    limit,
    after,
    failed,
    ...filter
  }: KeyRequestFilter & { limit: number; after?: string | undefined; failed?: boolean | undefined },
): Promise<(KeyRequestRow & { key_label: string | null })[]> {
  let requests = selectKeyRequests(db, accountId, filter)
    .select(columns.map((column) => `key_requests.${column}` as const))
    .leftJoin('api_keys', 'api_keys.id', 'key_id')
    .select(
      sql<string | null>`coalesce(label, CASE WHEN key_id !~ '^np_' THEN (
        SELECT name FROM oauth_clients WHERE id = (
          SELECT client_id FROM oauth_grants WHERE id = key_id::uuid)) END)`.as('key_label'),
    );
  if (failed !== undefined) requests = requests.where('status', failed ? '>=' : '<', 400);
  if (after !== undefined)
    requests = requests.where(
      isAfter('key_requests', after, sql`account_id = ${accountId} AND id = ${after}`),
    );
  return requests
    .orderBy('key_requests.created_at', 'desc')
    .orderBy('key_requests.id')
    .limit(limit)
    .execute();
}

export async function hasKeyRequest(
  db: ReadDatabase,
  accountId: string,
  id: string,
): Promise<boolean> {
  return exists(db, sql`key_requests WHERE account_id = ${accountId} AND id = ${id}`);
}
