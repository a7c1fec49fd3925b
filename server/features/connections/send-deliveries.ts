import { inTransaction } from '#db/connections/transaction.ts';
import { findAccountLanguage } from '#db/queries/accounts.ts';
import {
  claimConnection,
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
  findNextDelivery,
  saveAttempt,
  trimDeliveries,
} from '#db/queries/deliveries.ts';
import { OverloadedError } from '#server/platform/limits/overloaded-error.ts';
import { translatorFor } from '#server/platform/text/language.ts';
import type { Translator } from '#translations/translator.ts';
import { queueDeliveries, type DeliveryClass } from '../events/delivery-queue.ts';
import { storeEvent } from '../events/log-event.ts';
import type { ConnectionServices } from './kinds/connection-kind.ts';
import { attemptDelivery, type FinishedAttempt } from './send-delivery.ts';

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

interface Run {
  connection: LeasedConnection;
  leasedAt: number;
  t: Translator;
  signal: AbortSignal;
}

/**
 * Starts to send what waits for one connection, in order. The first failure ends the run. If this
 * process ends, another server continues after the lease.
 */
export async function startDeliveries(
  app: ConnectionServices,
  id: string,
  deliveryClass: DeliveryClass,
): Promise<void> {
  const { db, connections } = app;
  // Nothing to send: another run was faster.
  if (!(await findNextAttempt(db, id))) return;
  const leasedAt = performance.now();
  const connection = await claimConnection(db, id, LEASE_S);
  if (!connection) return finishRun(app, id, deliveryClass);
  const send = async (signal: AbortSignal) => {
    await scheduleRun(app, id, deliveryClass, inFuture(LEASE_S * 1_000));
    const t = translatorFor(await findAccountLanguage(db, connection.account_id));
    try {
      await sendPending(app, { connection, leasedAt, t, signal }, deliveryClass);
    } catch (error) {
      if (!(error instanceof OverloadedError)) throw error;
      await releaseConnection(db, connection);
      return scheduleRun(app, id, deliveryClass, inFuture(BUSY_DELAY_MS));
    }
    await releaseConnection(db, connection);
    await finishRun(app, id, deliveryClass);
  };
  connections.runInBackground((signal) =>
    send(signal).catch((error: unknown) =>
      app.log.error(
        { err: error, accountId: connection.account_id },
        'deliveries could not be sent',
      ),
    ),
  );
}

function inFuture(delayMs: number): Date {
  return new Date(Date.now() + delayMs);
}

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

async function sendPending(
  app: ConnectionServices,
  run: Run,
  deliveryClass: DeliveryClass,
): Promise<void> {
  const slots = app.connections.slots[deliveryClass];
  const endsAt = performance.now() + MAX_RUN_MS;
  let mayContinue = true;
  while (mayContinue && performance.now() < endsAt)
    mayContinue = await slots.run(run.connection.account_id, () => sendNext(app, run));
}

/** Returns false if the run ends. */
async function sendNext(app: ConnectionServices, run: Run): Promise<boolean> {
  const { db } = app;
  const { connection, signal } = run;
  if (signal.aborted) return false;
  if (performance.now() > run.leasedAt + EXTEND_LEASE_MS) {
    const leasedUntil = await extendLease(db, connection, LEASE_S);
    if (!leasedUntil) return false;
    connection.leased_until = leasedUntil;
    run.leasedAt = performance.now();
  }
  const delivery = await findNextDelivery(db, connection.id);
  if (!delivery) return false;
  const attempt = await attemptDelivery(app, connection, delivery, run);
  if (signal.aborted && attempt.outcome !== 'delivered') return false;
  if (attempt.outcome === 'failed' || attempt.outcome === 'gone') {
    await saveFailure(app, connection, delivery, attempt);
    return false;
  }
  await saveAttempt(db, delivery.id, attempt.result);
  if (connection.failures > 0) await endFailures(db, connection);
  connection.failures = 0;
  return true;
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
