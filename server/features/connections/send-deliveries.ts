import { inTransaction } from '#db/connections/transaction.ts';
import { findAccountLanguage } from '#db/queries/accounts.ts';
import {
  claimConnection,
  type ConnectionRow,
  disableConnection,
  endFailures,
  extendLease,
  findNextAttempt,
  type LeasedConnection,
  pauseConnection,
  releaseConnection,
} from '#db/queries/connections.ts';
import {
  type DeliveryRow,
  failPending,
  findLastDuration,
  findNextDelivery,
  saveAttempt,
  trimDeliveries,
} from '#db/queries/deliveries.ts';
import { translatorFor } from '#server/platform/text/language.ts';
import { storeEvent } from '../events/log-event.ts';
import { queueDeliveries, type DeliveryClass } from '../events/delivery-queue.ts';
import { KINDS } from './kinds/index.ts';
import { openUrl } from './open-receiver.ts';
import type { Slot } from './receivers.ts';
import { attemptDelivery, type FinishedAttempt } from './send-delivery.ts';
import type { ConnectionServices } from './kinds/connection-kind.ts';

/** Longer than one attempt. Another server may send when it is over. */
const LEASE_S = 30;
const EXTEND_LEASE_MS = 10_000;
/** A longer run ends, and another job continues. */
const MAX_RUN_MS = 50_000;
const BUSY_DELAY_MS = 1_000;
const SLOW_BUSY_DELAY_MS = 5_000;
/** The delay after each failure. */
const RETRY_DELAYS_S = [5, 30, 120, 600, 1_800, 3_600, 7_200] as const;
const LONGEST_DELAY_S = 21_600;
const GIVE_UP_S = 259_200;

/**
 * Starts to send what waits for one connection, in order. The first failure ends the run. If this
 * process ends, another server continues after the lease.
 */
export async function startDeliveries(
  app: ConnectionServices,
  id: string,
  deliveryClass: DeliveryClass,
): Promise<void> {
  const { db, receivers } = app;
  // The job of a finished run finds nothing.
  if (!(await findNextAttempt(db, id))) return;
  const connection = await claimConnection(db, id, LEASE_S);
  if (!connection) return finishRun(app, id, deliveryClass);
  const isSlow = ((await findLastDuration(db, id)) ?? 0) > receivers.slowMs;
  const run = { accountId: connection.account_id, host: hostOf(app, connection), isSlow };
  // Mails leave by a queue of their own.
  const slot = KINDS[connection.kind].url ? receivers.tryAcquire(deliveryClass, run) : NO_SLOT;
  const startAt = (delayMs: number) => new Date(Date.now() + delayMs);
  if (!slot) {
    await releaseConnection(db, connection);
    return scheduleRun(
      app,
      id,
      deliveryClass,
      startAt(isSlow ? SLOW_BUSY_DELAY_MS : BUSY_DELAY_MS),
    );
  }
  const send = async (signal: AbortSignal) => {
    try {
      await scheduleRun(app, id, deliveryClass, startAt(LEASE_S * 1_000));
      await sendPending(app, connection, slot, signal);
    } finally {
      slot.release();
    }
    await finishRun(app, id, deliveryClass);
  };
  receivers.runInBackground((signal) =>
    send(signal).catch((error: unknown) =>
      app.log.error({ err: error, accountId: run.accountId }, 'deliveries could not be sent'),
    ),
  );
}

const NO_SLOT = { yield: () => {}, release: () => {} };

/** An event may have been added after the last look, and its job may have found the lease. */
async function finishRun(
  app: ConnectionServices,
  id: string,
  deliveryClass: DeliveryClass,
): Promise<void> {
  await trimDeliveries(app.db, id);
  const startAt = await findNextAttempt(app.db, id);
  if (startAt) await scheduleRun(app, id, deliveryClass, startAt);
}

function scheduleRun(
  { db, jobs }: ConnectionServices,
  id: string,
  deliveryClass: DeliveryClass,
  startAt: Date,
): Promise<void> {
  return inTransaction(db, (trx) =>
    queueDeliveries(trx, jobs, [id], { slot: deliveryClass, startAt }),
  );
}

function hostOf(app: ConnectionServices, connection: ConnectionRow): string | undefined {
  if (!KINDS[connection.kind].url?.isReceiver) return undefined;
  const url = openUrl(app, connection);
  return url === undefined ? undefined : new URL(url).host;
}

async function sendPending(
  app: ConnectionServices,
  connection: LeasedConnection,
  slot: Slot,
  signal: AbortSignal,
): Promise<void> {
  const { db } = app;
  const { slowMs } = app.receivers;
  const t = translatorFor(await findAccountLanguage(db, connection.account_id));
  const endsAt = performance.now() + MAX_RUN_MS;
  let leasedAt = performance.now();
  for (;;) {
    const delivery = await findNextDelivery(db, connection.id);
    if (!delivery || signal.aborted || performance.now() > endsAt) break;
    if (performance.now() > leasedAt + EXTEND_LEASE_MS) {
      const leasedUntil = await extendLease(db, connection, LEASE_S);
      if (!leasedUntil) return;
      connection.leased_until = leasedUntil;
      leasedAt = performance.now();
    }
    const timer = setTimeout(slot.yield, slowMs);
    const attempt = await attemptDelivery(app, connection, delivery, { t, signal });
    clearTimeout(timer);
    if (signal.aborted && attempt.outcome !== 'delivered') break;
    if (attempt.outcome === 'failed' || attempt.outcome === 'gone')
      return saveFailure(app, connection, delivery, attempt);
    await saveAttempt(db, delivery.id, attempt.result);
    if (connection.failures > 0) await endFailures(db, connection);
    connection.failures = 0;
    if ((attempt.result.duration_ms ?? 0) > slowMs) break;
  }
  await releaseConnection(db, connection);
}

async function saveFailure(
  app: ConnectionServices,
  connection: LeasedConnection,
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
