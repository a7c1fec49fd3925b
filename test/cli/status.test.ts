import { sql } from 'kysely';
import { PgBoss } from 'pg-boss';
import { describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { insertProject } from '#db/queries/projects.ts';
import { insertTestAccount } from '../support/test-app.ts';
import { createDatabase, runCommand, runJson } from './support/command-line.ts';
import { ALL_FEATURES } from '#server/features/call-features.ts';
import { listJobs } from '#server/process/jobs.ts';
import { isEmpty, readContents } from './support/contents.ts';

const NO_JOBS = {
  waiting: 0,
  deferred: 0,
  awaiting_retry: 0,
  active: 0,
  failed: 0,
  oldest_at: null,
};

describe('status', () => {
  it('summarizes the instance, and changes nothing', async () => {
    const { settings, db } = await createDatabase();
    const { id } = await insertTestAccount(db);
    await insertTestAccount(db);
    await sql`UPDATE accounts SET suspended_at = now() WHERE id <> ${id}`.execute(db);
    await insertProject(db, id, 'Shop');
    await sql`INSERT INTO reports (account_id, name, reason, closed_at, outcome)
      VALUES (${id}, 'one', 'scam', NULL, NULL), (${id}, 'one', 'scam', now(), 'dismissed')`.execute(
      db,
    );
    await sql`INSERT INTO provider_aliases (name, last_error)
      VALUES ('one', '{"code": "notJson"}'), ('two', NULL), ('three', NULL)`.execute(db);
    await sql`UPDATE provider_aliases SET synced_revision = revision WHERE name = 'three'`.execute(
      db,
    );
    const before = await readContents(db);

    expect((await runCommand(settings, 'status')).stderr).toBe(
      'Deprecated: The command `status` will be removed in 0.4.0. Use `nameplate check`.\n',
    );
    const status = await runJson(settings, 'status');
    expect(status).toMatchObject({
      version: packageJson.version,
      database: { description: expect.stringMatching(/^PostgreSQL at [^@]+$/), read_only: false },
      migrations: { applied: expect.arrayContaining(['0001-initial']), due: [], unknown: [] },
      service: {
        metrics: { months_ahead: 3 },
        accounts: { all: 2, suspended: 1 },
        forwarding: {
          provider: 'none',
          unsettled: {
            count: 2,
            names: [
              { name: 'one', last_error: 'The response of the provider is not JSON.' },
              { name: 'two', last_error: null },
            ],
          },
        },
        reports: { open: 1 },
        queue: listJobs(ALL_FEATURES)
          .map(({ kind }) => kind)
          .toSorted()
          .map((kind) => ({ ...NO_JOBS, kind })),
        last_backup_at: null,
      },
    });
    const { stdout } = await runCommand(settings, 'status');
    expect(stdout).toMatch(
      /^Version +[\d.]+\nDatabase +PostgreSQL at .* MB\nWrites +accepted\nMigrations +up to date\n/,
    );
    expect(stdout).toMatch(
      /^Accounts +2 \(1 suspended\)\nForwarding +none, unsynced names: 2 \(one: The response of the provider is not JSON\.\)\nReports +1 open\nLast backup +never$/m,
    );
    expect(stdout).toMatch(/^Table +Size +Rows \(approx\.\)\n\w+ +\d+\.\d MB/m);
    expect(await readContents(db)).toEqual(before);
  });

  it('shows the pending jobs and their age', async () => {
    const { settings, database } = await createDatabase();
    const queue = new PgBoss({
      connectionString: database.url!,
      schedule: false,
      supervise: false,
    });
    await queue.start();
    for (const singletonKey of ['one', 'two'])
      await queue.send('forwarding', { name: singletonKey }, { singletonKey });
    await queue.fetch('forwarding');
    await queue.stop({ graceful: false });
    expect(await runJson(settings, 'status')).toMatchObject({
      service: {
        queue: expect.arrayContaining([
          {
            ...{ ...NO_JOBS, kind: 'forwarding', waiting: 1, active: 1 },
            oldest_at: expect.stringMatching(/Z$/) as string,
          },
          { ...NO_JOBS, kind: 'mail' },
        ]) as unknown,
      },
    });
    expect((await runCommand(settings, 'status')).stdout).toMatch(
      /^Jobs: forwarding +waiting: 1 \(since .* UTC, after a failure: 0\), active: 1, failed: 0$/m,
    );
  });

  it('lists pending migrations, and runs none', async () => {
    const { settings, db } = await createDatabase('template1');
    expect(await runJson(settings, 'status')).toMatchObject({
      migrations: {
        applied: [],
        due: expect.arrayContaining(['0001-initial']) as string[],
        unknown: [],
      },
      service: null,
    });
    expect(await isEmpty(db)).toBe(true);
  });

  it.each([
    [
      'a newer version has migrated',
      "INSERT INTO kysely_migration VALUES ('9999-future', 'now')",
      /^Migrations +from a newer version: 9999-future$/m,
    ],
    [
      'is read-only',
      'ALTER DATABASE $name SET default_transaction_read_only = on',
      /^Writes +refused: the database is read-only$/m,
    ],
    [
      'was backed up three days ago',
      "INSERT INTO last_backup (finished_at) VALUES (now() - interval '3 days')",
      /^Last backup +[-\d]+ [:\d]+ UTC, 3 days ago$/m,
    ],
  ])('shows that a database %s', async (_state, statement, line) => {
    const { settings, db, name } = await createDatabase();
    await sql.raw(statement.replace('$name', name)).execute(db);
    const { code, stdout } = await runCommand(settings, 'status');
    expect(code).toBe(0);
    expect(stdout).toMatch(line);
  });
});
