import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findApiKeys } from '#db/queries/api-keys.ts';
import { findDisplayNames } from '#db/queries/display-names.ts';
import { findPageStates, findPages, findWholePages } from '#db/queries/public-sites.ts';
import { findSiteConfigurations } from '#db/queries/sites.ts';
import type { Database, ReadDatabase } from '#db/connections/handles.ts';
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

const createLookups = (db: Database) => ({
  findApiKeys: () => findApiKeys(db, ['np_one', 'np_two']),
  findDisplayNames: () => findDisplayNames(db, [randomUUID(), randomUUID()]),
  findPageStates: () => findPageStates(db, ['one', 'two']),
  findPages: () => findPages(db, ['one', 'two']),
  findWholePages: () => findWholePages(db, ['one', 'two']),
  findSiteConfigurations: () => findSiteConfigurations(db, [randomUUID(), randomUUID()]),
});

/** Returns the generic plan of the only prepared statement. */
async function explainPrepared(db: ReadDatabase): Promise<string[]> {
  const { rows } = await sql<{ name: string; parameters: number }>`
    SELECT name, cardinality(parameter_types) AS parameters FROM pg_prepared_statements`.execute(
    db,
  );
  const [{ name, parameters } = { name: '', parameters: 0 }, ...others] = rows;
  expect(others).toEqual([]);
  await sql`SET plan_cache_mode = force_generic_plan`.execute(db);
  const values = Array.from({ length: parameters }, () => sql`NULL`);
  const lines = await sql<{ 'QUERY PLAN': string }>`
    EXPLAIN EXECUTE ${sql.id(name)} (${sql.join(values)})`.execute(db);
  return lines.rows.map((row) => row['QUERY PLAN']);
}

describe('a plan created while the tables are empty', () => {
  it.each(Object.keys(createLookups(undefined!)) as (keyof ReturnType<typeof createLookups>)[])(
    'of %s uses an index, even before ANALYZE',
    async (name) => {
      const { db } = database;
      expect((await createLookups(db)[name]()).size).toBe(0);
      const lines = await explainPrepared(db);
      expect(lines.join('\n')).toContain('Index');
      expect(lines.filter((line) => line.includes('Seq Scan'))).toEqual([]);
    },
  );
});
