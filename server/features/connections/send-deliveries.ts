import { inTransaction } from '#db/connections/transaction.ts';
import { findAccountLanguage } from '#db/queries/accounts.ts';
import {
  claimConnection,
  type ConnectionRow,
  disableConnection,
  endFailures,
  extendLease,
  findNextAttempt,
  pauseConnection,
  releaseConnection,
} from '#db/queries/connections.ts';
import {
  type DeliveryRow,
  failPending,
  findNextDelivery,
  saveAttempt,
  trimDeliveries,
} from '#db/queries/deliveries.ts';
import { translatorFor } from '#server/platform/text/language.ts';
import { storeEvent } from '../events/log-event.ts';
import { queueRuns } from './delivery-job.ts';
import { KINDS } from './kinds/index.ts';
import { openUrl } from './open-receiver.ts';
import { attemptDelivery, type FinishedAttempt } from './send-delivery.ts';
import type { ConnectionServices } from './kinds/connection-kind.ts';

/** Longer than one attempt. Another server may send when it is over. */
const LEASE_S = 30;
const EXTEND_LEASE_MS = 10_000;
/** A longer run ends, and another job continues. */
const MAX_RUN_MS = 50_000;
const BUSY_DELAY_MS = 1_000;
/** The delay after each failure. */
const RETRY_DELAYS_S = [5, 30, 120, 600, 1_800, 3_600, 7_200] as const;
const LONGEST_DELAY_S = 21_600;
const GIVE_UP_S = 259_200;

/** Sends what waits for one connection, in order. The first failure ends the run. */
export async function sendDeliveries(
  app: ConnectionServices,
  id: string,
  signal: AbortSignal,
): Promise<void> {
  const { db } = app;
  const connection = await claimConnection(db, id, LEASE_S);
  if (connection) {
    const release = app.receivers.tryAcquire({
      accountId: connection.account_id,
      host: hostOf(app, connection),
      isFailing: connection.failures > 0,
    });
    if (!release) {
      await releaseConnection(db, connection);
      return scheduleRun(app, id, new Date(Date.now() + BUSY_DELAY_MS));
    }
    try {
      await sendPending(app, connection, signal);
    } finally {
      release();
    }
  }
  await trimDeliveries(db, id);
  // An event may have been added after the last look, and its job may have found the lease.
  const startAt = await findNextAttempt(db, id);
  if (startAt) await scheduleRun(app, id, startAt);
}

function scheduleRun({ db, jobs }: ConnectionServices, id: string, startAt: Date): Promise<void> {
  return inTransaction(db, (trx) => queueRuns(trx, jobs, [id], startAt));
}

function hostOf(app: ConnectionServices, connection: ConnectionRow): string | undefined {
  if (!KINDS[connection.kind].url?.isReceiver) return undefined;
  const url = openUrl(app, connection);
  return url === undefined ? undefined : new URL(url).host;
}

async function sendPending(
  app: ConnectionServices,
  connection: ConnectionRow,
  signal: AbortSignal,
) {
  const { db } = app;
  const t = translatorFor(await findAccountLanguage(db, connection.account_id));
  const endsAt = performance.now() + MAX_RUN_MS;
  let leasedAt = performance.now();
  for (;;) {
    const delivery = await findNextDelivery(db, connection.id);
    if (!delivery || signal.aborted || performance.now() > endsAt) break;
    if (performance.now() > leasedAt + EXTEND_LEASE_MS) {
      await extendLease(db, connection, LEASE_S);
      leasedAt = performance.now();
    }
    const attempt = await attemptDelivery(app, connection, delivery, { t, signal });
    if (signal.aborted && attempt.outcome !== 'delivered') break;
    if (attempt.outcome === 'failed' || attempt.outcome === 'gone')
      return saveFailure(app, connection, delivery, attempt);
    await saveAttempt(db, delivery.id, attempt.result);
    if (connection.failures > 0) await endFailures(db, connection);
    connection.failures = 0;
  }
  await releaseConnection(db, connection);
}

async function saveFailure(
  app: ConnectionServices,
  connection: ConnectionRow,
  delivery: DeliveryRow,
  { outcome, result, retryAfterSeconds = 0 }: FinishedAttempt,
): Promise<void> {
  const { id, account_id: accountId, name, failures } = connection;
  await inTransaction(app.db, async (trx) => {
    await saveAttempt(trx, delivery.id, result);
    if (outcome === 'gone') {
      await disableConnection(trx, connection);
      await failPending(trx, id, 'connectionOff');
      const detail = { connection_id: id, connection: name };
      await storeEvent(trx, app, { accountId, type: 'connection_disabled', detail });
      return;
    }
    await failPending(trx, id, 'deliveryExpired', GIVE_UP_S);
    const delay = Math.max(RETRY_DELAYS_S[failures] ?? LONGEST_DELAY_S, retryAfterSeconds);
    await pauseConnection(trx, connection, Math.min(delay, LONGEST_DELAY_S));
  });
}
