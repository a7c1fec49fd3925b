import { type Transaction, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../db/schema.ts';
import { eventually } from '../support/eventually.ts';
import { type Reply, send } from '../support/call.ts';
import { startTestApp, type TestAccount, type TestApp } from '../support/test-app.ts';
import {
  connectPostgresDatabase,
  createPostgresDatabase,
  type TestDatabase,
} from '../support/test-database.ts';
import { waitingFor } from '../support/until-locked.ts';
import { terminateConnections } from './support/terminate-connections.ts';

const LINES = 2;

let outside: TestDatabase;
let server: TestApp;
let account: TestAccount;
let other: TestAccount;
beforeAll(async () => {
  const url = await createPostgresDatabase('nameplate_template');
  outside = connectPostgresDatabase(url);
  server = await startTestApp({}, connectPostgresDatabase(url));
  [account, other] = [await server.createAccount(), await server.createAccount()];
});
afterAll(async () => {
  await server.close();
  await outside.close();
});

/** Runs `work` while nobody can read a table. */
async function whileLocked<T>(
  table: keyof Database,
  work: (trx: Transaction<Database>) => Promise<T>,
): Promise<T> {
  return outside.db.transaction().execute(async (trx) => {
    await sql`LOCK TABLE ${sql.table(table)} IN ACCESS EXCLUSIVE MODE`.execute(trx);
    return work(trx);
  });
}

/** Waits until so many backends wait for the lock on a table, and returns them. */
function untilWaiting(
  trx: Transaction<Database>,
  table: keyof Database,
  count: number,
): Promise<number[]> {
  return eventually(
    () => waitingFor(trx, table),
    (waiting) => waiting.length >= count,
  );
}

function readProjects(count: number): Promise<Reply>[] {
  return Array.from({ length: count }, () => send(server, account, 'GET /stats/get-projects'));
}

describe('a table that is locked', () => {
  it('holds up nobody who does not touch it', async () => {
    await send(server, other, 'GET /site/get-site-status');
    let answered = 0;
    const reads = await whileLocked('projects', async (trx) => {
      const waiting = readProjects(40);
      for (const read of waiting) void read.then(() => (answered += 1));
      await untilWaiting(trx, 'projects', LINES);
      expect(
        await Promise.all([
          send(server, other, 'GET /site/get-site-status'),
          send(server, other, 'GET /site/get-site-configuration'),
          send(server, other, 'GET /account/get-display-name'),
          send(server, other, 'POST /site/update-site-configuration', { bio: 'calm' }),
          send(server, other, 'POST /site/toggle-site-visibility'),
        ]),
      ).toMatchObject(Array.from({ length: 5 }, () => ({ status: 200 })));
      expect(answered).toBeLessThan(40);
      return waiting;
    });
    // The first on each line may have waited for the lock for as long as is allowed.
    const refused = (await Promise.all(reads)).filter(({ status }) => status !== 200);
    for (const { status, body, headers } of refused)
      expect({ status, body, retry: headers['retry-after'] }).toEqual({
        status: 500,
        body: { error: 'The projects could not be fetched.' },
        retry: '1',
      });
    expect(refused.length).toBeLessThan(20);
    for (const read of readProjects(10)) expect(await read).toMatchObject({ status: 200 });
  });

  it('fails only the reads that are cancelled, not those that rely on the same prepared statement', async () => {
    const fresh = await startTestApp({}, connectPostgresDatabase(outside.url));
    const read = (): Promise<Reply> => send(fresh, account, 'GET /stats/get-projects');
    await send(fresh, account, 'GET /site/get-site-status');
    const reads = await whileLocked('projects', async (trx) => {
      const waiting = Array.from({ length: 20 }, read);
      for (const pid of await untilWaiting(trx, 'projects', LINES))
        await sql`SELECT pg_cancel_backend(${pid})`.execute(trx);
      return waiting;
    });
    const statuses = (await Promise.all(reads)).map(({ status }) => status).toSorted();
    expect(statuses).toEqual([...Array<number>(20 - LINES).fill(200), 503, 503]);
    // It is prepared on each of the lines, which take turns but for what was held up for a second.
    await eventually(async () => {
      expect(await read()).toMatchObject({ status: 200 });
      for (let count = 0; count < LINES; count += 1) {
        const { rows } = await sql`
          SELECT FROM pg_prepared_statements WHERE statement LIKE '%from "projects"%'`.execute(
          fresh.database.reads,
        );
        expect(rows).toHaveLength(1);
      }
    });
    await fresh.close();
  });
});

describe('what was prepared and is no longer so', () => {
  const read = (): Promise<Reply> => send(server, account, 'GET /site/get-site-status');

  it('is sent as it is on the lines that reads share', async () => {
    await Promise.all([read(), read()]);
    for (let count = 0; count < LINES; count += 1)
      await sql`DEALLOCATE ALL`.execute(server.database.reads);
    for (const answer of await Promise.all(Array.from({ length: 20 }, read)))
      expect(answer).toMatchObject({ status: 200 });
  });

  it.each([{}, { 'idempotency-key': 'lost' }])(
    'fails no write, in a transaction or not (headers %j)',
    async (headers) => {
      const single = await startTestApp({}, connectPostgresDatabase(outside.url, { max: 1 }));
      const update = (bio: string): Promise<Reply> =>
        send(single, account, 'POST /site/update-site-configuration', { bio });
      const toggle = (): Promise<Reply> =>
        send(single, account, 'POST /site/toggle-site-visibility', undefined, headers);
      await update('before');
      await send(single, other, 'POST /site/toggle-site-visibility', undefined, headers);
      await sql`DEALLOCATE ALL`.execute(single.database.db);
      expect(await toggle()).toMatchObject({ status: 200 });
      expect(await update('after')).toMatchObject({ status: 200 });
      await single.close();
    },
  );

  it('is planned anew after a column has changed its type', async () => {
    const fresh = await startTestApp({}, connectPostgresDatabase(outside.url));
    const readSite = () => send(fresh, account, 'GET /site/get-site-configuration');
    const before = await Promise.all([readSite(), readSite()]);
    await sql`ALTER TABLE sites ALTER COLUMN mood TYPE varchar(200)`.execute(outside.db);
    for (const { status, body } of await Promise.all([readSite(), readSite()]))
      expect({ status, body }).toEqual({ status: 200, body: before[0].body });
    await fresh.close();
  });
});

describe('reads that wait when their connection dies', () => {
  it('fill the log with a few lines each, however many they are', async () => {
    const fresh = await startTestApp({}, connectPostgresDatabase(outside.url));
    const accounts = await Promise.all(Array.from({ length: 10 }, fresh.createAccount));
    await Promise.all(accounts.map((one) => send(fresh, one, 'GET /site/get-site-status')));
    const reads = await whileLocked('projects', async (trx) => {
      const waiting = accounts.flatMap((one) =>
        // As many as are sent at a time, so that none is left that would wait for the lock later.
        Array.from({ length: 10 }, () => send(fresh, one, 'GET /stats/get-projects')),
      );
      const lines = await untilWaiting(trx, 'projects', LINES);
      await sql`SELECT pg_terminate_backend(pid) FROM unnest(${lines}::integer[]) AS pid`.execute(
        trx,
      );
      return Promise.all(waiting);
    });
    expect(reads.map(({ status }) => status)).toEqual(reads.map(() => 500));
    for (const line of fresh.log) expect(JSON.stringify(line).length).toBeLessThan(6_000);
    await fresh.close();
    await terminateConnections(outside);
  });
});
