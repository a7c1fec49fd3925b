import type { App } from '#server/app.ts';
import { z } from 'zod';
import type { StoredMessage } from '#contract/refusal.ts';
import { beginAlertMessage, saveMessageResult } from '#db/queries/alert-runs.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { withRetries } from '#db/retry.ts';
import { defineJob } from '#server/platform/jobs/define-job.ts';
import { RefusalError } from '#server/platform/refusal.ts';
import { AlertMessage } from './alert-message.ts';
import { channelOf } from './channels/index.ts';

/** Including the delays between them, the attempts take about an hour and a half. */
const MAX_ATTEMPTS = 10;
const FIRST_RETRY_DELAY_S = 15;
const MAX_RETRY_DELAY_S = 1_800;
/** A database failover can take half a minute. */
const DATABASE_RETRY = { maxAttempts: 10, delayMs: () => 3_000 };

const AlertMessageJob = z.object({
  alertId: z.string(),
  /** Revision of the alert that identifies the message. */
  revision: z.int(),
  attempt: z.int(),
  message: AlertMessage,
});
type AlertMessageJob = z.infer<typeof AlertMessageJob>;

export const alertMessageJob = defineJob({
  kind: 'alert-message',
  schema: AlertMessageJob,
  batchSize: 16,
  pollSeconds: 5,
  expireSeconds: 180,
  // The message may have arrived. If a retry is safe, `sendAlert` adds a new job.
  noRetry: true,
  run: sendAlert,
});

async function sendAlert(app: App, job: AlertMessageJob): Promise<void> {
  const recipient = await withRetries(
    () => beginAlertMessage(app.db, job, { code: 'messageUncertain' }),
    DATABASE_RETRY,
  );
  if (!recipient) return;
  const { account_id: accountId, target } = recipient;
  let error: StoredMessage | null = null;
  let retryDelaySeconds: number | undefined;
  let isCallStarted = false;
  const onCallStart = () => {
    isCallStarted = true;
  };
  try {
    if (recipient.is_suspended) error = { code: 'accountSuspended' };
    else await channelOf(target).send(app, { ...app, accountId }, { ...job, target, onCallStart });
  } catch (failure) {
    const isRefused = failure instanceof RefusalError;
    error = isRefused
      ? failure.toStored()
      : { code: isCallStarted ? 'messageUncertain' : 'notSent' };
    if (!isRefused) app.log.error({ err: failure, accountId }, 'an alert could not be sent');
    const isFinal = isRefused ? failure.outcomeUnknown || failure.status < 500 : isCallStarted;
    if (!isFinal && job.attempt < MAX_ATTEMPTS)
      retryDelaySeconds = computeRetryDelay(failure, job.attempt);
  }
  await withRetries(
    () => saveResultAndRetry(app, { job, error, retryDelaySeconds }),
    DATABASE_RETRY,
  );
}

function computeRetryDelay(failure: unknown, attempt: number): number {
  const delay = Math.min(MAX_RETRY_DELAY_S, FIRST_RETRY_DELAY_S * 2 ** (attempt - 1));
  const retryAfter = failure instanceof RefusalError ? failure.headers['retry-after'] : undefined;
  return Math.max(delay, Number(retryAfter ?? 0));
}

async function saveResultAndRetry(
  { db, jobs }: App,
  {
    job,
    error,
    retryDelaySeconds,
  }: { job: AlertMessageJob; error: StoredMessage | null; retryDelaySeconds: number | undefined },
): Promise<void> {
  await inTransaction(db, async (trx) => {
    const isLatest = await saveMessageResult(trx, job, error);
    if (!isLatest || retryDelaySeconds === undefined) return;
    const startAt = new Date(Date.now() + retryDelaySeconds * 1_000);
    const nextJob = { ...job, attempt: job.attempt + 1 };
    await jobs.add(trx, alertMessageJob, nextJob, { key: job.alertId, startAt });
  });
}
