import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { insertProject } from '#db/queries/projects.ts';
import { runCommand } from '../cli/support/command-line.ts';
import { DEBIAN_BINARIES } from '../support/postgres-15-setup.ts';
import { startPostgres } from '../support/postgres-server.ts';
import { fetchJson, startServer, createTempFolder } from '../support/server-process.ts';
import { insertTestAccount } from '../support/test-app.ts';
import { connectPostgresDatabase } from '../support/test-database.ts';

it('no connection uses JIT compilation', async () => {
  const postgres = await startPostgres({
    binaries: DEBIAN_BINARIES,
    // Makes PostgreSQL compile every plan and count the compilations.
    settings: { jit_above_cost: '0', shared_preload_libraries: 'pg_stat_statements' },
  });
  onTestFinished(() => postgres.stop());
  await postgres.createDatabase('compiled');
  const DATABASE_URL = postgres.url('compiled');
  const otherClient = new pg.Client({ connectionString: postgres.url('postgres') });
  await otherClient.connect();
  onTestFinished(() => otherClient.end());
  await otherClient.query('CREATE EXTENSION pg_stat_statements');
  const findCompiled = async (database: string) => {
    const { rows } = await otherClient.query<{ query: string }>(
      `SELECT query FROM pg_stat_statements WHERE jit_functions > 0 AND dbid =
        (SELECT oid FROM pg_database WHERE datname = $1)`,
      [database],
    );
    return rows.map(({ query }) => query);
  };

  const server = await startServer({
    DATABASE_URL,
    // Nothing listens on this port.
    SMTP_URL: 'smtp://127.0.0.1:1?ignoreTLS=true',
    PUBLIC_URL: 'https://nameplate.example.org',
  });
  const { db, close } = connectPostgresDatabase(DATABASE_URL);
  const { id, key } = await insertTestAccount(db);
  const { id: projectId } = await insertProject(db, id, 'Web');
  await close();
  const json = { projectId, payload: { ms: 12 } };
  const ingest = `${server.url}/stats/ingest-metrics`;
  expect((await fetchJson(ingest, { key, method: 'POST', json })).status).toBe(200);
  const headers = { 'x-api-key': key };
  for (const call of ['list-metrics', 'describe-metrics', 'export-metrics']) {
    const url = `${server.url}/owner/metrics/${call}?project_id=${projectId}`;
    expect((await fetch(url, { headers })).status).toBe(200);
  }
  expect((await fetch(`${server.url}/@nobody`)).status).toBe(404);
  const file = `${await createTempFolder()}/backup`;
  expect(await runCommand({ DATABASE_URL }, 'backup', file)).toMatchObject({ code: 0 });
  await server.stop();

  expect(await findCompiled('compiled')).toEqual([]);
  // Control: PostgreSQL does compile statements of a client that leaves JIT on.
  await otherClient.query('SELECT count(*) FROM pg_class');
  expect(await findCompiled('postgres')).toContain('SELECT count(*) FROM pg_class');
});
