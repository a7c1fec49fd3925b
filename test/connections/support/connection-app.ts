import { afterAll } from 'vitest';
import type { ConnectionKind } from '#contract/shared/connection-kinds.ts';
import type { CarriedEventType } from '#contract/shared/event-types.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { deliveryJob } from '#server/features/connections/delivery-job.ts';
import { createReceivers, type Receivers } from '#server/features/connections/receivers.ts';
import { logEvent } from '#server/features/events/log-event.ts';
import { runJobs } from '../../support/run-jobs.ts';
import { startTestApp, type TestAccount, type TestApp } from '../../support/test-app.ts';
import { startReceiver } from './receiver.ts';

type Options = NonNullable<Parameters<typeof startTestApp>[0]>;

/** A server and a receiver that it may call. */
export async function useConnections({
  timeoutMs,
  slotTimeoutMs = 60_000,
  ...options
}: Options & { timeoutMs?: number; slotTimeoutMs?: number } = {}) {
  const receiver = await startReceiver();
  const CONNECTION_PRIVATE_ORIGINS = [receiver.origin];
  const receivers: Receivers = createReceivers(
    { CONNECTION_PRIVATE_ORIGINS },
    { slotTimeoutMs, ...(timeoutMs !== undefined && { timeoutMs }) },
  );
  const server = await startTestApp({
    CONNECTION_PRIVATE_ORIGINS,
    connections: receivers,
    ...options,
  });
  afterAll(async () => {
    await server.close();
    await receiver.close();
  });
  return { receiver, server };
}

/** Creates a webhook that carries names, unless `fields` differ. */
export async function connect(
  { owner }: TestAccount,
  url: string,
  fields: { event_types?: CarriedEventType[]; kind?: ConnectionKind; token?: string } = {},
) {
  const { connection, secret } = await owner.connections.createConnection({
    ...{ kind: 'webhook', name: 'shop', url, event_types: ['display_name_updated'] },
    ...fields,
  });
  return { id: connection.id, connection, secret: secret ?? '' };
}

/** Logs events with the numbers from `first` to `last`. */
export async function logEvents(
  { db, nameplate }: TestApp,
  { id: accountId }: TestAccount,
  last: number,
  first = 1,
): Promise<void> {
  await inTransaction(db, async (trx) => {
    for (let number = first; number <= last; number += 1) {
      const detail = { from: null, to: `jane-${number}` };
      await logEvent(trx, nameplate, { accountId, type: 'display_name_updated', detail });
    }
  });
}

export const namesIn = (requests: readonly { body: string }[]) =>
  requests.map(({ body }) => (JSON.parse(body) as { data: { to: string } }).data.to);

/** Runs the due jobs, or with `includeFuture` also those that wait after a failure. */
export async function runDeliveries(
  server: TestApp,
  options?: { includeFuture: boolean },
  app = server.nameplate,
): Promise<void> {
  await runJobs(server.database, deliveryJob, app, options);
  await app.connections.settled();
}

/** Ends the pause after a failure. */
export async function endPause(server: TestApp, id: string): Promise<void> {
  await server.sql`UPDATE connections SET next_attempt_at = now() WHERE id = ${id}`;
}
