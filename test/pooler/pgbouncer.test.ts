import { readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { assertOwnSessions, SharedSessionsError } from '#db/connections/own-sessions.ts';
import { JobQueue } from '#server/platform/jobs/job-queue.ts';
import { runCommand } from '../cli/support/command-line.ts';
import { eventually } from '../support/eventually.ts';
import { DEBIAN_BINARIES } from '../support/postgres-15-setup.ts';
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts';
import { fetchJson, spawnServer, startServer } from '../support/server-process.ts';
import { connectPostgresDatabase } from '../support/test-database.ts';
import { startPgBouncer } from './pgbouncer.ts';

let postgres: PostgresServer;
let url: string;
let databaseCount = 0;
beforeAll(async () => {
  postgres = await startPostgres({ binaries: DEBIAN_BINARIES });
});
afterAll(() => postgres.stop());
beforeEach(async () => {
  databaseCount += 1;
  await postgres.createDatabase(`pooled_${databaseCount}`);
  url = postgres.url(`pooled_${databaseCount}`);
});

it('job queues that open concurrently behind PgBouncer create their tables once', async () => {
  const pooler = await startPgBouncer(url);
  const { db, close } = connectPostgresDatabase(url);
  const openQueue = async () => {
    const jobs = new JobQueue({ url: pooler.toPoolerUrl(url), logger: { warn() {} } });
    await jobs.open();
    return jobs;
  };
  // Repeat: from the second round, PgBouncer reuses sessions that may have cached that the schema
  // is missing.
  for (let round = 0; round < 4; round++) {
    const queues = await Promise.all([openQueue(), openQueue(), openQueue()]);
    await Promise.all(queues.map((jobs) => jobs.close()));
    await sql`DROP SCHEMA pgboss CASCADE`.execute(db);
  }
  await close();
  await pooler.stop();
});

const REFUSAL =
  'DATABASE_URL points to a pooler that shares sessions between clients: use session pooling (pool_mode = session in PgBouncer), or connect to PostgreSQL directly.';

it('a server does not start behind PgBouncer in transaction mode, and the server and check explain what to do', async () => {
  const pooler = await startPgBouncer(url, { pool_mode: 'transaction' });
  const DATABASE_URL = pooler.toPoolerUrl(url);
  const server = spawnServer({ DATABASE_URL });
  expect(await server.exited).toBe(1);
  expect(server.stderr().trimEnd().split('\n').at(-1)).toBe(REFUSAL);
  expect(server.stderr()).not.toContain('Retrying');
  const { code, stdout } = await runCommand({ DATABASE_URL }, 'check', '--json');
  expect({ code, ...(JSON.parse(stdout) as object) }).toMatchObject({
    code: 1,
    findings: expect.arrayContaining([
      expect.objectContaining({ code: 'database', level: 'error', text: REFUSAL }),
    ]),
  });
  // No migration ran.
  const { db, close } = connectPostgresDatabase(url);
  expect(await db.introspection.getTables()).toEqual([]);
  await close();
  await pooler.stop();
});

it.each(['transaction', 'session'])(
  'a pooler in %s mode is detected correctly under load',
  async (pool_mode) => {
    const pooler = await startPgBouncer(url, { pool_mode });
    const otherConnections = connectPostgresDatabase(pooler.toPoolerUrl(url), { max: 6 });
    let isRunning = true;
    const load = Array.from({ length: 6 }, async () => {
      while (isRunning)
        await sql`SELECT count(*) FROM generate_series(1, 1000)`.execute(otherConnections.db);
    });
    let refusals = 0;
    for (let count = 0; count < 20; count += 1) {
      const [writes, reads] = [1, 2].map(() => connectPostgresDatabase(pooler.toPoolerUrl(url)));
      await assertOwnSessions(writes!.db, reads!.db).catch((error: unknown) => {
        expect(error).toBeInstanceOf(SharedSessionsError);
        refusals += 1;
      });
      await Promise.all([writes!.close(), reads!.close()]);
    }
    isRunning = false;
    await Promise.all(load);
    if (pool_mode === 'session') expect(refusals).toBe(0);
    // Under load, a connection may get the same session again by chance.
    else expect(refusals).toBeGreaterThanOrEqual(19);
    await otherConnections.close();
    await pooler.stop();
  },
);

it('with the documented settings of its role, a server with a job queue survives restarts of PostgreSQL behind PgBouncer', async () => {
  const documented = await readFile('docs/scaling.md', 'utf8');
  const statements = documented.match(/^ALTER ROLE nameplate SET \w+ = '\d+s';$/gm) ?? [];
  expect(statements).toHaveLength(3);
  const { db, close } = connectPostgresDatabase(url);
  for (const statement of statements)
    await sql.raw(statement.replace('ROLE nameplate', 'ROLE postgres')).execute(db);
  await close();
  const pooler = await startPgBouncer(url);
  const server = await startServer({
    DATABASE_URL: pooler.toPoolerUrl(url),
    EMAIL_FORWARDING_PROVIDER: 'postfix',
    // Nothing listens on this port.
    SMTP_URL: 'smtp://127.0.0.1:1?ignoreTLS=true',
    PUBLIC_URL: 'https://nameplate.example.org',
  });
  expect(server.stderr()).not.toContain('A pooler in front of PostgreSQL');
  const readReadiness = async () => (await fetchJson(`${server.url}/readyz`)).status;
  // Restart three times: whether a connection gets one or two errors depends on timing.
  for (let restart = 0; restart < 3; restart += 1) {
    await postgres.shutDown();
    await eventually(async () => expect(await readReadiness()).toBe(503));
    await postgres.ensureRunning();
    await eventually(async () => expect(await readReadiness()).toBe(200));
  }
  expect(server.stdout()).not.toContain('"level":"fatal"');
  await server.stop();
  await pooler.stop();
});
