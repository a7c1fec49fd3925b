import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Database, ReadDatabase } from '#db/connections/handles.ts';
import { findApiKeys } from '#db/queries/api-keys.ts';
import { findDisplayNames } from '#db/queries/display-names.ts';
import type { MetricKey } from '#db/queries/metric-keys.ts';
import { insertMetrics } from '#db/queries/metrics.ts';
import { findPageStates, findPages, findWholePages } from '#db/queries/public-sites.ts';
import { findSiteConfigurations } from '#db/queries/sites.ts';
import {
  type TestDatabase,
  connectPostgresDatabase,
  createPostgresDatabase,
} from '../support/test-database.ts';

// Has a single connection, because a prepared statement belongs to its connection.
let database: TestDatabase;
beforeEach(async () => {
  const url = await createPostgresDatabase('nameplate_template');
  database = connectPostgresDatabase(url, { max: 1 });
});
afterEach(() => database.close());

const storeNothing = async (db: Database, idempotencyClaim?: MetricKey) => {
  const accountId = randomUUID();
  return insertMetrics(db, [{ accountId, projectId: accountId, payload: '{}', idempotencyClaim }]);
};

const createLookups = (db: Database) => ({
  insertMetrics: () => storeNothing(db),
  insertKeyedMetrics: () =>
    storeNothing(db, { accountId: randomUUID(), keyHash: randomUUID(), bodyHash: randomUUID() }),
  findApiKeys: () => findApiKeys(db, ['np_one', 'np_two']),
  findDisplayNames: () => findDisplayNames(db, [randomUUID(), randomUUID()]),
  findPageStates: () => findPageStates(db, ['one', 'two']),
  findPages: () => findPages(db, ['one', 'two']),
  findWholePages: () => findWholePages(db, ['one', 'two']),
  findSiteConfigurations: () => findSiteConfigurations(db, [randomUUID(), randomUUID()]),
});

/** Returns the generic plan of the statement that `lookUp` sends. */
async function explainGeneric(
  db: ReadDatabase,
  lookUp: () => Promise<{ size: number }>,
): Promise<string[]> {
  const query = vi.spyOn(pg.Client.prototype, 'query');
  expect((await lookUp()).size).toBe(0);
  const sent = (query.mock.calls as unknown as { text: string; values: unknown[] }[][]).flat();
  // A new connection sends its settings first.
  const { text, values } = sent.find((statement) => statement.values?.length > 0)!;
  query.mockRestore();
  await sql`PREPARE lookup AS ${sql.raw(text)}`.execute(db);
  await sql`SET plan_cache_mode = force_generic_plan`.execute(db);
  const lines = await sql<{ 'QUERY PLAN': string }>`
    EXPLAIN EXECUTE lookup (${sql.join(values.map(() => sql`NULL`))})`.execute(db);
  return lines.rows.map((row) => row['QUERY PLAN']);
}

it.each(Object.keys(createLookups(undefined!)) as (keyof ReturnType<typeof createLookups>)[])(
  'a plan created while the tables are empty of %s uses an index, even before ANALYZE',
  async (name) => {
    const { db } = database;
    const lines = await explainGeneric(db, createLookups(db)[name]);
    expect(lines.join('\n')).toContain('Index');
    expect(lines.filter((line) => line.includes('Seq Scan'))).toEqual([]);
  },
);
