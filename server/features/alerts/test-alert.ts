import type { FastifyBaseLogger } from 'fastify';
import type { Kysely } from 'kysely';
import { ALERT_ADDRESS_REFUSALS } from '#contract/owner/alerts.ts';
import { lockAccount } from '#db/queries/accounts.ts';
import type { AlertRow } from '#db/queries/alerts/alerts.ts';
import { findWebhookUrl } from '#db/queries/chat/chat-webhooks.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import type { Database } from '#db/schema.ts';
import type { Allowances } from '#server/limits/allowances/allowances.ts';
import type { ChatService } from '../chat/chat-service.ts';
import { messageExcerpt, createMessageRecorder } from '../chat/message-recorder.ts';
import type { Outbox } from '#server/mail/outbox.ts';
import { refuserOf } from '#server/refusal.ts';
import { decryptWebhook, type WebhookStoreDeps } from '../chat/stored-webhooks.ts';
import { type AlertMessage, alertLine, alertMessage, chatMessageOf } from './alert-message.ts';

const refuse = refuserOf(ALERT_ADDRESS_REFUSALS);

/** Dependencies of test messages. */
export interface AlertTests extends WebhookStoreDeps {
  chat: ChatService;
  outbox: Outbox;
  allowances: Pick<Allowances, 'events'>;
}

/** Sends a test message to where an alert sends its messages; throws a `RefusalError` if that fails. */
export async function sendTest(
  on: AlertTests,
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
  const message = alertMessage('test', alert);
  const id = alert.webhook_id;
  const encryptedUrl = id === null ? undefined : await findWebhookUrl(db, accountId, id);
  if (id === null || !encryptedUrl) return mailTest(on, db, { accountId, message });
  const webhook = decryptWebhook(on, { accountId, id, encryptedUrl });
  const type = 'chat_message_sent';
  const detail = {
    alert_id: alert.id,
    stored_webhook_id: id,
    text: messageExcerpt({ content: alertLine(message) }),
  };
  const limit = on.allowances.events;
  await on.chat.send(
    { accountId, db, webhook },
    chatMessageOf(message),
    createMessageRecorder({ accountId, db, log }, { type, webhook, detail, limit }),
  );
}

async function mailTest(
  { outbox }: AlertTests,
  db: Kysely<Database>,
  { accountId, message }: { accountId: string; message: AlertMessage },
): Promise<void> {
  await inTransaction(db, async (trx) => {
    await lockAccount(trx, accountId);
    const about = JSON.stringify(message);
    if (!(await outbox.send(trx, { kind: 'alert', accountId, about })))
      throw refuse('alertAddressMissing');
  });
}
