import { afterAll, beforeAll, expect, it } from 'vitest';
import { send } from '../support/call.ts';
import type { TestAccount } from '../support/test-app.ts';
import { startTwoServers, type TwoServers } from './support/two-servers.ts';

let servers: TwoServers;
beforeAll(async () => {
  servers = await startTwoServers();
});
afterAll(() => servers.close());

function rename(account: TestAccount, name: string, server = 0) {
  return send(servers.serverAt(server), account, 'POST /account/update-display-name', {
    display_name: name,
  });
}

async function listNames({ id }: TestAccount): Promise<string[]> {
  const rows = await servers.first.database.db
    .selectFrom('display_names')
    .select('name')
    .where('account_id', '=', id)
    .execute();
  return rows.map(({ name }) => name);
}

it('an account can claim the same name many times at once', async () => {
  const [account] = await servers.createAccounts(1);
  const responses = await Promise.all(
    Array.from({ length: 30 }, (_, index) => rename(account!, 'my-name', index)),
  );
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
  expect(await listNames(account!)).toEqual(['my-name']);
});

it('an account that claims many names at once ends with one of them', async () => {
  const [account] = await servers.createAccounts(1);
  const names = Array.from({ length: 30 }, (_, index) => `one-of-many-${index}`);
  const responses = await Promise.all(names.map((name, index) => rename(account!, name, index)));
  expect(responses.map(({ status }) => status)).toEqual(names.map(() => 200));
  const [current, ...others] = await listNames(account!);
  expect(names).toContain(current);
  expect(others).toEqual([]);
});

it('forwarding that is turned on during a change of the name applies to the current name', async () => {
  const [account] = await servers.createAccounts(1);
  for (let round = 0; round < 20; round += 1) {
    await rename(account!, `before-${round}`);
    const [, toggled] = await Promise.all([
      rename(account!, `after-${round}`, round),
      send(
        servers.serverAt(round + 1),
        account!,
        'POST /email-forwarding/email-forwarding-toggle',
        {
          enabled: true,
          email: 'jane@example.com',
        },
      ),
    ]);
    const { forwarding_enabled } = await servers.first.database.db
      .selectFrom('forwarding_settings')
      .select('forwarding_enabled')
      .where('account_id', '=', account!.id)
      .executeTakeFirstOrThrow();
    const name = forwarding_enabled ? `after-${round}` : `before-${round}`;
    expect(toggled).toMatchObject({
      status: 200,
      body: {
        message: `Mail to ${name}@nameplate.example would go to jane@example.com, but this server has no mail provider: nothing is forwarded.`,
      },
    });
  }
});
