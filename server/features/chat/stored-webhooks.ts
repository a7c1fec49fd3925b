import { randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import { LIMITS } from '#contract/limits.ts';
import { UNREADABLE_WEBHOOK_REFUSALS, STORE_WEBHOOK_REFUSALS } from '#contract/owner/webhooks.ts';
import { lockAccount } from '#db/queries/accounts.ts';
import { insertWebhook, listWebhooks, type WebhookRow } from '#db/queries/chat/chat-webhooks.ts';
import type { Database } from '#db/schema.ts';
import { parseWebhookUrl, type Webhook } from './platform-client.ts';
import { refuserOf } from '#server/refusal.ts';
import type { SecretBox } from '#server/secret-box.ts';

const refuse = refuserOf({ ...STORE_WEBHOOK_REFUSALS, ...UNREADABLE_WEBHOOK_REFUSALS });

/** Dependencies of everything that reads or writes stored webhooks. */
export interface WebhookStore {
  /** Undefined where the server has no key to encrypt with. */
  secrets: SecretBox | undefined;
  /** Hosts that webhooks may be at. */
  webhookHosts: readonly string[];
}

/** Stores a webhook of an account, encrypted. */
export async function storeWebhook(
  trx: Transaction<Database>,
  { secrets }: Pick<WebhookStore, 'secrets'>,
  { accountId, name, webhook }: { accountId: string; name: string; webhook: Webhook },
): Promise<WebhookRow> {
  if (!secrets) throw refuse('webhooksNotStored');
  // Others that are stored at the same time are counted, too.
  await lockAccount(trx, accountId);
  const { length } = await listWebhooks(trx, accountId);
  if (length >= LIMITS.webhooks) throw refuse('webhookLimitReached', { limit: LIMITS.webhooks });
  const id = randomUUID();
  const encryptedUrl = secrets.seal(urlOf(webhook), contextOf(accountId, id));
  return insertWebhook(trx, { id, accountId, name, platformId: webhook.id, encryptedUrl });
}

/** Decrypts a stored webhook. Throws a `RefusalError` if that is no longer possible. */
export function readWebhook(
  { secrets, webhookHosts }: WebhookStore,
  { accountId, id, encryptedUrl }: { accountId: string; id: string; encryptedUrl: Uint8Array },
): Webhook {
  const url = secrets?.open(encryptedUrl, contextOf(accountId, id));
  const webhook = url === undefined ? undefined : parseWebhookUrl(url, webhookHosts);
  if (!webhook) throw refuse('storedWebhookUnreadable');
  return webhook;
}

/** Ties a secret to its row, so that it is of no use in another one. */
function contextOf(accountId: string, id: string): string {
  return `chat_webhooks ${accountId} ${id}`;
}

function urlOf({ host, id, token, threadId }: Webhook): string {
  const thread = threadId === undefined ? '' : `?thread_id=${threadId}`;
  return `https://${host}/api/webhooks/${id}/${token}${thread}`;
}
