import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Kysely } from 'kysely';
import {
  type AlertTarget,
  beginAlertMessage,
  saveMessageResult,
} from '#db/queries/alerts/alert-runs.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import type { Database } from '#db/schema.ts';
import type { JobQueue } from '#server/jobs/job-queue.ts';
import type { JobData } from '#server/jobs/kinds.ts';
import type { ChatService } from '../chat/chat-service.ts';
import { messageExcerpt, createMessageRecorder } from '../chat/message-recorder.ts';
import { RefusalError } from '#server/refusal.ts';
import { decryptWebhook, type WebhookStoreDeps } from '../chat/stored-webhooks.ts';
import { alertLine, chatMessageOf } from './alert-message.ts';

/** Tries to send one message: with the waits between them, about two hours. */
const MAX_TRIES = 10;
const FIRST_WAIT_S = 15;
const MAX_WAIT_S = 1_800;
/** Tries to reach the database, and the wait between them in milliseconds: a failover takes as long. */
const DATABASE_TRIES = 10;
const DATABASE_WAIT_MS = 3_000;

const UNKNOWN = 'It is unknown whether the latest message arrived.';
const TROUBLE = 'The service itself had trouble. The message is tried again.';
const SUSPENDED = 'The account is suspended.';

/** Dependencies of sending. */
export interface AlertSending extends WebhookStoreDeps {
  db: Kysely<Database>;
  jobs: Pick<JobQueue, 'add'>;
  chat: ChatService;
  /** Events that an account keeps. */
  eventLimit: number;
  logger: Pick<FastifyBaseLogger, 'error'>;
}

type Job = JobData['alert-message'];

/**
 * Sends the message of a job. The queue never repeats this job, because the message may have arrived: if
 * it certainly did not, this adds another job.
 */
export async function sendAlert(on: AlertSending, job: Job): Promise<void> {
  const target = await persistently(() => beginAlertMessage(on.db, job, UNKNOWN));
  if (!target) return;
  let error: string | null = null;
  let waitSeconds: number | undefined;
  let isCalled = false;
  try {
    if (target.is_open) await deliver(on, { job, target, onCall: () => (isCalled = true) });
    else error = SUSPENDED;
  } catch (failure) {
    const isRefused = failure instanceof RefusalError;
    error = isRefused ? failure.message : isCalled ? UNKNOWN : TROUBLE;
    const accountId = target.account_id;
    if (!isRefused) on.logger.error({ err: failure, accountId }, 'an alert could not be sent');
    const isLost = isRefused ? failure.outcomeUnknown || failure.status < 500 : isCalled;
    if (!isLost && job.tries < MAX_TRIES) waitSeconds = secondsToRetry(failure, job.tries);
  }
  await persistently(() => saveResult(on, { job, error, waitSeconds }));
}

async function deliver(
  on: AlertSending,
  { job, target, onCall }: { job: Job; target: AlertTarget; onCall: () => void },
): Promise<void> {
  const { db, chat, eventLimit: limit, logger: log } = on;
  const { account_id: accountId, webhook_id: id, encrypted_url: encryptedUrl } = target;
  const { alertId, message } = job;
  const webhook = decryptWebhook(on, { accountId, id, encryptedUrl });
  const type = 'chat_message_sent';
  const text = messageExcerpt({ content: alertLine(message) });
  const detail = { alert_id: alertId, stored_webhook_id: id, text };
  const record = createMessageRecorder({ accountId, db, log }, { type, webhook, detail, limit });
  await chat.send({ accountId, db, webhook }, chatMessageOf(message), (call) =>
    record(() => {
      onCall();
      return call();
    }),
  );
}

function secondsToRetry(failure: unknown, tries: number): number {
  const wait = Math.min(MAX_WAIT_S, FIRST_WAIT_S * 2 ** (tries - 1));
  const retryAfter = failure instanceof RefusalError ? failure.headers['retry-after'] : undefined;
  return Math.max(wait, Number(retryAfter ?? 0));
}

/** Notes the result of a try, and adds the next try after some seconds, if there is one. */
async function saveResult(
  { db, jobs }: AlertSending,
  { job, error, waitSeconds }: { job: Job; error: string | null; waitSeconds: number | undefined },
): Promise<void> {
  await inTransaction(db, async (trx) => {
    const isLatest = await saveMessageResult(trx, job, error);
    if (!isLatest || waitSeconds === undefined) return;
    const at = new Date(Date.now() + waitSeconds * 1_000);
    const next = { ...job, tries: job.tries + 1 };
    await jobs.add(trx, 'alert-message', next, { key: job.alertId, at });
  });
}

/** Repeats work on the database until it succeeds, for half a minute. */
async function persistently<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1)
    try {
      return await work();
    } catch (error) {
      if (tries === DATABASE_TRIES) throw error;
      await sleep(DATABASE_WAIT_MS, undefined, { ref: false });
    }
}
