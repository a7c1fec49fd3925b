import { beforeAll, expect, it } from 'vitest';
import { inTransaction } from '#db/connections/transaction.ts';
import { listOperators } from '#db/queries/operators.ts';
import { insertAccountWithKey } from '#server/features/accounts/create-account.ts';
import { call } from '../support/call.ts';
import { logIn } from '../support/session.ts';
import { useServer } from '../support/use-server.ts';
import { createDatabase, failure, runCommand, runJson } from './support/command-line.ts';

let settings: { DATABASE_URL: string };
const { server } = useServer();
beforeAll(() => {
  settings = { DATABASE_URL: server.database.url };
});

it('an account is an operator between operators add and operators remove; the last one stays', async () => {
  const { id, client } = await server.createAccount();
  await client.account.updateDisplayName({ display_name: 'jane-doe' });
  // Becoming an operator ends the sessions, so each call has one of its own.
  const readStatus = async () =>
    (
      await call(server.app, {
        path: '/owner/operator/list-accounts',
        headers: await logIn(server, id),
      })
    ).status;
  expect(await readStatus()).toBe(404);
  const addedOperator = { account_id: id, display_name: 'jane-doe', is_operator: true };
  expect(await runJson(settings, 'operators', 'add', 'jane-doe')).toEqual(addedOperator);
  expect(await runJson(settings, 'operators', 'add', id)).toEqual(addedOperator);
  expect(await runJson(settings, 'operators', 'list')).toEqual([
    { account_id: id, display_name: 'jane-doe', created_at: expect.stringMatching(/Z$/) },
  ]);
  expect(await readStatus()).toBe(200);
  const otherAccount = await server.createAccount();
  expect(await runCommand(settings, 'operators', 'remove', 'jane-doe')).toEqual(
    failure('This is the only operator. Make another member an operator first.'),
  );
  await runJson(settings, 'operators', 'add', otherAccount.id);
  for (const nameOrId of ['jane-doe', id])
    expect(await runJson(settings, 'operators', 'remove', nameOrId)).toEqual({
      ...addedOperator,
      is_operator: false,
    });
  expect(await readStatus()).toBe(404);
});

it('if the first accounts are created concurrently, one of them becomes an operator', async () => {
  const { db } = await createDatabase();
  const create = () => inTransaction(db, insertAccountWithKey);
  const accounts = await Promise.all([create(), create(), create(), create(), create()]);
  const [operator, ...others] = await listOperators(db);
  expect(others).toEqual([]);
  expect(accounts.filter(({ is_operator }) => is_operator)).toMatchObject([
    { account_id: operator!.account_id },
  ]);
});
