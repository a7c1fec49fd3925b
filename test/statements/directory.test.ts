import { sql } from 'kysely';
import pg from 'pg';
import { beforeAll, expect, it, vi } from 'vitest';
import { listDirectory } from '#db/queries/directory.ts';
import { useServer } from '../support/use-server.ts';

const { server } = useServer({});

beforeAll(async () => {
  const { db } = server;
  await sql`INSERT INTO accounts (created_at)
    SELECT now() - interval '30 days' FROM generate_series(1, 10000)`.execute(db);
  await sql`INSERT INTO display_names (name, account_id)
    SELECT 'name-' || row_number() OVER (), id FROM accounts`.execute(db);
  await sql`INSERT INTO sites (account_id, enabled, on_front_page, display_name, bio)
    SELECT id, true, true, 'Zoë Müller', 'Sails' FROM accounts`.execute(db);
  await sql`ANALYZE accounts, display_names, sites`.execute(db);
});

it.each(['', 'muller'])(
  'the list of 10,000 members reads each table once, searching for “%s”',
  async (search) => {
    const { db } = server;
    const query = vi.spyOn(pg.Client.prototype, 'query');
    const { entries, letters } = await listDirectory(db, {
      ...{ search, forMembers: true, unlessObjected: true, joinedBefore: new Date() },
      ...{ offset: 0, limit: 60 },
    });
    const [{ text, values }] = query.mock.calls.at(-1) as unknown as [
      { text: string; values: unknown[] },
    ];
    query.mockRestore();
    expect(entries).toHaveLength(60);
    expect(letters).toEqual([{ letter: 'Z', count: 10_000 }]);

    const name = `list ${search}`;
    const literals = values.map((value) =>
      sql.lit(value instanceof Date ? value.toISOString() : value),
    );
    const { rows } = await db.connection().execute(async (connection) => {
      await sql`PREPARE ${sql.id(name)} AS ${sql.raw(text)}`.execute(connection);
      return sql<{ 'QUERY PLAN': string }>`
        EXPLAIN (ANALYZE) EXECUTE ${sql.id(name)} (${sql.join(literals)})`.execute(connection);
    });
    const plan = rows.map((row) => row['QUERY PLAN']);
    expect(plan.join('\n')).toContain('loops=1)');
    expect(plan.filter((line) => /loops=(?!1\))/.test(line))).toEqual([]);
  },
);
