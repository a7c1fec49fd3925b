import { afterAll, expect, it } from 'vitest';
import { inTransaction } from '#db/connections/transaction.ts';
import { deliveryJob } from '#server/features/connections/delivery-job.ts';
import { createReceivers } from '#server/features/connections/receivers.ts';
import { logEvent, logServerEvent } from '#server/features/events/log-event.ts';
import { registerJobs } from '#server/process/jobs.ts';
import { createOperator } from '../support/endpoints.ts';
import { startTestApp } from '../support/test-app.ts';
import { connect, logEvents, namesIn } from './support/connection-app.ts';
import { startReceiver } from './support/receiver.ts';

const SLOW_ACCOUNTS = 20;
/** A receiver with its own host for each account, and one for the others. */
const receivers = await Promise.all(
  Array.from({ length: SLOW_ACCOUNTS + 1 }, () => startReceiver()),
);
const CONNECTION_PRIVATE_ORIGINS = receivers.map(({ origin }) => origin);
const server = await startTestApp({
  CONNECTION_PRIVATE_ORIGINS,
  mailEnabled: true,
  receivers: createReceivers({ CONNECTION_PRIVATE_ORIGINS }, { timeoutMs: 300_000, slowMs: 100 }),
});
/** The first and the second request to each slow receiver wait for these. */
const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
const WAIT = { timeout: 60_000 };
afterAll(async () => {
  for (const { resolve } of gates) resolve();
  await server.close();
  await Promise.all(receivers.map(({ close }) => close()));
});

it('receivers that do not answer delay no webhook, mail, alert or event of the server', async () => {
  const quick = receivers[SLOW_ACCOUNTS]!;
  const slow = await Promise.all(
    receivers.slice(0, SLOW_ACCOUNTS).map(async (receiver) => {
      const account = await server.createAccount();
      const hooks = [1, 2].map(() =>
        receiver.addHook((response, { length }) =>
          gates[length - 1]!.promise.then(() => response.end()),
        ),
      );
      for (const { url } of hooks) await connect(account, url);
      return { account, hooks };
    }),
  );
  const hooks = slow.flatMap((entry) => entry.hooks);
  const calledTwice = () => hooks.filter(({ requests }) => requests.length === 2);

  const other = await server.createAccount();
  await server.sql`UPDATE forwarding_settings SET login_email = 'other@example.com'
    WHERE account_id = ${other.id}`;
  const operator = await createOperator(server);
  const hook = quick.addHook();
  const [alertHook, serverHook] = [quick.addHook(), quick.addHook()];
  await connect(other, hook.url);
  await connect(other, alertHook.url, { event_types: ['alert_firing'] });
  await connect(operator, serverHook.url, { event_types: ['backup_failed'] });
  const { connection } = await other.owner.connections.createConnection({
    ...{ kind: 'email', name: 'mail', event_types: ['display_name_updated'] },
  });
  const countMails = async () => {
    const { deliveries } = await other.owner.connections.listDeliveries({
      connection_id: connection.id,
    });
    return deliveries.filter(({ status }) => status === 'delivered').length;
  };

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
  await expect.poll(() => hooks.every(({ requests }) => requests.length === 1), WAIT).toBe(true);
  await sendToOthers(1);

  gates[0].resolve();
  await expect.poll(() => calledTwice().length, WAIT).toBe(8);
  // On a busy machine, the others could have been slow, too.
  await server.sql`UPDATE deliveries SET duration_ms = 1 FROM connections
    WHERE connection_id = connections.id AND account_id IN (${other.id}, ${operator.id})`;
  await sendToOthers(2);
  const calledAccounts = slow.filter((entry) =>
    entry.hooks.some(({ requests }) => requests.length === 2),
  );
  expect([calledTwice().length, calledAccounts.length]).toEqual([8, 8]);
});
