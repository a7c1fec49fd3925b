import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Transaction } from '#db/connections/handles.ts';
import { inSavepoint, inTransaction } from '#db/connections/transaction.ts';
import {
  connectPostgresDatabase,
  createPostgresDatabase,
  openTestDatabase,
  type TestDatabase,
} from '../support/test-database.ts';
import { startDatabaseProxy } from './support/database-proxy.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

function insertAccount(trx: Transaction): Promise<unknown> {
  return trx.insertInto('accounts').defaultValues().execute();
}

it('a failed savepoint is rolled back, and the rest is not', async () => {
  await inTransaction(database.db, async (trx) => {
    await insertAccount(trx);
    const savepoint = inSavepoint(trx, async () => {
      await insertAccount(trx);
      await sql`SELECT 1 / 0`.execute(trx);
    });
    await expect(savepoint).rejects.toThrow('division by zero');
    await insertAccount(trx);
  });
  expect(await database.db.selectFrom('accounts').select('id').execute()).toHaveLength(2);
});

it('a savepoint that cannot be rolled back throws the original error', async () => {
  let savepointError: unknown;
  await inTransaction(database.db, (trx) =>
    inSavepoint(trx, async () => {
      const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(trx);
      await sql`SELECT pg_terminate_backend(${rows[0]!.pid}, 10000)`.execute(database.db);
      throw new Error('original');
    }).catch((error: unknown) => {
      savepointError = error;
    }),
  ).catch(() => {});
  expect(savepointError).toEqual(new Error('original'));
});

it.each([
  [
    'with parameters',
    (trx: Transaction) =>
      sql`
    INSERT INTO accounts (suspended_at) VALUES (${new Date()})`.execute(trx),
  ],
  ['without parameters', (trx: Transaction) => insertAccount(trx)],
])('a transaction that cannot begin executes no statement (%s)', async (_what, insert) => {
  const url = await createPostgresDatabase('nameplate_template');
  const proxy = await startDatabaseProxy(url);
  const throughProxy = connectPostgresDatabase(proxy.url);
  proxy.replace('begin', 'bogus');
  await expect(inTransaction(throughProxy.db, insert)).rejects.toThrow(/syntax error/);
  await throughProxy.close();
  await proxy.close();
  const separateConnections = connectPostgresDatabase(url);
  expect(await separateConnections.db.selectFrom('accounts').select('id').execute()).toEqual([]);
  await separateConnections.close();
});
