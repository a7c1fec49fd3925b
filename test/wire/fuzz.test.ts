import { expect, it, onTestFinished } from 'vitest';
import { startServer } from '../support/server-process.ts';
import { insertTestAccount } from '../support/test-app.ts';
import { connectPostgresDatabase, createPostgresDatabase } from '../support/test-database.ts';
import { fuzz } from './fuzz.ts';

const seconds = Number(process.env['WIRE_SECONDS'] ?? 3);
const seed = Number(process.env['WIRE_SEED'] ?? Math.trunc(Math.random() * 2 ** 31));

it(
  `a server survives random input and stops normally (seed ${seed})`,
  async () => {
    const DATABASE_URL = await createPostgresDatabase('nameplate_template');
    const database = connectPostgresDatabase(DATABASE_URL);
    onTestFinished(() => database.close());
    const { key } = await insertTestAccount(database.db);
    const server = await startServer({ DATABASE_URL });
    const readErrors = () =>
      server
        .stdout()
        .split('\n')
        .filter((line) => /"level":"(?:error|fatal)"/.test(line))
        // On a busy machine, database connections and locks may time out.
        .filter((line) => !/due to (?:connection|lock|statement) timeout/.test(line));
    const { connections, silentSockets } = await fuzz(Number(new URL(server.url).port), {
      key,
      seed,
      seconds,
    });
    onTestFinished(() => silentSockets.forEach((socket) => socket.destroy()));
    expect(connections).toBeGreaterThan(seconds);

    expect(readErrors()).toEqual([]);
    // The server may still be overloaded.
    const response = await fetch(`${server.url}/site/get-site-status`, {
      headers: { 'x-api-key': key },
    });
    expect([200, 503]).toContain(response.status);
    expect(await (await fetch(`${server.url}/healthz`)).json()).toMatchObject({ status: 'ok' });

    server.signal('SIGTERM');
    expect(await server.exited).toBe(0);
    expect(readErrors()).toEqual([]);
  },
  (seconds + 300) * 1_000,
);
