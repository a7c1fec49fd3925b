import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CALLS } from './cases.ts';
import { findQueryFiles, openRecordingDatabase, type RecordingDatabase } from './recorded.ts';
import { findLeaders, isPlanned, planOf, pretendRows, wholeReads } from './scans.ts';

const ROWS = 10_000_000;

/** Tables with at most an hour's rows. */
const SMALL = /^chat_(?:rejections|send_counts)/;

let database: RecordingDatabase;
beforeAll(async () => {
  database = await openRecordingDatabase();
  await pretendRows(database.db, ROWS);
});
afterAll(() => database.close());

it('every query file has cases', async () => {
  expect(Object.keys(CALLS).toSorted()).toEqual([...(await findQueryFiles()).keys()].toSorted());
});

it('no statement scans a big table, except those that need all of it', async () => {
  const whole = await wholeReadsOf(database);
  expect(Object.keys(whole)).toEqual([
    'chat-stops: countChatStops()',
    'provider-aliases: listForwarding()',
    'jobs: readQueue()',
    'operators: listOperators()',
    'provider-destinations: findUnwantedDestinations(1)',
  ]);
});

it('rows that reference a deleted row are found with an index', async () => {
  const { rows } = await sql`
    SELECT conrelid::regclass::text AS table, conname AS constraint FROM pg_constraint
    WHERE connamespace = current_schema()::regnamespace
      AND contype = 'f' AND conparentid = 0 AND NOT EXISTS (
      SELECT FROM pg_index
      WHERE indrelid = conrelid AND indkey[0] = conkey[1] AND indpred IS NULL
    )`.execute(database.db);
  expect(rows).toEqual([]);
});

/** Tables that a call may read completely. */
async function wholeReadsOf({ db, callAll }: RecordingDatabase): Promise<Record<string, string[]>> {
  const leaders = await findLeaders(db);
  const whole: Record<string, string[]> = {};
  await callAll(async (trx, { by, statements }) => {
    const plans = [];
    for (const { sql: text } of statements)
      if (isPlanned(text)) plans.push(await planOf(trx, text));
    const reads = plans.flatMap((plan) => wholeReads(plan, leaders));
    const big = reads.filter((read) => !SMALL.test(read));
    if (big.length > 0) whole[by] = big;
  });
  return whole;
}
