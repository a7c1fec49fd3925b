import { randomUUID } from 'node:crypto';
import { LIMITS } from '#contract/shared/limits.ts';
import { UNREADABLE_WEBHOOK_REFUSALS, STORE_WEBHOOK_REFUSALS } from '#contract/owner/webhooks.ts';
import { lockAccount } from '#db/queries/accounts.ts';
import {
  findWebhookUrl,
  insertWebhook,
  listWebhooks,
  type WebhookRow,
} from '#db/queries/chat-webhooks.ts';
import type { Transaction } from '#db/connections/handles.ts';
import { parseWebhookUrl, type Webhook, webhookHostsOf } from './chat-client.ts';
import type { App } from '#server/app.ts';
import { type OutgoingMessage, type MessageSender, sendChatMessage } from './send-message.ts';
import { createRefuser } from '#server/platform/refusal.ts';

const refuse = createRefuser({ ...STORE_WEBHOOK_REFUSALS, ...UNREADABLE_WEBHOOK_REFUSALS });

export async function storeWebhook(
  trx: Transaction,
  { secretBox }: Pick<App, 'secretBox'>,
  { accountId, name, webhook }: { accountId: string; name: string; webhook: Webhook },
): Promise<WebhookRow> {
  if (!secretBox) throw refuse('webhooksNotStored');
  // Without the lock, concurrent requests could exceed the webhook limit.
  await lockAccount(trx, accountId);
  const { length } = await listWebhooks(trx, accountId);
  if (length >= LIMITS.webhooks) throw refuse('webhookLimitReached', { limit: LIMITS.webhooks });
  const id = randomUUID();
  const encrypted_url = secretBox.seal(formatWebhookUrl(webhook), encryptionContext(accountId, id));
  const row = { id, account_id: accountId, name, platform_id: webhook.id, encrypted_url };
  return insertWebhook(trx, row);
}

/** `text` is for the list of events. Returns undefined if the account has no such webhook. */
export async function sendToStoredWebhook(
  app: Pick<App, 'allowances' | 'chat' | 'config' | 'secretBox'>,
  sender: MessageSender,
  id: string,
  { text, detail, ...message }: Omit<OutgoingMessage, 'webhook'> & { text: string },
): Promise<string | undefined> {
  const { accountId, db } = sender;
  const encryptedUrl = await findWebhookUrl(db, accountId, id);
  if (!encryptedUrl) return undefined;
  const webhook = decryptWebhook(app, { accountId, id, encryptedUrl });
  const eventDetail = { ...detail, webhook_id: id, text };
  return sendChatMessage(app, sender, { ...message, webhook, detail: eventDetail });
}

function decryptWebhook(
  { config, secretBox }: Pick<App, 'config' | 'secretBox'>,
  { accountId, id, encryptedUrl }: { accountId: string; id: string; encryptedUrl: Uint8Array },
): Webhook {
  const url = secretBox?.open(encryptedUrl, encryptionContext(accountId, id));
  const webhook = url === undefined ? undefined : parseWebhookUrl(url, webhookHostsOf(config));
  if (!webhook) throw refuse('storedWebhookUnreadable');
  return webhook;
}

/** Binds the ciphertext to its row, so that it cannot be decrypted in another row. */
function encryptionContext(accountId: string, id: string): string {
  return `chat_webhooks ${accountId} ${id}`;
}

function formatWebhookUrl({ host, id, token, query }: Webhook): string {
  return `https://${host}/api/webhooks/${id}/${token}?${new URLSearchParams(query).toString()}`;
}
