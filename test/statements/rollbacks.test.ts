import { expect, it } from 'vitest';
import { inSavepoint, inTransaction, onRollback } from '#db/connections/transaction.ts';
import { lostReaderMail } from '#server/features/addresses/group-mails.ts';
import { HourlyCounter } from '#server/platform/limits/hourly-counter.ts';
import { useServer } from '../support/use-server.ts';

const { server } = useServer({ mailEnabled: true });

const failure = new Error('rolled back');
const fail = () => {
  throw failure;
};

it('counts of a transaction that is rolled back, also to a savepoint, are taken back', async () => {
  const counter = new HourlyCounter();
  await inTransaction(server.db, async (trx) => {
    counter.add('kept', 1, trx);
    const nested = inSavepoint(trx, async () => {
      expect(counter.addWithin(2, 'kept', 1, trx)).toBeUndefined();
      fail();
    });
    await expect(nested).rejects.toBe(failure);
    counter.add('kept', 1, trx);
  });
  expect(counter.get('kept')).toBe(2);
  const rolledBack = inTransaction(server.db, async (trx) => {
    counter.add('lost', 2, trx);
    fail();
  });
  await expect(rolledBack).rejects.toBe(failure);
  expect(counter.get('lost')).toBe(0);
  counter.add('no transaction', 1, server.db);
  onRollback(server.db, fail);
  expect(counter.get('no transaction')).toBe(1);
});

it('mails of transactions that are rolled back do not use up the share of their sender', async () => {
  const { outbox } = server.nameplate;
  const { id: accountId } = await server.createAccount();
  await server.sql`INSERT INTO forwarding_settings (account_id, login_email)
    VALUES (${accountId}, 'a@names.org')
    ON CONFLICT (account_id) DO UPDATE SET login_email = 'a@names.org'`;
  const mail = { group: 'crew@names.org', reader: null, isDeleted: false, isUnread: false };
  const write = (end: () => void) =>
    inTransaction(server.db, async (trx) => {
      const data = { ...mail, accountId };
      const isMailed = await outbox.mailOwner(trx, lostReaderMail, data, { sender: 'pia' });
      end();
      return isMailed;
    });
  for (let attempt = 0; attempt < 20; attempt += 1) await expect(write(fail)).rejects.toBe(failure);
  expect(await write(() => {})).toBe(true);
});
