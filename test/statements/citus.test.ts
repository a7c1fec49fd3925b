import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openRecordingDatabase, type RecordingDatabase, type Sent } from './recorded.ts';
import { isPlanned, type Plan, planOf } from './scans.ts';

/** What `db/citus.sql` says: the tables that lie on several machines, and by which column. */
const DISTRIBUTED: Record<string, string> = { metrics: 'project_id', events: 'account_id' };
/** Those of which every machine has a copy. */
const EVERYWHERE = new Set(['accounts', 'projects']);

let database: RecordingDatabase;
const sent: (Sent & { tables: Set<string>; text: string })[] = [];
beforeAll(async () => {
  database = await openRecordingDatabase();
  await database.callAll(async (trx, call) => {
    for (const { sql: text } of call.statements)
      if (isPlanned(text)) sent.push({ ...call, text, tables: tablesOf(await planOf(trx, text)) });
  });
});
afterAll(() => database.close());

function tablesOf(plan: Plan): Set<string> {
  const own = plan['Relation Name']?.replace(/_\d+(?:_\d+)?$/, '');
  const below = (plan.Plans ?? []).flatMap((part) => [...tablesOf(part)]);
  return new Set(own === undefined ? below : [own, ...below]);
}

function callsWhere(is: (statement: (typeof sent)[number]) => boolean): string[] {
  return [...new Set(sent.filter(is).map(({ by }) => by.replace(/\(.*/s, '')))];
}

it('the file for the operator distributes these tables', async () => {
  const file = await readFile(new URL('../../db/citus.sql', import.meta.url), 'utf8');
  const calls = [...file.matchAll(/SELECT create_(\w+)_table\('(\w+)'(?:, '(\w+)')?\)/g)];
  const told = calls.map(([, kind, table, column]) => [kind, table, column]);
  expect(told).toEqual([
    ...[...EVERYWHERE].map((table) => ['reference', table, undefined]),
    ...Object.entries(DISTRIBUTED).map(([table, column]) => ['distributed', table, column]),
  ]);
});

it('what is done in a conflict does not depend on the time or the time zone', () => {
  const isUnsteady = /\b(?:now|clock_timestamp|current_\w+|interval|extract|date_trunc)\b/i;
  const clause = /on conflict[^]*?(?=\breturning\b|$)/gi;
  expect(
    callsWhere(({ text }) => (text.match(clause) ?? []).some((part) => isUnsteady.test(part))),
  ).toEqual([]);
});

it('a statement about a table that is distributed names the project or the account', () => {
  const isSomewhere = ({ text, tables }: (typeof sent)[number]) =>
    Object.entries(DISTRIBUTED).some(([table, column]) => {
      const names = new RegExp(
        `${column}"? = (?:ANY \\(+)?\\$\\d|insert into "?${table}"? \\("?(?:\\w|", ")*${column}`,
        'i',
      );
      return tables.has(table) && !names.test(text);
    });
  expect(callsWhere(isSomewhere)).toEqual(['events: deleteOldEvents']);
});

it('a statement about a table that is distributed is about no other that is not everywhere', () => {
  const isJoined = ({ tables }: (typeof sent)[number]) =>
    Object.keys(DISTRIBUTED).some((table) => tables.has(table)) &&
    [...tables].filter((table) => !EVERYWHERE.has(table)).length > 1;
  // It reads and writes the other one in parts of its own.
  expect(callsWhere(isJoined)).toEqual(['metrics: insertMetrics']);
});
