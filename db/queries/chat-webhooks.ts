import type { Insertable } from 'kysely';
import type { Executor, ReadDatabase, Transaction } from '#db/connections/handles.ts';
import type { Row, Schema } from '#db/schema.ts';

const columns = ['id', 'name', 'platform_id', 'created_at'] as const;

export type WebhookRow = Row<'chat_webhooks', (typeof columns)[number]>;

export async function listWebhooks(db: ReadDatabase, accountId: string): Promise<WebhookRow[]> {
  return db
    .selectFrom('chat_webhooks')
    .select(columns)
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

export async function insertWebhook(
  db: Executor,
  webhook: Insertable<Schema['chat_webhooks']>,
): Promise<WebhookRow> {
  return db
    .insertInto('chat_webhooks')
    .values(webhook)
    .returning(columns)
    .executeTakeFirstOrThrow();
}

export async function findWebhookUrl(
  db: ReadDatabase,
  accountId: string,
  id: string,
): Promise<Uint8Array | undefined> {
  const webhook = await db
    .selectFrom('chat_webhooks')
    .select('encrypted_url')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  return webhook?.encrypted_url;
}

/** Locks the webhook against deletion. Returns false if the account has no such webhook. */
export async function lockWebhook(
  trx: Transaction,
  accountId: string,
  id: string,
): Promise<boolean> {
  const webhook = await trx
    .selectFrom('chat_webhooks')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .forKeyShare()
    .executeTakeFirst();
  return webhook !== undefined;
}
