import { LIMITS } from '#contract/shared/limits.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { findAccountLanguage } from '#db/queries/accounts.ts';
import {
  claimReceiver,
  disableReceiver,
  endFailures,
  extendLease,
  findNextAttempt,
  type Receiver,
  releaseReceiver,
} from '#db/queries/connections.ts';
import {
  deleteFinishedBeyond,
  type DeliveryRow,
  failPending,
  listPending,
  savePendingAttempt,
} from '#db/queries/deliveries.ts';
import type { App } from '#server/app.ts';
import { translatorFor } from '#server/platform/text/language.ts';
import { storeEvent } from '../events/log-event.ts';
import { queueRuns } from './delivery-job.ts';
import { KINDS } from './kinds/index.ts';
import { openUrl } from './open-receiver.ts';
import { attemptDelivery, type FinishedAttempt, toResult } from './send-delivery.ts';

/** Longer than one attempt. Another server may send when it is over. */
const LEASE_S = 30;
const EXTEND_LEASE_MS = 10_000;
/** A longer run ends, and another job continues. */
const MAX_RUN_MS = 50_000;
const BATCH_SIZE = 100;
const BUSY_DELAY_MS = 1_000;
/** The delay after each failure. The last one repeats. */
const RETRY_DELAYS_S = [5, 30, 120, 600, 1_800, 3_600, 7_200, 21_600] as const;
const LONGEST_DELAY_S = 21_600;
const GIVE_UP_S = 259_200;

/** Sends what waits for one connection, in order. The first failure ends the run. */
export async function sendDeliveries(app: App, id: string, signal: AbortSignal): Promise<void> {
  const { db, jobs, receivers } = app;
  const receiver = await claimReceiver(db, id, LEASE_S);
  if (!receiver) return scheduleNextRun(app, id);
  const release = receivers.tryAcquire({
    accountId: receiver.account_id,
    host: hostOf(app, receiver),
    isFailing: receiver.failures > 0,
  });
  if (!release) {
    await extendLease(db, id, 0);
    const startAt = new Date(Date.now() + BUSY_DELAY_MS);
    return inTransaction(db, (trx) => queueRuns(trx, jobs, [id], startAt));
  }
  try {
    await sendPending(app, receiver, signal);
  } finally {
    release();
  }
  // An event may have been added after the last look, and its job may have found the lease.
  await scheduleNextRun(app, id);
}

async function sendPending(app: App, receiver: Receiver, signal: AbortSignal): Promise<void> {
  const { db } = app;
  const { id, account_id: accountId } = receiver;
  const t = translatorFor(await findAccountLanguage(db, accountId));
  const endsAt = performance.now() + MAX_RUN_MS;
  let leasedAt = performance.now();
  let batch: DeliveryRow[];
  do {
    batch = await listPending(db, id, BATCH_SIZE);
    for (const delivery of batch) {
      if (signal.aborted || performance.now() > endsAt) return releaseReceiver(db, id);
      if (performance.now() > leasedAt + EXTEND_LEASE_MS) {
        await extendLease(db, id, LEASE_S);
        leasedAt = performance.now();
      }
      const attempt = await attemptDelivery(app, receiver, delivery, { t, signal });
      if (signal.aborted && attempt.outcome !== 'delivered') return releaseReceiver(db, id);
      if (attempt.outcome === 'failed' || attempt.outcome === 'gone')
        return saveFailure(app, receiver, delivery, attempt);
      // The connection was switched off or deleted in the meantime.
      if (!(await savePendingAttempt(db, delivery.id, toResult(attempt, 'pending')))) return;
      if (receiver.failures > 0) await endFailures(db, id);
      receiver.failures = 0;
    }
    await deleteFinishedBeyond(db, id, LIMITS.deliveries);
  } while (batch.length === BATCH_SIZE);
  await releaseReceiver(db, id);
}

async function saveFailure(
  app: App,
  { id, account_id: accountId, name, failures }: Receiver,
  delivery: DeliveryRow,
  attempt: FinishedAttempt,
): Promise<void> {
  await inTransaction(app.db, async (trx) => {
    await savePendingAttempt(trx, delivery.id, toResult(attempt, 'pending'));
    if (attempt.outcome === 'gone') {
      await disableReceiver(trx, id);
      await failPending(trx, id, { error: { code: 'connectionOff' } });
      const detail = { connection_id: id, connection: name };
      const event = { accountId, type: 'connection_disabled', detail } as const;
      await storeEvent(trx, event, app.allowances.eventLimit);
      return;
    }
    const error = { code: 'deliveryExpired' };
    await failPending(trx, id, { error, olderThanSeconds: GIVE_UP_S });
    const delay = RETRY_DELAYS_S[failures] ?? LONGEST_DELAY_S;
    const retrySeconds = Math.max(delay, attempt.retryAfterSeconds ?? 0);
    await releaseReceiver(trx, id, Math.min(retrySeconds, LONGEST_DELAY_S));
  });
}

/** Adds a job if deliveries wait: now, or when the lease or the pause after a failure ends. */
async function scheduleNextRun({ db, jobs }: App, id: string): Promise<void> {
  const startAt = await findNextAttempt(db, id);
  if (startAt) await inTransaction(db, (trx) => queueRuns(trx, jobs, [id], startAt));
}

function hostOf(app: App, receiver: Receiver): string | undefined {
  if (KINDS[receiver.kind].url?.sharesHost === false) return undefined;
  const url = openUrl(app, receiver);
  return url === undefined ? undefined : new URL(url).host;
}
