import { readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertEveryKindOfRow } from '../cli/support/every-kind-of-row.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { findViolations, type CitusRules, readCitusRules } from './citus-rules.ts';
import { recordStatements } from './record-statements.ts';
import {
  explain,
  findFullScans,
  type Plan,
  readLeadingColumns,
  setPlannerStatistics,
} from './scans.ts';

/** Statements with the endpoint, path or job that sends them. */
let statements: Map<string, string>;
let server: TestApp;
beforeAll(async () => {
  statements = await recordStatements();
  server = await startTestApp();
  // The planner only uses statistics of tables and partitions with rows.
  await insertEveryKindOfRow(server);
  await server.sql`INSERT INTO metrics (project_id, received_at, payload)
    SELECT id, date_trunc('month', now()) + months * interval '1 month', '{}'
    FROM projects, generate_series(0, 3) AS months`;
});
afterAll(() => server.close());

it('rows that reference a deleted row are found with an index', async () => {
  const rows = await server.sql`
    SELECT conrelid::regclass::text AS table, conname AS constraint FROM pg_constraint
    WHERE connamespace = current_schema()::regnamespace
      AND contype = 'f' AND conparentid = 0 AND NOT EXISTS (
      SELECT FROM pg_index
      WHERE indrelid = conrelid AND indkey[0] = conkey[1] AND indpred IS NULL
    )`;
  expect(rows).toEqual([]);
});

/**
 * System tables, tables with one row or with rows of one hour, the group addresses, of which there
 * are at most 100, groups, of which there are 200, lists imported in a day, invitations, which are deleted 30 days after they expire, apps and websites, of
 * which those that nobody uses are limited, and signing keys.
 */
const SMALL_TABLES =
  /^address(?:es|_recipients)|^chat_(?:rejections|send_counts)|^group(?:s|_imports)$|^instance$|^invitations$|^oauth_(?:clients|keys)$|^kysely_|^pg_/;
/**
 * Counting all accounts, at most once a minute, or the members that get a message or are exported, and reading all
 * operators, who are few, or their connections.
 */
const ALLOWED_SCANS = new Set([
  'deleteAccount',
  'exportMembers',
  'getServer',
  'previewMessage',
  'updateGroupAddress',
  'updateMemberRole',
]);

/** Statements use these with filters that the recorded requests lack, or when few rows match. */
const USED_OTHERWISE = [
  'audit_log_name',
  'events_domain_verified',
  'forwarding_settings_unconfirmed',
  'owner_mails_account_id',
  'owner_mails_address_hash',
  'sessions_sid',
  'sign_ups_invitation_hash',
];

it('with ten million rows in each table, no statement scans a big table', async () => {
  await setPlannerStatistics(server.db, 10_000_000);
  const leadingColumns = await readLeadingColumns(server.db);
  const scans: Record<string, string[]> = {};
  for (const [text, sender] of statements) {
    const tables = findFullScans(await explain(server.db, text), leadingColumns);
    const largeTables = tables.filter((table) => !SMALL_TABLES.test(table));
    if (largeTables.length > 0 && !ALLOWED_SCANS.has(sender))
      scans[sender] = [...(scans[sender] ?? []), ...largeTables];
  }
  expect(scans).toEqual({});
});

it('with ten million rows in each table, every index is needed: a statement uses it, or it is unique or for a foreign key', async () => {
  await setPlannerStatistics(server.db, 10_000_000);
  const plans: Plan[] = [];
  for (const text of statements.keys()) plans.push(await explain(server.db, text));
  const used = new Set(JSON.stringify(plans).match(/(?<="Index Name":")\w+/g));
  const rows = await server.sql<{ name: string }>`
      SELECT indexrelid::regclass::text AS name FROM pg_index
        JOIN pg_class ON pg_class.oid = indrelid
      WHERE relnamespace = current_schema()::regnamespace AND NOT relispartition AND NOT indisunique
        AND NOT EXISTS (SELECT FROM pg_constraint
          WHERE contype = 'f' AND conrelid = indrelid AND conkey[1] = indkey[0] AND indpred IS NULL)
      ORDER BY name`;
  expect(rows.map(({ name }) => name).filter((name) => !used.has(name))).toEqual(USED_OTHERWISE);
});

describe('with Citus', () => {
  /** Distributed tables with their distribution column. */
  const DISTRIBUTED = { metrics: 'project_id', events: 'account_id' };

  let file: string;
  let rules: CitusRules;
  beforeAll(async () => {
    file = await readFile(new URL('../../db/citus.sql', import.meta.url), 'utf8');
    for (const [statement] of file.matchAll(/^ALTER TABLE [^;]*;/gm))
      await sql.raw(statement).execute(server.db);
    rules = await readCitusRules(server.db, readDistributedTables());
  });

  /** The tables that the SQL file distributes, with their distribution column. */
  function readDistributedTables(): [table: string, column: string | undefined][] {
    const calls = file.matchAll(/SELECT create_\w+_table\('(\w+)'(?:, '(\w+)')?\)/g);
    return [...calls].map(([, table, column]) => [table!, column]);
  }

  it("with Citus, the operator's SQL file distributes these tables", () => {
    expect(readDistributedTables()).toEqual(Object.entries(DISTRIBUTED));
  });

  it('with Citus, no foreign key makes Citus manage another table', () => {
    expect([...rules.managed].toSorted()).toEqual(Object.keys(DISTRIBUTED).toSorted());
  });

  it('with Citus, each unique index of a distributed table contains the distribution column', async () => {
    const rows = await server.sql<{ table: string; columns: string[] }>`
    SELECT indrelid::regclass::text AS table,
      ARRAY(SELECT attname::text FROM pg_attribute
        WHERE attrelid = indrelid AND attnum = ANY (indkey)) AS columns
    FROM pg_index
    WHERE indisunique AND indrelid::regclass::text = ANY (${Object.keys(DISTRIBUTED)})`;
    expect(rows).toHaveLength(2);
    for (const { table, columns } of rows)
      expect(columns).toContain(DISTRIBUTED[table as keyof typeof DISTRIBUTED]);
  });

  it('with Citus, every statement is supported, except these', async () => {
    const violations: Record<string, string[]> = {};
    for (const [text, sender] of statements)
      for (const rule of findViolations(rules, text, await explain(server.db, text)))
        (violations[rule] ??= []).push(sender);
    expect(violations).toEqual({
      // The maintenance deletes old events on all nodes.
      'names no distribution column': ['maintenance'],
      // Its statement reads the other tables in subqueries that Citus plans separately.
      'joins a table that is not distributed': ['ingestMetrics'],
    });
  });
});
