import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { send } from '../support/call.ts';
import type { TestAccount } from '../support/test-app.ts';
import { countBy, startTwoServers, type TwoServers } from './support/two-servers.ts';

let servers: TwoServers;
beforeAll(async () => {
  servers = await startTwoServers();
});
afterAll(() => servers.close());

function rename(account: TestAccount, name: string, server: number) {
  return send(servers.either(server), account, 'POST /account/update-display-name', {
    display_name: name,
  });
}

async function nameOf(account: TestAccount): Promise<unknown> {
  const { body } = await send(servers.first, account, 'GET /account/get-display-name');
  return (body as { display_name: unknown }).display_name;
}

describe('50 accounts that race for one name', () => {
  it('end with one owner, and only the owner loses forwarding', async () => {
    const accounts = await servers.createAccounts(50);
    await Promise.all(
      accounts.map(async (account, index) => {
        expect(await rename(account, `racer-${index}`, index)).toMatchObject({ status: 200 });
        const path = 'POST /email-forwarding/email-forwarding-toggle';
        const email = `racer-${index}@example.com`;
        expect(await send(servers.first, account, path, { enabled: true, email })).toMatchObject({
          status: 200,
        });
      }),
    );

    const answers = await Promise.all(
      accounts.map((account, index) => rename(account, 'the-prize', index)),
    );

    expect(countBy(answers.map(({ status }) => status))).toEqual(
      new Map([
        [200, 1],
        [409, 49],
      ]),
    );
    for (const { status, body } of answers)
      if (status === 409)
        expect(body).toEqual({ error: 'The display name the-prize is already taken.' });
    const winner = answers.findIndex(({ status }) => status === 200);
    const { db } = servers.first.database;
    for (const [index, account] of accounts.entries()) {
      const profile = await db
        .selectFrom('forwarding_settings')
        .select(['forwarding_enabled', 'forwarding_email'])
        .where('account_id', '=', account.id)
        .executeTakeFirst();
      expect([await nameOf(account), profile]).toEqual(
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
});

describe('accounts that take names from one another', () => {
  it('do not deadlock when two swap names', async () => {
    const [a, b] = await servers.createAccounts(2);
    for (let round = 0; round < 20; round += 1) {
      await rename(a!, `swap-a-${round}`, 0);
      await rename(b!, `swap-b-${round}`, 1);
      const answers = await Promise.all([
        rename(a!, `swap-b-${round}`, 0),
        rename(b!, `swap-a-${round}`, 1),
      ]);
      // Each finds the other's name taken: nobody gives up a name before the new one is theirs.
      expect(answers.map(({ status }) => status)).toEqual([409, 409]);
      expect([await nameOf(a!), await nameOf(b!)]).toEqual([`swap-a-${round}`, `swap-b-${round}`]);
    }
  });

  it('keep exactly one name each when they rotate names', async () => {
    const accounts = await servers.createAccounts(6);
    const names = accounts.map((_account, index) => `ring-${index}`);
    await Promise.all(accounts.map((account, index) => rename(account, names[index]!, index)));
    for (let round = 0; round < 10; round += 1) {
      const before = await Promise.all(accounts.map(nameOf));
      // One name is free, so that some changes succeed.
      const wanted = accounts.map((_account, index) =>
        index === round % 6 ? `ring-free-${round}` : (before[(index + 1) % 6] as string),
      );
      const answers = await Promise.all(
        accounts.map((account, index) => rename(account, wanted[index]!, index)),
      );
      const after = await Promise.all(accounts.map(nameOf));
      expect(new Set(after).size).toBe(6);
      for (const [index, { status }] of answers.entries()) {
        expect([200, 409]).toContain(status);
        expect(after[index]).toBe(status === 200 ? wanted[index] : before[index]);
      }
    }
  });
});
