import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { inTransaction } from '#db/connections/transaction.ts';
import { send } from '../support/call.ts';
import type { TestAccount } from '../support/test-app.ts';
import { useServer } from '../support/use-server.ts';

const { server } = useServer();

it('transactions that lock the same rows in opposite order both succeed, because the deadlock victim is retried', async () => {
  const [a, b] = [await server.createAccount(), await server.createAccount()];
  const firstLocks = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const transactions: Promise<void>[] = [];
  let attempts = 0;
  const lockBoth = async (first: TestAccount, second: TestAccount, index: number) => {
    let isRetry = false;
    await inTransaction(server.db, async (trx) => {
      attempts += 1;
      // On a busy machine, the retry could cause a second deadlock.
      if (isRetry) await transactions[1 - index];
      isRetry = true;
      const lock = ({ id }: TestAccount) =>
        sql`UPDATE accounts SET created_at = created_at WHERE id = ${id}`.execute(trx);
      await lock(first);
      firstLocks[index]!.resolve();
      await firstLocks[1 - index]!.promise;
      await lock(second);
    });
  };
  transactions.push(lockBoth(a, b, 0), lockBoth(b, a, 1));
  await Promise.all(transactions);
  expect(attempts).toBe(3);
});

/** Makes the first inserts of an account's site fail with a serialization failure. */
async function failFirstWrites(
  account: TestAccount,
  failures: number,
  name: string,
): Promise<void> {
  await server.sql`CREATE SEQUENCE ${sql.id(name)}`;
  await server.sql`CREATE FUNCTION ${sql.id(name)}() RETURNS trigger LANGUAGE plpgsql AS ${sql.lit(
    `BEGIN
        IF nextval('${name}') <= ${failures} THEN
          RAISE EXCEPTION 'again, please' USING ERRCODE = '40001';
        END IF;
        RETURN NEW;
      END`,
  )}`;
  await server.sql`CREATE TRIGGER ${sql.id(name)} BEFORE INSERT ON sites FOR EACH ROW
      WHEN (NEW.account_id = ${sql.lit(account.id)}) EXECUTE FUNCTION ${sql.id(name)}()`;
}

const update = (account: TestAccount) =>
  send(server, account, 'POST /site/update-site-configuration', { bio: 'new' });

it('a write with a serialization failure is retried twice without the caller noticing', async () => {
  const account = await server.createAccount();
  await failFirstWrites(account, 2, 'twice');
  expect(await update(account)).toMatchObject({ status: 200, body: { success: true } });
});

it('a write with a serialization failure fails after the third attempt, and nothing is changed', async () => {
  const account = await server.createAccount();
  await failFirstWrites(account, 3, 'thrice');
  expect(await update(account)).toMatchObject({
    status: 500,
    body: { error: 'Failed to update site details.' },
  });
  const { body } = await send(server, account, 'GET /site/get-site-configuration');
  expect(body).toMatchObject({ site: { bio: null } });
});

it('a write with a serialization failure with an Idempotency-Key is retried as a whole', async () => {
  const account = await server.createAccount();
  await failFirstWrites(account, 2, 'keyed');
  const headers = { 'idempotency-key': 'once' };
  const toggle = () =>
    send(server, account, 'POST /site/toggle-site-visibility', undefined, headers);
  expect(await toggle()).toMatchObject({ status: 200, body: { newStatus: true } });
  expect(await toggle()).toMatchObject({ headers: { 'idempotent-replayed': 'true' } });
});
