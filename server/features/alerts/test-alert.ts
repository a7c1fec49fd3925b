import type { FastifyBaseLogger } from 'fastify';
import type { Kysely } from 'kysely';
import { ALERT_ADDRESS_REFUSALS } from '#contract/owner/alerts.ts';
import { findAccountLanguage, inAccountTransaction } from '#db/queries/accounts.ts';
import type { AlertRow } from '#db/queries/alerts/alerts.ts';
import { findWebhookUrl } from '#db/queries/chat/chat-webhooks.ts';
import type { Database } from '#db/schema.ts';
import type { App } from '#server/app.ts';
import { messageExcerpt, createMessageRecorder } from '../chat/message-recorder.ts';
import { translatorFor } from '#server/language.ts';
import { createRefuser } from '#server/refusal.ts';
import { decryptWebhook } from '../chat/stored-webhooks.ts';
import {
  type AlertMessage,
  formatAlertLine,
  createAlertMessage,
  toChatMessage,
} from './alert-message.ts';

const refuse = createRefuser(ALERT_ADDRESS_REFUSALS);

export async function sendTestAlert(
  app: App,
  {
    accountId,
    alert,
    db,
    log,
  }: {
    accountId: string;
    alert: AlertRow & { project: string };
    db: Kysely<Database>;
    log: FastifyBaseLogger;
  },
): Promise<void> {
  const t = translatorFor(await findAccountLanguage(db, accountId));
  const message = createAlertMessage('test', alert, t);
  const webhookId = alert.webhook_id;
  const encryptedUrl =
    webhookId === null ? undefined : await findWebhookUrl(db, accountId, webhookId);
  if (webhookId === null || !encryptedUrl) return mailTestMessage(app, db, { accountId, message });
  const webhook = decryptWebhook(app, { accountId, id: webhookId, encryptedUrl });
  const type = 'chat_message_sent';
  const detail = {
    alert_id: alert.id,
    webhook_id: webhookId,
    text: messageExcerpt({ content: formatAlertLine(message) }),
  };
  const { eventLimit } = app.allowances;
  await app.chat.send(
    { accountId, db, webhook },
    toChatMessage(message),
    createMessageRecorder({ accountId, db, log }, { type, webhook, detail, eventLimit }),
  );
}

async function mailTestMessage(
  { outbox }: Pick<App, 'outbox'>,
  db: Kysely<Database>,
  { accountId, message }: { accountId: string; message: AlertMessage },
): Promise<void> {
  await inAccountTransaction(db, accountId, async (trx) => {
    if (!(await outbox.enqueue(trx, { kind: 'alert', accountId, alert: message })))
      throw refuse('alertAddressMissing');
  });
}
