import type { Transaction } from 'kysely';
import type { AlertTarget } from '#contract/owner/alerts.ts';
import type { Database } from '#db/schema.ts';
import type { App } from '#server/app.ts';
import type { MessageSender } from '../../chat/send-message.ts';
import type { AlertMessage } from '../alert-message.ts';
import { discord } from './discord.ts';
import { email } from './email.ts';

/** A message is queued with the change that it reports, or else sent after its commit. */
export type AlertChannel = {
  /** Refuses a target that gets no messages. */
  assertTarget: (
    trx: Transaction<Database>,
    app: Pick<App, 'outbox'>,
    alert: { accountId: string; target: AlertTarget },
  ) => Promise<void>;
} & (
  | {
      /** Resolves to false if the message cannot be sent. */
      enqueue: (
        trx: Transaction<Database>,
        app: Pick<App, 'outbox'>,
        alert: { accountId: string; message: AlertMessage },
      ) => Promise<boolean>;
      send?: undefined;
    }
  | {
      enqueue?: undefined;
      /** Throws a refusal of `testAlert` if the message was not sent or its outcome is unknown. */
      send: (app: App, sender: MessageSender, alert: AlertDelivery) => Promise<unknown>;
    }
);

/** `field` of an alert has its target there. */
export type TargetedChannel = AlertChannel & { field: keyof AlertTarget };

interface AlertDelivery {
  alertId: string;
  target: AlertTarget;
  message: AlertMessage;
  /** From then on, the message may arrive although `send` throws. */
  onCallStart?: () => void;
}

const CHANNELS: readonly TargetedChannel[] = [discord];

/** Alerts without a target are mailed. */
export function channelOf(target: AlertTarget): AlertChannel {
  return CHANNELS.find(({ field }) => target[field]) ?? email;
}
