import type { FastifyBaseLogger } from 'fastify';
import type { Kysely } from 'kysely';
import { ALERT_ADDRESS_REFUSALS } from '#contract/owner/alerts.ts';
import { findAccountLanguage, inAccountTransaction } from '#db/queries/accounts.ts';
import type { AlertRow } from '#db/queries/alerts/alerts.ts';
import { findWebhookUrl } from '#db/queries/chat/chat-webhooks.ts';
import type { Database } from '#db/schema.ts';
import type { Allowances } from '#server/limits/allowances/allowances.ts';
import type { ChatService } from '../chat/chat-service.ts';
import { messageExcerpt, createMessageRecorder } from '../chat/message-recorder.ts';
import type { Outbox } from '#server/mail/outbox.ts';
import { translatorFor } from '#server/language.ts';
import { createRefuser } from '#server/refusal.ts';
import { decryptWebhook, type WebhookStoreDeps } from '../chat/stored-webhooks.ts';
import {
  type AlertMessage,
  formatAlertLine,
  createAlertMessage,
  toChatMessage,
} from './alert-message.ts';

const refuse = createRefuser(ALERT_ADDRESS_REFUSALS);

export interface TestAlertDeps extends WebhookStoreDeps {
  chat: ChatService;
  outbox: Outbox;
  allowances: Pick<Allowances, 'eventLimit'>;
}

export async function sendTestAlert(
  deps: TestAlertDeps,
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
  if (webhookId === null || !encryptedUrl) return mailTestMessage(deps, db, { accountId, message });
  const webhook = decryptWebhook(deps, { accountId, id: webhookId, encryptedUrl });
  const type = 'chat_message_sent';
  const detail = {
    alert_id: alert.id,
    webhook_id: webhookId,
    text: messageExcerpt({ content: formatAlertLine(message) }),
  };
  const { eventLimit } = deps.allowances;
  await deps.chat.send(
    { accountId, db, webhook },
    toChatMessage(message),
    createMessageRecorder({ accountId, db, log }, { type, webhook, detail, eventLimit }),
  );
}

async function mailTestMessage(
  { outbox }: TestAlertDeps,
  db: Kysely<Database>,
  { accountId, message }: { accountId: string; message: AlertMessage },
): Promise<void> {
  await inAccountTransaction(db, accountId, async (trx) => {
    const detail = JSON.stringify(message);
    if (!(await outbox.enqueue(trx, { kind: 'alert', accountId, detail })))
      throw refuse('alertAddressMissing');
  });
}
