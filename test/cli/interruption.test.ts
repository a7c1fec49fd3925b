import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { onTestFinished, beforeAll, expect, it, afterAll } from 'vitest';
import { insertAccount } from '#db/queries/accounts.ts';
import { insertProject } from '#db/queries/projects.ts';
import { waitForBlockedQuery } from '../support/database-locks.ts';
import { listen } from '../support/listen.ts';
import { openTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { spawnCommand } from './support/command-line.ts';

const ROWS = 20_000;
/** Hashes have half of their size in an archive. */
const BYTES = (ROWS * 1_024) / 2;

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
  const project = await database.db
    .transaction()
    .execute(async (trx) => (await insertProject(trx, await insertAccount(trx), 'Shop')).id);
  await sql`INSERT INTO metrics (project_id, payload)
    SELECT ${project}::uuid, json_build_object('text', string_agg(encode(sha512(i::text::bytea), 'hex'), ''))
    FROM generate_series(1, ${ROWS * 8}::int) AS i GROUP BY i % ${ROWS}::int`.execute(database.db);
});
afterAll(() => database.close());

async function startCountingProxy(): Promise<{ url: string; received: () => number }> {
  const databaseUrl = new URL(database.url ?? '');
  let received = 0;
  const proxy = createServer((client) => {
    const server = connect(Number(databaseUrl.port), databaseUrl.hostname);
    client.on('error', () => server.destroy()).pipe(server);
    server.on('data', (chunk) => (received += chunk.length));
    server.on('error', () => client.destroy()).pipe(client);
  });
  const { port } = await listen(proxy);
  onTestFinished(() => void proxy.close());
  const url = new URL(databaseUrl);
  url.port = String(port);
  return { url: url.href, received: () => received };
}

it('a command that is interrupted by a second Ctrl-C exits at once, even while it waits for a lock', async () => {
  const account = await database.db.transaction().execute((trx) => insertAccount(trx));
  await database.db.transaction().execute(async (trx) => {
    await sql`SELECT FROM accounts WHERE id = ${account} FOR UPDATE`.execute(trx);
    const { child, exited } = spawnCommand(
      { DATABASE_URL: database.url ?? '' },
      ...['members.updateMemberRole', '--account', account, '--operator'],
    );
    await waitForBlockedQuery(database.db);
    const interval = setInterval(() => child.kill('SIGINT'), 100);
    const result = await exited;
    clearInterval(interval);
    expect(result).toEqual({ code: null, signal: 'SIGINT', stderr: '' });
  });
});

it('a backup applies backpressure for a slow reader', async () => {
  const { url, received } = await startCountingProxy();
  const { child, exited } = spawnCommand({ DATABASE_URL: url }, 'backup', '-');
  await once(child.stdout, 'readable');
  // Waits until backpressure stops the transfer.
  for (let before = -1; received() > before; await sleep(1_000)) before = received();
  expect(received()).toBeLessThan(BYTES);
  let bytes = 0;
  for await (const chunk of child.stdout) bytes += (chunk as Buffer).length;
  expect(bytes).toBeGreaterThan(BYTES);
  expect(await exited).toEqual({ code: 0, signal: null, stderr: '' });
});
