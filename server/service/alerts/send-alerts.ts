import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Kysely } from 'kysely';
import {
  type AlertMessage,
  noteMessage,
  putMessageBack,
  takeAlertMessages,
} from '../../../db/queries/alerts/alert-runs.ts';
import type { Database } from '../../../db/schema.ts';
import type { ChatPlatform } from '../chat-relay/chat-platform.ts';
import { excerptOf, recordMessage } from '../chat-relay/record-message.ts';
import { RefusalError } from '../refusal.ts';
import { readWebhook, type WebhookStore } from '../webhooks/stored-webhooks.ts';
import { chatMessageOf } from './alert-message.ts';

/** Messages that are taken with one statement, and sent at a time. */
const BATCH = 8;
/** Tries to send one message: with the waits between them, about two hours. */
const MAX_TRIES = 10;
const FIRST_WAIT_S = 15;
const MAX_WAIT_S = 1_800;
/** Tries to note what became of a message, and the wait between them in milliseconds: a failover takes as long. */
const NOTES = 10;
const NOTE_MS = 3_000;

const UNKNOWN = 'It is unknown whether the latest message arrived.';
const TROUBLE = 'The service itself had trouble. The message is tried again.';
const SUSPENDED = 'The account is suspended.';

/** Dependencies of sending. */
export interface AlertSending extends WebhookStore {
  db: Kysely<Database>;
  chatPlatform: ChatPlatform;
  /** Events that an account keeps. */
  eventLimit: number;
  logger: Pick<FastifyBaseLogger, 'error'>;
}

/** Sends the messages that are due, until there is none or `isOver`. Whatever may have arrived is not sent again. */
export async function sendAlerts(on: AlertSending, isOver = () => false): Promise<void> {
  while (!isOver()) {
    const messages = await takeAlertMessages(on.db, BATCH, UNKNOWN);
    await Promise.all(messages.map((message) => sendMessage(on, message)));
    if (messages.length < BATCH) return;
  }
}

async function sendMessage(on: AlertSending, taken: AlertMessage): Promise<void> {
  const { db } = on;
  const { account_id: accountId, message, attempts } = taken;
  let error: string | null = null;
  let isCalled = false;
  try {
    if (taken.is_open) await deliver(on, taken, () => (isCalled = true));
    else error = SUSPENDED;
  } catch (failure) {
    const isRefused = failure instanceof RefusalError;
    error = isRefused ? failure.message : isCalled ? UNKNOWN : TROUBLE;
    if (!isRefused) on.logger.error({ err: failure, accountId }, 'an alert could not be sent');
    const seconds = isCalled || isRefused ? secondsToRetry(failure, attempts) : FIRST_WAIT_S;
    if (seconds !== undefined) {
      const again = { message, seconds, error };
      return noteSurely(() => putMessageBack(db, taken, again));
    }
  }
  await noteSurely(() => noteMessage(db, taken, error));
}

async function deliver(on: AlertSending, taken: AlertMessage, onCall: () => void): Promise<void> {
  const { db, chatPlatform, eventLimit: limit, logger: log } = on;
  const { account_id: accountId, webhook_id: id, encrypted_url: encryptedUrl } = taken;
  const webhook = readWebhook(on, { accountId, id, encryptedUrl });
  const type = 'chat_message_sent';
  const text = excerptOf({ content: taken.message.replace('\n', ': ') });
  const detail = { alert_id: taken.id, stored_webhook_id: id, text };
  const record = recordMessage({ accountId, db, log }, { type, webhook, detail, limit });
  await chatPlatform.send({ accountId, db, webhook }, chatMessageOf(taken.message), (call) =>
    record(() => {
      onCall();
      return call();
    }),
  );
}

/** Seconds until a message that surely was not sent is tried again; undefined if it is given up. */
function secondsToRetry(failure: unknown, attempts: number): number | undefined {
  if (!(failure instanceof RefusalError) || failure.outcomeUnknown) return undefined;
  if (failure.status < 500 || attempts >= MAX_TRIES) return undefined;
  const wait = Math.min(MAX_WAIT_S, FIRST_WAIT_S * 2 ** (attempts - 1));
  return Math.max(wait, Number(failure.headers['retry-after'] ?? 0));
}

/** Writes what became of a message, also while the database fails over. */
async function noteSurely(write: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1)
    try {
      return await write();
    } catch (error) {
      if (tries === NOTES) throw error;
      await sleep(NOTE_MS, undefined, { ref: false });
    }
}
