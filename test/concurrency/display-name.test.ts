import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { send } from '../support/call.ts';
import type { TestAccount } from '../support/test-app.ts';
import { countOccurrences, startTwoServers, type TwoServers } from './support/two-servers.ts';

let servers: TwoServers;
beforeAll(async () => {
  servers = await startTwoServers();
});
afterAll(() => servers.close());

function rename(account: TestAccount, name: string, server: number) {
  return send(servers.serverAt(server), account, 'POST /account/update-display-name', {
    display_name: name,
  });
}

async function readName(account: TestAccount): Promise<unknown> {
  const { body } = await send(servers.first, account, 'GET /account/get-display-name');
  return (body as { display_name: unknown }).display_name;
}

describe('50 accounts that claim one name at once', () => {
  it('produce one winner, and only the winner loses forwarding', async () => {
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

    const responses = await Promise.all(
      accounts.map((account, index) => rename(account, 'the-prize', index)),
    );

    expect(countOccurrences(responses.map(({ status }) => status))).toEqual(
      new Map([
        [200, 1],
        [409, 49],
      ]),
    );
    for (const { status, body } of responses)
      if (status === 409)
        expect(body).toEqual({ error: 'The display name the-prize is already taken.' });
    const winner = responses.findIndex(({ status }) => status === 200);
    const { db } = servers.first.database;
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
});

describe('accounts that claim each other’s names', () => {
  it('do not deadlock when two swap names', async () => {
    const [a, b] = await servers.createAccounts(2);
    for (let round = 0; round < 20; round += 1) {
      await rename(a!, `swap-a-${round}`, 0);
      await rename(b!, `swap-b-${round}`, 1);
      const responses = await Promise.all([
        rename(a!, `swap-b-${round}`, 0),
        rename(b!, `swap-a-${round}`, 1),
      ]);
      // An account keeps its old name until it has claimed the new one.
      expect(responses.map(({ status }) => status)).toEqual([409, 409]);
      expect([await readName(a!), await readName(b!)]).toEqual([
        `swap-a-${round}`,
        `swap-b-${round}`,
      ]);
    }
  });

  it('keep exactly one name each when they rotate names', async () => {
    const accounts = await servers.createAccounts(6);
    const names = accounts.map((_account, index) => `ring-${index}`);
    await Promise.all(accounts.map((account, index) => rename(account, names[index]!, index)));
    for (let round = 0; round < 10; round += 1) {
      const before = await Promise.all(accounts.map(readName));
      // One name is free, so that some changes succeed.
      const targetNames = accounts.map((_account, index) =>
        index === round % 6 ? `ring-free-${round}` : (before[(index + 1) % 6] as string),
      );
      const responses = await Promise.all(
        accounts.map((account, index) => rename(account, targetNames[index]!, index)),
      );
      const namesAfter = await Promise.all(accounts.map(readName));
      expect(new Set(namesAfter).size).toBe(6);
      for (const [index, { status }] of responses.entries()) {
        expect([200, 409]).toContain(status);
        expect(namesAfter[index]).toBe(status === 200 ? targetNames[index] : before[index]);
      }
    }
  });
});
