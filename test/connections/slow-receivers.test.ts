import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';
import { inTransaction } from '#db/connections/transaction.ts';
import { deliveryJob } from '#server/features/connections/delivery-job.ts';
import { createReceivers } from '#server/features/connections/receivers.ts';
import { logEvent, logServerEvent } from '#server/features/events/log-event.ts';
import { registerJobs } from '#server/process/jobs.ts';
import { createOperator } from '../support/endpoints.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { connect, logEvents, namesIn, runDeliveries } from './support/connection-app.ts';
import { startReceiver } from './support/receiver.ts';

const SLOW_ACCOUNTS = 20;
/** One host for all accounts, as at a hosted automation service. */
const receiver = await startReceiver();
const CONNECTION_PRIVATE_ORIGINS = [receiver.origin];
const WAIT = { timeout: 60_000 };
const servers: TestApp[] = [];
async function startServer(slotTimeoutMs: number) {
  const limits = { timeoutMs: 300_000, slotTimeoutMs };
  const receivers = createReceivers({ CONNECTION_PRIVATE_ORIGINS }, limits);
  const server = await startTestApp({
    CONNECTION_PRIVATE_ORIGINS,
    mailEnabled: true,
    connections: receivers,
  });
  servers.push(server);
  return server;
}
/** The first and the second request to each slow receiver wait for these. */
let gates: [PromiseWithResolvers<void>, PromiseWithResolvers<void>];
beforeEach(() => {
  gates = [Promise.withResolvers(), Promise.withResolvers()];
});
afterEach(async () => {
  for (const { resolve } of gates) resolve();
  await Promise.all(servers.splice(0).map((server) => server.close()));
});
afterAll(() => receiver.close());

function connectSlowAccounts(server: TestApp) {
  return Promise.all(
    Array.from({ length: SLOW_ACCOUNTS }, async () => {
      const account = await server.createAccount();
      const hooks = [1, 2].map(() =>
        receiver.addHook((response, { length }) =>
          gates[length - 1]?.promise.then(() => response.end()),
        ),
      );
      const connections = [];
      for (const { url } of hooks) connections.push(await connect(account, url));
      return { account, hooks, connections };
    }),
  );
}

it('a webhook does not wait until others have sent all that they have', async () => {
  const server = await startServer(300_000);
  const busy = await connectSlowAccounts(server);
  const other = await server.createAccount();
  const hook = receiver.addHook();
  const { id } = await connect(other, hook.url);
  registerJobs(server.nameplate, [deliveryJob]);
  await server.jobs.open();
  for (const { account } of busy) await logEvents(server, account, 3);
  const countCalled = () =>
    busy.flatMap(({ hooks }) => hooks).filter(({ requests }) => requests.length > 0).length;
  await expect.poll(countCalled, WAIT).toBe(32);
  await logEvents(server, other, 1);
  const isWaiting = async () =>
    (await server.sql`SELECT FROM connections WHERE id = ${id} AND leased_until > now()`).length;
  await expect.poll(isWaiting, WAIT).toBe(1);
  gates[0].resolve();
  await expect.poll(() => hook.requests.length, WAIT).toBe(1);
});

it('receivers that do not answer delay no webhook, mail, alert, test or event of the server', async () => {
  const server = await startServer(100);
  const slow = await connectSlowAccounts(server);
  const hooks = slow.flatMap((entry) => entry.hooks);
  const isEachCalled = (times: number) => hooks.every(({ requests }) => requests.length === times);

  const other = await server.createAccount();
  await server.sql`UPDATE forwarding_settings SET login_email = 'other@example.com'
    WHERE account_id = ${other.id}`;
  const operator = await createOperator(server);
  const [hook, alertHook] = [receiver.addHook(), receiver.addHook()];
  const serverHook = receiver.addHook();
  const { id: connection_id } = await connect(other, hook.url);
  await connect(other, alertHook.url, { event_types: ['alert_firing'] });
  await connect(operator, serverHook.url, { event_types: ['backup_failed'] });
  const { connection } = await other.owner.connections.createConnection({
    ...{ kind: 'email', name: 'mail', event_types: ['display_name_updated'] },
  });
  const countMails = async () =>
    (
      await server.sql`SELECT FROM deliveries
      WHERE connection_id = ${connection.id} AND status = 'delivered'`
    ).length;

  registerJobs(server.nameplate, [deliveryJob]);
  await server.jobs.open();
  const sendToOthers = async (count: number) => {
    await logEvents(server, other, count, count);
    await inTransaction(server.db, async (trx) => {
      const detail = { project: 'Shop', project_id: '1', text: 'Too many errors' };
      const event = { accountId: other.id, type: 'alert_firing', detail } as const;
      await logEvent(trx, server.nameplate, event);
      await logServerEvent(trx, server.nameplate, 'backup_failed', { error: 'space' });
    });
    await expect.poll(() => namesIn(hook.requests), WAIT).toContain(`jane-${count}`);
    await expect.poll(countMails, WAIT).toBe(count);
    await expect.poll(() => alertHook.requests.length, WAIT).toBe(count);
    await expect.poll(() => serverHook.requests.length, WAIT).toBe(count);
  };
  for (const { account } of slow) await logEvents(server, account, 2);
  await expect.poll(() => isEachCalled(1), WAIT).toBe(true);
  await sendToOthers(1);

  gates[0].resolve();
  await expect.poll(() => isEachCalled(2), WAIT).toBe(true);
  await sendToOthers(2);

  const tests = slow.flatMap(({ account, connections }) =>
    connections.map(({ id }) => account.owner.connections.sendTestEvent({ connection_id: id })),
  );
  await expect.poll(() => isEachCalled(3), WAIT).toBe(true);
  const { delivery } = await other.owner.connections.sendTestEvent({ connection_id });
  expect(delivery.status).toBe('delivered');
  void Promise.allSettled(tests);
});

it('the first mail to an account leaves before the second one to another', async () => {
  const server = await startServer(100);
  const accounts = [await server.createAccount(), await server.createAccount()];
  for (const [index, account] of accounts.entries()) {
    await server.sql`UPDATE forwarding_settings SET login_email = ${`${index}@example.com`}
      WHERE account_id = ${account.id}`;
    const event_types = ['display_name_updated' as const];
    await account.owner.connections.createConnection({ kind: 'email', name: 'mail', event_types });
    await logEvents(server, account, 3 - index);
    await runDeliveries(server);
  }
  const mails = await server.sql<{ to: string }>`SELECT data->>'address' AS to FROM pgboss.job
    WHERE name = 'mail' ORDER BY priority DESC, created_on`;
  expect(mails.map(({ to }) => to[0]).join('')).toBe('01010');
});
