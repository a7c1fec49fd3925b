import { afterAll, beforeAll, expect, it } from 'vitest';
import { findFreePort, type PostgresServer, startPostgres } from '../support/postgres-server.ts';
import { fetchJson, spawnServer } from '../support/server-process.ts';
import { insertTestAccount } from '../support/test-app.ts';
import { connectPostgresDatabase } from '../support/test-database.ts';

let postgres: PostgresServer;
let DATABASE_URL: string;
beforeAll(async () => {
  postgres = await startPostgres();
  await postgres.createDatabase('restarted');
  DATABASE_URL = postgres.url('restarted');
});
afterAll(() => postgres.stop());

async function readReadiness(url: string): Promise<[healthz: number, readyz: number]> {
  const [healthz, readyz] = await Promise.all([
    fetchJson(`${url}/healthz`),
    fetchJson(`${url}/readyz`),
  ]);
  return [healthz.status, readyz.status];
}

it('a server that starts without its database reports it, keeps running and becomes ready; requests fail during a restart', async () => {
  await postgres.shutDown();
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const server = spawnServer({ DATABASE_URL, PORT: String(port) });
  await server.waitFor(
    /^The PostgreSQL server of DATABASE_URL cannot be reached: nothing listens there \(ECONNREFUSED\)\. Retrying in 1 s\.$/m,
  );
  expect(server.stderr()).not.toMatch(/ {4}at |listens on/);
  expect(await readReadiness(url)).toEqual([200, 503]);
  const response = await fetch(`${url}/readyz`);
  expect(response.headers.get('retry-after')).toBe('1');
  expect(await response.json()).toEqual({ error: 'The service is not ready.' });

  await postgres.ensureRunning();
  await server.waitFor(/^Ready\./m);
  expect(server.stderr()).toContain(`Nameplate listens on ${url} `);
  expect(await readReadiness(url)).toEqual([200, 200]);

  const { db, close } = connectPostgresDatabase(DATABASE_URL);
  const { key } = await insertTestAccount(db);
  await close();
  const toggle = () =>
    fetch(`${url}/site/toggle-site-visibility`, {
      method: 'POST',
      headers: { 'x-api-key': key },
    });
  const readStatus = () => fetchJson(`${url}/site/get-site-status`, { key });
  expect((await toggle()).status).toBe(200);
  expect(await readStatus()).toEqual({ status: 200, body: { enabled: true } });

  await postgres.shutDown();
  for (let count = 0; count < 3; count += 1) {
    const failed = await toggle();
    expect(failed.status).toBe(500);
    expect(failed.headers.get('retry-after')).toBe('1');
    expect(await failed.json()).toEqual({ error: 'The visibility could not be updated.' });
    expect(await readStatus()).toEqual({
      status: 500,
      body: { error: 'The site status could not be fetched.' },
    });
  }
  expect(await readReadiness(url)).toEqual([200, 503]);
  const page = await fetch(`${url}/@jane-doe`, { headers: { accept: 'text/html' } });
  expect([page.status, page.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await page.text()).toContain('Back in a moment');

  await postgres.ensureRunning();
  expect(await readStatus()).toEqual({ status: 200, body: { enabled: true } });
  expect((await toggle()).status).toBe(200);
  expect(await readStatus()).toEqual({ status: 200, body: { enabled: false } });
  expect(await readReadiness(url)).toEqual([200, 200]);
});
