import type { AlertTarget } from '#contract/owner/alerts.ts';
import type { Transaction } from '#db/connections/handles.ts';
import type { App } from '#server/app.ts';
import type { MessageSender } from '../../chat/send-message.ts';
import type { AlertMessage } from '../alert-message.ts';
import { discord } from './discord.ts';
import { email } from './email.ts';

export interface AlertChannel {
  /** The field of an alert that has the target. Email has none. */
  field?: keyof AlertTarget;
  /** Refuses a target that gets no messages. */
  assertTarget: (
    trx: Transaction,
    app: App,
    alert: { accountId: string; target: AlertTarget },
  ) => Promise<void>;
  /** Throws one of `MESSAGE_REFUSALS` if the message was not sent or its outcome is unknown. */
  send: (
    app: App,
    sender: MessageSender,
    alert: {
      alertId: string;
      target: AlertTarget;
      message: AlertMessage;
      /** Called before the request. After it, the message may arrive even if `send` throws. */
      onCallStart?: (() => void) | undefined;
    },
  ) => Promise<unknown>;
  /**
   * Queues the message with the change that it reports, instead of a job that calls `send`.
   * Resolves to false if it cannot be sent.
   */
  enqueue?: (
    trx: Transaction,
    app: App,
    alert: { accountId: string; message: AlertMessage },
  ) => Promise<boolean>;
}

const CHANNELS: readonly AlertChannel[] = [discord, email];

export function channelOf(target: AlertTarget): AlertChannel {
  return CHANNELS.find(({ field }) => field === undefined || target[field])!;
}
