import { readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { brokenRules, type CitusRules, readCitusRules } from './citus-rules.ts';
import { openRecordingDatabase, type RecordingDatabase } from './recorded.ts';
import { isPlanned, planOf } from './scans.ts';

/** Distributed tables with their distribution column. */
const DISTRIBUTED = { metrics: 'project_id', events: 'account_id' };

let file: string;
let database: RecordingDatabase;
let rules: CitusRules;
/** Violated rules, each with the query functions that violate it. */
const broken = new Map<string, Set<string>>();
beforeAll(async () => {
  file = await readFile(new URL('../../db/citus.sql', import.meta.url), 'utf8');
  database = await openRecordingDatabase();
  for (const [statement] of file.matchAll(/^ALTER TABLE [^;]*;/gm))
    await sql.raw(statement).execute(database.db);
  rules = await readCitusRules(database.db, createdTables());
  await database.callAll(async (trx, { by, statements }) => {
    for (const { sql: text } of statements)
      if (isPlanned(text))
        for (const rule of brokenRules(rules, text, await planOf(trx, text)))
          broken.set(rule, (broken.get(rule) ?? new Set()).add(by.replace(/\(.*/s, '')));
  });
});
afterAll(() => database.close());

/** The tables that the SQL file distributes, with their distribution column. */
function createdTables(): [table: string, column: string | undefined][] {
  const calls = file.matchAll(/SELECT create_\w+_table\('(\w+)'(?:, '(\w+)')?\)/g);
  return [...calls].map(([, table, column]) => [table!, column]);
}

it("the operator's SQL file distributes these tables", () => {
  expect(createdTables()).toEqual(Object.entries(DISTRIBUTED));
});

it('no foreign key makes Citus manage another table', () => {
  expect([...rules.managed].toSorted()).toEqual(Object.keys(DISTRIBUTED).toSorted());
});

it('each unique index of a distributed table contains the distribution column', async () => {
  const { rows } = await sql<{ table: string; columns: string[] }>`
    SELECT indrelid::regclass::text AS table,
      ARRAY(SELECT attname::text FROM pg_attribute
        WHERE attrelid = indrelid AND attnum = ANY (indkey)) AS columns
    FROM pg_index
    WHERE indisunique AND indrelid::regclass::text = ANY (${Object.keys(DISTRIBUTED)})`.execute(
    database.db,
  );
  expect(rows).toHaveLength(2);
  for (const { table, columns } of rows)
    expect(columns).toContain(DISTRIBUTED[table as keyof typeof DISTRIBUTED]);
});

it('Citus supports the statements of all query functions', () => {
  expect(Object.fromEntries(broken)).toEqual({
    // Both filter by time across all nodes.
    'names no distribution column': new Set([
      'events: deleteOldEvents',
      'events: listVerifications',
    ]),
    // Reads the other tables in subqueries that Citus plans separately.
    'joins a table that is not distributed': new Set(['metrics: insertMetrics']),
  });
});
