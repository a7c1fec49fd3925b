import { CHAT_REFUSALS } from '#contract/chat-refusals.ts';
import { UNREADABLE_CONNECTION_REFUSALS } from '#contract/owner/connections.ts';
import type { Receiver } from '#db/queries/connections.ts';
import type { AttemptResult, DeliveryRow } from '#db/queries/deliveries.ts';
import type { App } from '#server/app.ts';
import { RefusalError } from '#server/platform/refusal.ts';
import type { Translator } from '#translations/translator.ts';
import { createEventMessage } from './event-message.ts';
import type { Attempt, OpenReceiver } from './kinds/connection-kind.ts';
import { KINDS } from './kinds/index.ts';
import { openReceiver } from './open-receiver.ts';

/** The texts of a delivery's `error` by code. Refusals are stored by their own codes. */
export const DELIVERY_ERRORS: Readonly<Record<string, string>> = {
  receiverStatus: 'The receiver answered with the status {status}.',
  receiverRedirected:
    'The receiver redirects to another address (status {status}). Use that address, because redirects are not followed.',
  receiverTimedOut: 'The receiver did not answer within 10 seconds.',
  receiverUnreachable: 'The receiver could not be reached ({code}).',
  receiverPrivate: 'The address leads to a private network, which this server does not call.',
  responseTooLarge: 'The answer of the receiver is longer than 64 KB.',
  notMailed: 'There is no confirmed email address, or it received too many mails in the last hour.',
  notSent: 'An internal error occurred.',
  connectionOff: 'The connection was switched off.',
  deliveryExpired: 'The receiver failed for three days.',
  ...Object.fromEntries(
    Object.entries({ ...UNREADABLE_CONNECTION_REFUSALS, ...CHAT_REFUSALS }).map(
      ([code, { message }]) => [code, message],
    ),
  ),
};

export interface FinishedAttempt extends Attempt {
  durationMs: number;
}

/** Never throws: errors are the result of the attempt. */
export async function attemptDelivery(
  app: App,
  row: Receiver,
  delivery: DeliveryRow,
  { t, signal }: { t: Translator; signal: AbortSignal },
): Promise<FinishedAttempt> {
  const startedAt = performance.now();
  let attempt: Attempt;
  try {
    const receiver: OpenReceiver = openReceiver(app, row);
    const message = createEventMessage(app, delivery, t);
    attempt = await KINDS[row.kind].send(app, { receiver, delivery, message, signal });
  } catch (error) {
    const isRefused = error instanceof RefusalError;
    if (!isRefused && !signal.aborted)
      app.log.error({ err: error, accountId: row.account_id }, 'a delivery could not be sent');
    attempt = { outcome: 'failed', error: isRefused ? error.toStored() : { code: 'notSent' } };
  }
  return { ...attempt, durationMs: Math.round(performance.now() - startedAt) };
}

/** `status` is that of a delivery that did not arrive, but may be sent again. */
export function toResult(
  { outcome, error, status, response, durationMs }: FinishedAttempt,
  unsentStatus: 'pending' | 'failed',
): AttemptResult {
  const statuses = {
    delivered: 'delivered',
    failed: unsentStatus,
    refused: 'failed',
    gone: 'failed',
  };
  return {
    status: statuses[outcome] as AttemptResult['status'],
    error: error ?? null,
    response_status: status ?? null,
    response: response ?? null,
    duration_ms: durationMs,
  };
}
