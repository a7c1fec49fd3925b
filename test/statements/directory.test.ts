import { sql } from 'kysely';
import pg from 'pg';
import { beforeAll, expect, it, vi } from 'vitest';
import { countDirectory, listDirectory } from '#db/queries/directory.ts';
import { countMembers, listMemberContacts, listMembers } from '#db/queries/members.ts';
import { listFrontPageEvents } from '#db/queries/public-sites.ts';
import { useServer } from '../support/use-server.ts';

const { server } = useServer({ TRUST_ACCOUNTS: 'true' });

beforeAll(async () => {
  const { db } = server;
  await sql`INSERT INTO accounts (created_at)
    SELECT now() - interval '30 days' FROM generate_series(1, 10000)`.execute(db);
  await sql`INSERT INTO display_names (name, account_id)
    SELECT 'name-' || row_number() OVER (), id FROM accounts`.execute(db);
  await sql`INSERT INTO sites (account_id, enabled, on_front_page, display_name, bio)
    SELECT id, true, true, 'Zoë Müller', 'Sails' FROM accounts`.execute(db);
  await sql`INSERT INTO blocks (account_id, id, position, type, enabled, fields)
    SELECT id, id, 0, 'event', true, '{"starts_at":"2024-06-01T20:00","repeats":"never"}' FROM accounts`.execute(
    db,
  );
  await sql`ANALYZE accounts, display_names, sites, blocks`.execute(db);
});

/** The plan of the last statement of `send`, with the rows that it read. */
async function analyze(send: () => Promise<unknown>): Promise<string[]> {
  const query = vi.spyOn(pg.Client.prototype, 'query');
  await send();
  const [{ text, values }] = query.mock.calls.at(-1) as unknown as [
    { text: string; values: unknown[] },
  ];
  query.mockRestore();
  const literals = values.map((value) =>
    sql.lit(
      value instanceof Date
        ? value.toISOString()
        : Array.isArray(value)
          ? `{${value.join()}}`
          : value,
    ),
  );
  const { rows } = await server.db.connection().execute(async (connection) => {
    await sql`PREPARE analyzed AS ${sql.raw(text)}`.execute(connection);
    const plan = await sql<{ 'QUERY PLAN': string }>`
      EXPLAIN (ANALYZE) EXECUTE analyzed ${literals.length > 0 ? sql`(${sql.join(literals)})` : sql``}`.execute(
      connection,
    );
    await sql`DEALLOCATE analyzed`.execute(connection);
    return plan;
  });
  return rows.map((row) => row['QUERY PLAN']);
}

const list = { forMembers: true, joinedBefore: new Date() };

it.each(['', 'muller', 'sails name-'])(
  'the first page of 10,000 members reads 60 of them, searching for “%s”',
  async (search) => {
    const plan = await analyze(async () => {
      const page = await listDirectory(server.db, { ...list, search, offset: 0, limit: 60 });
      expect(page).toHaveLength(60);
      expect(page[0]).toMatchObject({ title: 'Zoë Müller', letter: 'Z' });
    });
    expect(plan.join('\n')).toContain('sites_listed_text');
    expect(plan.join('\n')).not.toContain('Seq Scan');
    for (const line of plan) expect(line).not.toMatch(/rows=(?!(?:60|[12])\.00)[\d.]+ loops/);
  },
);

it.each(['', 'muller', 'nobody'])(
  'counting 10,000 members reads each table at most once, searching for “%s”',
  async (search) => {
    const letters = search === 'nobody' ? [] : [{ letter: 'Z', count: 10_000 }];
    const plan = await analyze(async () => {
      expect(await countDirectory(server.db, { ...list, search })).toEqual(letters);
    });
    expect(plan.join('\n')).toContain('loops=1)');
    expect(plan.filter((line) => /loops=(?!1\))/.test(line))).toEqual([]);
  },
);

it('a page of the list is read anew, the number of members at most once a minute', async () => {
  const { instanceStore } = server.nameplate;
  await instanceStore.set({ ...instanceStore.current, directory: 'everybody' });
  const query = vi.spyOn(pg.Client.prototype, 'query');
  for (let visit = 0; visit < 3; visit += 1)
    expect((await server.app.inject('/members')).body).toContain('1 to 60 of 10,000');
  const texts = (query.mock.calls as unknown as { text?: string }[][]).map(([sent]) => sent?.text);
  query.mockRestore();
  expect(texts.filter((text) => text?.includes('left(sites.bio'))).toHaveLength(3);
  expect(texts.filter((text) => text?.includes('min(left(sites.listed_text'))).toHaveLength(1);
});

it('the export of 10,000 members reads each table at most once', async () => {
  const plan = await analyze(async () => {
    expect(await listMemberContacts(server.db, {})).toHaveLength(10_000);
  });
  expect(plan.filter((line) => line.includes('Scan') && /loops=(?!1\))/.test(line))).toEqual([]);
});

it("an operators' search that finds all 10,000 members reads their names once, and no other text", async () => {
  const { db } = server;
  const find = () => listMembers(db, { search: 'name', limit: 50 });
  const count = () => countMembers(db, { search: 'name' });
  for (const send of [find, count]) {
    const plan = await analyze(send);
    const unread = plan.filter((line) => line.includes('never executed')).join('\n');
    for (const table of ['sites', 'forwarding_settings', 'pending_emails'])
      expect(unread).toMatch(new RegExp(` on ${table}\\b`));
    expect(plan.filter((line) => /Seq Scan on \w+ .*loops=(?:\d{3,})\)/.test(line))).toEqual([]);
  }
});

it('the front page reads none of 10,000 events that have passed', async () => {
  const plan = await analyze(() =>
    listFrontPageEvents(server.db, { joinedBefore: new Date(), from: '2026-01-01', limit: 500 }),
  );
  expect(plan.find((line) => line.includes('blocks_last_event_day'))).toContain(' rows=0.00 ');
});

it('the front page counts its members once, if they are more than it shows', async () => {
  const query = vi.spyOn(pg.Client.prototype, 'query');
  for (let visit = 0; visit < 3; visit += 1)
    expect((await server.app.inject('/')).statusCode).toBe(200);
  const texts = (query.mock.calls as unknown as { text?: string }[][]).map(([sent]) => sent?.text);
  query.mockRestore();
  expect(texts.filter((text) => text?.includes('left(sites.bio'))).toHaveLength(3);
  expect(texts.filter((text) => text?.startsWith('select cast(count'))).toHaveLength(1);
});
