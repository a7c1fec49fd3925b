import { type Transaction, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../db/schema.ts';
import { inSavepoint, inTransaction } from '../../db/transaction.ts';
import { openTestDatabase, type TestDatabase } from '../support/test-database.ts';

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
