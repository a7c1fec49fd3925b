import { expect, it } from 'vitest';
import { send } from '../support/call.ts';
import type { TestAccount } from '../support/test-app.ts';
import { useTwoServers } from './support/two-servers.ts';

const servers = useTwoServers();

function rename(account: TestAccount, name: string, server: number) {
  return send(servers.serverAt(server), account, 'POST /account/update-display-name', {
    display_name: name,
  });
}

function toggleForwarding(account: TestAccount, email: string, server: number) {
  const path = 'POST /email-forwarding/email-forwarding-toggle';
  return send(servers.serverAt(server), account, path, { enabled: true, email });
}

async function readName(account: TestAccount): Promise<unknown> {
  const { body } = await send(servers.first, account, 'GET /account/get-display-name');
  return (body as { display_name: unknown }).display_name;
}

it('50 accounts that claim one name at once produce one winner, and only the winner loses forwarding', async () => {
  const accounts = await servers.createAccounts(50);
  await Promise.all(
    accounts.map(async (account, index) => {
      expect(await rename(account, `racer-${index}`, index)).toMatchObject({ status: 200 });
      const toggled = await toggleForwarding(account, `racer-${index}@example.com`, index);
      expect(toggled).toMatchObject({ status: 200 });
    }),
  );

  const responses = await Promise.all(
    accounts.map((account, index) => rename(account, 'the-prize', index)),
  );

  const refused = responses.filter(({ status }) => status === 409);
  expect(refused).toHaveLength(49);
  const winner = responses.findIndex(({ status }) => status === 200);
  const { db } = servers.first;
  for (const [index, account] of accounts.entries()) {
    const settings = await db
      .selectFrom('forwarding_settings')
      .select(['forwarding_enabled', 'forwarding_email'])
      .where('account_id', '=', account.id)
      .executeTakeFirst();
    expect([await readName(account), settings]).toEqual(
      index === winner
        ? ['the-prize', { forwarding_enabled: false, forwarding_email: null }]
        : [
            `racer-${index}`,
            { forwarding_enabled: true, forwarding_email: `racer-${index}@example.com` },
          ],
    );
  }
  const events = await db
    .selectFrom('events')
    .select('account_id')
    .where('detail', '@>', JSON.stringify({ to: 'the-prize' }) as never)
    .execute();
  expect(events).toEqual([{ account_id: accounts[winner]!.id }]);
});
