import { sql } from 'kysely';
import type { QueryMetricsResponse } from '#client/owner.ts';
import type { Database, Executor } from '#db/connections/handles.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { createMetricPartitions } from '#db/partitions.ts';
import { send } from '#test/support/call.ts';
import type { TestAccount, TestApp } from '#test/support/test-app.ts';
import type { Row } from './expected-metrics.ts';

export async function createMonthPartitions(db: Database, ...months: string[]): Promise<void> {
  for (const month of months)
    await inTransaction(db, (trx) =>
      createMetricPartitions(trx, new Date(`${month}-01T00:00:00Z`)),
    );
}

/** Stores metrics with given times of receipt. */
export async function insertMetrics(
  db: Executor,
  projectId: string,
  rows: readonly Row[],
): Promise<void> {
  const stored = rows.map(({ at, payload }) => ({ at: new Date(at).toISOString(), payload }));
  await sql`INSERT INTO metrics (project_id, received_at, payload)
    SELECT ${projectId}::uuid, at, payload
    FROM ROWS FROM (json_to_recordset(${JSON.stringify(stored)}::json) AS (at timestamptz, payload json))
      WITH ORDINALITY AS metric (at, payload, position)
    ORDER BY position`.execute(db);
}

export async function queryMetrics(server: TestApp, account: TestAccount, body: object) {
  const response = await send(server, account, 'POST /owner/metrics/query-metrics', body);
  return { status: response.status, body: response.body as QueryMetricsResponse };
}
