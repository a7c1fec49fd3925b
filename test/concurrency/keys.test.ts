import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { send } from '../support/call.ts';
import { eventually } from '../support/eventually.ts';
import { startTwoServers, type TwoServers } from './support/two-servers.ts';

let servers: TwoServers;
beforeAll(async () => {
  servers = await startTwoServers();
});
afterAll(() => servers.close());

it('a revoked key is refused on every other server, however busy it is', async () => {
  const [account] = await servers.createAccounts(1);
  const use = () => send(servers.second, account!, 'GET /site/get-site-status');
  expect(await use()).toMatchObject({ status: 200 });
  let busy = true;
  const traffic = (async () => {
    while (busy) {
      await use();
      await sleep(20);
    }
  })();
  await servers.first.database.db
    .updateTable('api_keys')
    .set({ revoked_at: new Date() })
    .where('account_id', '=', account!.id)
    .execute();
  const answer = await eventually(use, ({ status }) => status !== 200);
  busy = false;
  await traffic;
  expect(answer).toMatchObject({ status: 401, body: { error: 'Unauthorized' } });
});
