import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { listen } from '../../db/connections/listen.ts';
import { eventually } from '../support/eventually.ts';
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts';
import { type DatabaseProxy, startDatabaseProxy } from './support/database-proxy.ts';

const CHANNEL = 'listener_test';

let postgres: PostgresServer;
let proxy: DatabaseProxy;
beforeAll(async () => {
  postgres = await startPostgres();
  await postgres.createDatabase('heard');
});
afterAll(() => postgres.stop());
beforeEach(async () => {
  proxy = await startDatabaseProxy(postgres.url('heard'));
});
afterEach(() => proxy.close());

let heard: string[];
let begun: number;
let deaf: number;
function start({ connectionString = proxy.url, channel = CHANNEL, beatMs = 1_000 } = {}) {
  heard = [];
  begun = 0;
  deaf = 0;
  const stop = listen({
    connectionString,
    channel,
    beatMs,
    onNotification: (payload) => heard.push(payload),
    onListening: () => {
      begun += 1;
    },
    onDeaf: () => {
      deaf += 1;
    },
  });
  onTestFinished(stop);
  return stop;
}

/** Runs a statement on a connection of its own, around the proxy. */
async function query(text: string, values: string[] = []): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: postgres.url('heard') });
  await client.connect();
  const { rows } = await client.query(text, values);
  await client.end();
  return rows;
}

async function untilListening(times: number): Promise<void> {
  await eventually(() => expect(begun).toBeGreaterThanOrEqual(times));
}

/** Waits until a statement is sent, and delays it until `passOn` resolves. */
async function untilSent(text: string, passOn = Promise.resolve()): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  proxy.before(text, () => {
    resolve();
    return passOn;
  });
  await promise;
}

async function expectHears(payload: string): Promise<void> {
  await query('SELECT pg_notify($1, $2)', [CHANNEL, payload]);
  await eventually(() => expect(heard).toContain(payload));
}

const LISTENERS =
  "FROM pg_stat_activity WHERE datname = 'heard' AND application_name = 'nameplate listener'";

it('is one connection with a name of its own, which is gone when it is stopped', async () => {
  const stop = start();
  await untilListening(1);
  expect(await query(`SELECT query ${LISTENERS}`)).toHaveLength(1);
  await expectHears('hello');
  await stop();
  await eventually(async () => expect(await query(`SELECT ${LISTENERS}`)).toEqual([]));
});

it('whose connection the server ends says so, makes another and hears again', async () => {
  const stop = start();
  await untilListening(1);
  await expectHears('before');
  await query(`SELECT pg_terminate_backend(pid) ${LISTENERS}`);
  await untilListening(2);
  await expectHears('after');
  expect(deaf).toBeGreaterThanOrEqual(1);
  await stop();
});

it('whose connection dies without anybody having been told notices, and hears again', async () => {
  const stop = start();
  await untilListening(1);
  proxy.freeze();
  await untilListening(2);
  await expectHears('after the silence');
  await stop();
});

it('waits for a database that is restarted, and tells of it once', async () => {
  const stop = start({ connectionString: postgres.url('heard'), beatMs: 10_000 });
  await untilListening(1);
  await postgres.pause();
  await eventually(() => expect(deaf).toBe(1));
  await postgres.resume();
  await untilListening(2);
  await expectHears('after the restart');
  expect(deaf).toBe(1);
  await stop();
});

it('lives with a pooler that refuses to listen, and tells of it once', async () => {
  proxy.replace('LISTEN', 'RESIST');
  const stop = start();
  for (let attempts = 0; attempts < 3; attempts += 1) await untilSent('LISTEN');
  expect([begun, deaf]).toEqual([0, 1]);
  proxy.replace('RESIST', 'LISTEN');
  await untilListening(1);
  await expectHears('after all');
  await stop();
});

it.each([
  ['while it listens', () => untilListening(1)],
  ['before it is connected', () => Promise.resolve()],
  [
    'on a connection that died silently',
    async () => {
      await untilListening(1);
      proxy.freeze();
    },
  ],
  [
    'while it waits for the answer to a beat',
    async () => {
      await untilListening(1);
      await untilSent('SELECT 1', new Promise(() => {}));
    },
  ],
])('that is stopped %s stops', async (_when, prepare) => {
  const stop = start({ beatMs: 200 });
  await prepare();
  await stop();
});

it('that is stopped while nothing answers stops', async () => {
  await proxy.close();
  const stop = start();
  await eventually(() => expect(deaf).toBe(1));
  await stop();
  expect(begun).toBe(0);
  proxy = await startDatabaseProxy(postgres.url('heard'));
});
