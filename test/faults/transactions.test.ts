import { type Transaction, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../db/schema.ts';
import { atOnce, inSavepoint, inTransaction } from '../../db/connections/transaction.ts';
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

function insertAccount(trx: Transaction<Database>): Promise<unknown> {
  return trx.insertInto('accounts').defaultValues().execute();
}

describe('a transaction that is over', () => {
  it.each([
    ['committed', async () => {}],
    ['rolled back', () => Promise.reject(new Error('undo'))],
  ])('and %s takes no more queries: its connection is another one’s now', async (_how, end) => {
    let leaked: Transaction<Database> | undefined;
    await inTransaction(database.db, (trx) => {
      leaked = trx;
      return end();
    }).catch(() => {});
    await expect(sql`SELECT 1`.execute(leaked!)).rejects.toThrow(/Transaction is already/);
    await expect(insertAccount(leaked!)).rejects.toThrow(/Transaction is already/);
    expect(await database.db.selectFrom('accounts').selectAll().execute()).toEqual([]);
  });
});

describe('a part of a transaction that fails', () => {
  it('is undone, and the rest is not', async () => {
    await inTransaction(database.db, async (trx) => {
      await insertAccount(trx);
      const part = inSavepoint(trx, async () => {
        await insertAccount(trx);
        await sql`SELECT 1 / 0`.execute(trx);
      });
      await expect(part).rejects.toThrow('division by zero');
      await insertAccount(trx);
    });
    expect(await database.db.selectFrom('accounts').select('id').execute()).toHaveLength(2);
  });
});

describe('statements that are asked for at once in a transaction', () => {
  const fails = (trx: Transaction<Database>) => sql`SELECT 1 / 0`.execute(trx);
  const count = async () =>
    (await database.db.selectFrom('accounts').select('id').execute()).length;

  it('are sent together, between its begin and its commit', async () => {
    const proxy = await startDatabaseProxy(await createPostgresDatabase('nameplate_template'));
    const { db, close } = connectPostgresDatabase(proxy.url, { max: 1 });
    await sql`SELECT 1`.execute(db);
    const before = proxy.writes();
    const numbers = await inTransaction(db, (trx) =>
      atOnce(
        ...[1, 2, 3].map(async (number) => {
          const { rows } = await sql<{ number: number }>`SELECT ${number}::int AS number`.execute(
            trx,
          );
          return rows[0]?.number;
        }),
      ),
    );
    expect(numbers).toEqual([1, 2, 3]);
    expect(proxy.writes() - before).toBe(3);
    await close();
    await proxy.close();
  });

  it('fail the commit with their own error if nobody waits for them', async () => {
    const before = await count();
    const done = inTransaction(database.db, async (trx) => {
      await insertAccount(trx);
      fails(trx).catch(() => {});
      insertAccount(trx).catch(() => {});
    });
    await expect(done).rejects.toThrow('division by zero');
    expect(await count()).toBe(before);
  });

  it('have all ended when one of them fails, so that none goes on when its part is undone', async () => {
    const before = await count();
    await inTransaction(database.db, async (trx) => {
      const goesOn = async () => {
        await insertAccount(trx);
        for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
        await insertAccount(trx);
      };
      const part = inSavepoint(trx, () => atOnce(goesOn(), fails(trx), insertAccount(trx)));
      await expect(part).rejects.toThrow('division by zero');
    });
    expect(await count()).toBe(before);
  });
});

describe('a transaction that cannot be begun', () => {
  it.each([
    [
      'with parameters',
      (trx: Transaction<Database>) =>
        sql`
      INSERT INTO accounts (suspended_at) VALUES (${new Date()})`.execute(trx),
    ],
    ['without', (trx: Transaction<Database>) => insertAccount(trx)],
  ])('does nothing of its first statement, %s', async (_what, insert) => {
    const url = await createPostgresDatabase('nameplate_template');
    const proxy = await startDatabaseProxy(url);
    const throughProxy = connectPostgresDatabase(proxy.url);
    proxy.replace('begin', 'bogus');
    await expect(inTransaction(throughProxy.db, insert)).rejects.toThrow(/syntax error/);
    await throughProxy.close();
    await proxy.close();
    const outside = connectPostgresDatabase(url);
    expect(await outside.db.selectFrom('accounts').select('id').execute()).toEqual([]);
    await outside.close();
  });
});
