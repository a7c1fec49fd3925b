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
  const readStatus = () => send(servers.second, account!, 'GET /site/get-site-status');
  expect(await readStatus()).toMatchObject({ status: 200 });
  let isRunning = true;
  const traffic = (async () => {
    while (isRunning) {
      await readStatus();
      await sleep(20);
    }
  })();
  await servers.first.database.db
    .updateTable('api_keys')
    .set({ revoked_at: new Date() })
    .where('account_id', '=', account!.id)
    .execute();
  const response = await eventually(readStatus, ({ status }) => status !== 200);
  isRunning = false;
  await traffic;
  expect(response).toMatchObject({ status: 401, body: { error: 'Unauthorized' } });
});
