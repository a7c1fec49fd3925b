import { CHAT_REFUSALS } from '#contract/chat-refusals.ts';
import { UNREADABLE_CONNECTION_REFUSALS } from '#contract/owner/connections.ts';
import type { ConnectionRow } from '#db/queries/connections.ts';
import type { AttemptResult, DeliveryRow } from '#db/queries/deliveries.ts';
import { findOwnerId } from '#db/queries/keepers.ts';
import { findKeyLabels } from '#server/features/events/describe-event.ts';
import { RefusalError } from '#server/platform/refusal.ts';
import type { Translator } from '#translations/translator.ts';
import { createEventMessage } from './event-message.ts';
import type { Attempt, ConnectionServices } from './kinds/connection-kind.ts';
import { KINDS } from './kinds/index.ts';
import { openReceiver } from './open-receiver.ts';

const NO_ANSWER =
  'The receiver did not answer. Check its address, its certificate, and that it answers within 10 seconds.';

/** The texts of a delivery's `error` by code. Refusals are stored by their own codes. */
export const DELIVERY_ERRORS: Readonly<Record<string, string>> = {
  receiverStatus: 'The receiver answered with the status {status}.',
  receiverRedirected:
    'The receiver redirects to another address (status {status}). Use that address, because redirects are not followed.',
  receiverUnreachable: NO_ANSWER,
  /** Stored by versions up to 0.2.0. */
  receiverTimedOut: NO_ANSWER,
  receiverPrivate:
    'The address leads to a private network. To allow that, an operator adds CONNECTION_PRIVATE_ORIGINS={origin} to the settings of the server and restarts it.',
  responseTooLarge: 'The answer of the receiver is longer than 64 KB.',
  appriseUnconfigured: 'The Apprise server has no configuration for this key.',
  notMailed: 'There is no confirmed email address, or it received too many mails in the last hour.',
  notSent: 'An internal error occurred.',
  connectionOff: 'The connection was switched off.',
  deliveryExpired: 'The receiver failed for three days.',
  deliveryDropped: 'More than 10,000 events were waiting.',
  ...Object.fromEntries(
    Object.entries({ ...UNREADABLE_CONNECTION_REFUSALS, ...CHAT_REFUSALS }).map(
      ([code, { message }]) => [code, message],
    ),
  ),
};

export interface FinishedAttempt extends Pick<Attempt, 'outcome' | 'retryAfterSeconds'> {
  result: AttemptResult;
}

const STATUSES = {
  delivered: 'delivered',
  failed: 'again',
  refused: 'failed',
  gone: 'failed',
} as const;

/** Never throws: errors are the result of the attempt. */
export async function attemptDelivery(
  app: ConnectionServices,
  connection: ConnectionRow,
  delivery: DeliveryRow,
  { t, signal }: { t: Translator; signal: AbortSignal },
): Promise<FinishedAttempt> {
  const startedAt = performance.now();
  let attempt: Attempt;
  try {
    const receiver = openReceiver(app, connection);
    await app.instanceStore.refresh();
    const { account_id: accountId } = connection;
    const labels = await findKeyLabels(app.db, accountId);
    const keptId = (await findOwnerId(app.db, accountId)) && accountId;
    const message = createEventMessage(app, delivery, t, { labels, keptId });
    attempt = await KINDS[connection.kind].send(app, { receiver, delivery, message, signal });
  } catch (error) {
    const isRefused = error instanceof RefusalError;
    if (!isRefused && !signal.aborted)
      app.log.error(
        { err: error, accountId: connection.account_id },
        'a delivery could not be sent',
      );
    attempt = { outcome: 'failed', error: isRefused ? error.toStored() : { code: 'notSent' } };
  }
  const {
    outcome,
    retryAfterSeconds,
    error = null,
    response_status = null,
    response = null,
  } = attempt;
  const duration_ms = Math.round(performance.now() - startedAt);
  const result = { status: STATUSES[outcome], error, response_status, response, duration_ms };
  return { outcome, retryAfterSeconds, result };
}
