import { type RawBuilder, type Selectable, sql } from 'kysely';
import { LIMITS } from '#contract/shared/limits.ts';
import type { Language } from '#contract/shared/languages.ts';
import type { Schema } from '#db/schema.ts';
import type { Executor, ReadDatabase, Transaction } from '../connections/handles.ts';
import { lastSeenAt } from './members.ts';
import { isOwnerAddressIn, ownerAddress } from './owner-mails.ts';
import { isAfter } from './rows.ts';

export interface Audience {
  audience: Schema['messages']['audience'];
  /** Name of a group address, for its readers. */
  address?: string | null | undefined;
  /** The operator. */
  accountId: string;
}

const AUDIENCES: Record<Audience['audience'], (audience: Audience) => RawBuilder<boolean>> = {
  all: () => sql`true`,
  no_page: () => sql`NOT EXISTS (SELECT FROM sites JOIN display_names USING (account_id)
    WHERE sites.account_id = accounts.id AND sites.enabled)`,
  unseen: () => sql`coalesce(${lastSeenAt}, accounts.created_at) < now() - interval '6 months'`,
  address: ({ address = '' }) => sql`accounts.id IN (
    SELECT account_id FROM address_recipients JOIN addresses ON addresses.id = address_id
    WHERE addresses.name = ${address} AND stopped_at IS NULL)`,
  self: ({ accountId }) => sql`accounts.id = ${accountId}`,
};

/** Active members. Those who get no message have no mailbox. */
const selectPeople = (audience: Audience) => sql`
  SELECT accounts.id, accounts.created_at, accounts.language, is_unsubscribed,
    CASE WHEN NOT is_unsubscribed THEN lower(${ownerAddress}) END AS mailbox
  FROM accounts
  JOIN forwarding_settings ON forwarding_settings.account_id = accounts.id
  LEFT JOIN message_subscriptions ON message_subscriptions.account_id = accounts.id
  CROSS JOIN LATERAL (
    SELECT unsubscribed_at IS NOT NULL AND ${audience.audience !== 'self'}::boolean AS is_unsubscribed
  ) AS subscription
  WHERE accounts.suspended_at IS NULL AND ${AUDIENCES[audience.audience](audience)}`;

export async function countRecipients(db: ReadDatabase, audience: Audience) {
  const { rows } = await sql<
    Record<'recipients' | 'unsubscribed' | 'unreachable' | 'shared', number>
  >`
    SELECT count(DISTINCT mailbox)::int AS recipients,
      (count(*) FILTER (WHERE is_unsubscribed))::int AS unsubscribed,
      (count(*) FILTER (WHERE NOT is_unsubscribed AND mailbox IS NULL))::int AS unreachable,
      (count(mailbox) - count(DISTINCT mailbox))::int AS shared
    FROM (${selectPeople(audience)}) AS people`.execute(db);
  return rows[0]!;
}

/** The number of messages that can be sent now, and if 0, when the next one can. Tests and messages without a recipient do not count. */
export async function findMessageAllowance(
  db: ReadDatabase,
): Promise<{ remaining: number; sendableAt: Date | null }> {
  const { rows } = await sql<{ next_at: Date }>`
    SELECT created_at + interval '1 day' AS next_at FROM messages
    WHERE created_at > now() - interval '1 day' AND audience <> 'self'
      AND EXISTS (SELECT FROM message_recipients
        WHERE message_id = messages.id AND state <> 'skipped')
    ORDER BY created_at DESC LIMIT ${LIMITS.messagesPerDay}`.execute(db);
  const remaining = LIMITS.messagesPerDay - rows.length;
  return { remaining, sendableAt: remaining > 0 ? null : rows.at(-1)!.next_at };
}

/** So that parallel requests cannot exceed the limit. */
export async function lockMessages(trx: Transaction): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('messages', 0))`.execute(trx);
}

/** Of several accounts with one mailbox, the oldest is the recipient. */
export async function insertMessage(
  trx: Transaction,
  { accountId, ...message }: Audience & { subject: string; text: string },
): Promise<{ id: string; recipients: { account_id: string; language: Language | null }[] }> {
  const address = message.audience === 'address' ? (message.address ?? '') : null;
  const messages = trx
    .insertInto('messages')
    .values({ ...message, address })
    .returning('id');
  const { id } = await messages.executeTakeFirstOrThrow();
  const { rows } = await sql<{ account_id: string; language: Language | null }>`
    WITH recipient AS (
      SELECT DISTINCT ON (mailbox) id, language
      FROM (${selectPeople({ accountId, ...message })}) AS people
      WHERE mailbox IS NOT NULL
      ORDER BY mailbox, created_at, id
    ), subscription AS (
      INSERT INTO message_subscriptions (account_id) SELECT id FROM recipient
      ON CONFLICT DO NOTHING
    ), inserted AS (
      INSERT INTO message_recipients (message_id, account_id)
      SELECT ${id}::uuid, id FROM recipient
      RETURNING account_id
    )
    SELECT account_id, language FROM inserted JOIN recipient ON id = account_id`.execute(trx);
  return { id, recipients: rows };
}

type State = Selectable<Schema['message_recipients']>['state'];

const IS_DUE = sql<boolean>`messages.created_at > now() - interval '2 days'`;
/** After two days, a mail that still waits has failed. */
const STATE = sql<State>`CASE WHEN state = 'waiting' AND NOT ${IS_DUE} THEN 'failed' ELSE state END`;

interface MessageFailure {
  account_id: string;
  display_name: string | null;
  state: 'failed' | 'waiting';
  error: string;
}

/** Newest first, starting after the message with the id `after`. */
export async function listMessages(
  db: ReadDatabase,
  { id, limit = 1, after }: { id?: string; limit?: number; after?: string | undefined },
) {
  const count = <Name extends State>(state: Name) =>
    sql<number>`(SELECT count(*)::int FROM message_recipients
      WHERE message_id = messages.id AND ${STATE} = ${state})`.as(state);
  let messages = db
    .selectFrom('messages')
    .select(['id', 'audience', 'address', 'subject', 'text', 'created_at'])
    .select([count('waiting'), count('sent'), count('failed'), count('skipped')])
    .select(
      sql<MessageFailure[]>`(
        SELECT coalesce(json_agg(failure), '[]') FROM (
          SELECT account_id, name AS display_name, ${STATE} AS state, error
          FROM message_recipients LEFT JOIN display_names USING (account_id)
          WHERE message_id = messages.id AND state IN ('failed', 'waiting') AND error IS NOT NULL
          ORDER BY name LIMIT ${LIMITS.messageFailures}) AS failure)`.as('failures'),
    );
  if (id !== undefined) messages = messages.where('id', '=', id);
  if (after !== undefined) messages = messages.where(isAfter('messages', after));
  return messages.orderBy('created_at', 'desc').orderBy('id').limit(limit).execute();
}

/** For the export of an account. */
export async function listReceivedMessages(db: ReadDatabase, accountId: string) {
  return db
    .selectFrom('message_recipients')
    .innerJoin('messages', 'messages.id', 'message_id')
    .select(['subject', 'text', STATE.as('state'), 'created_at'])
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .execute();
}

/** Mails that are being sent still arrive. */
export async function skipWaitingMails(trx: Transaction, messageId: string): Promise<void> {
  await trx
    .updateTable('message_recipients')
    .set({ state: 'skipped' })
    .where('message_id', '=', messageId)
    .where('state', '=', 'waiting')
    .execute();
}

export interface MessageRecipient {
  messageId: string;
  accountId: string;
}

const isRecipient = ({ messageId, accountId }: MessageRecipient) =>
  sql<boolean>`(message_id = ${messageId} AND message_recipients.account_id = ${accountId})`;

/** Undefined if the mail is not sent: the message was stopped, or the member left or unsubscribed. */
export async function findMessageMail(
  trx: Transaction,
  recipient: MessageRecipient,
): Promise<{ subject: string; text: string; address: string; token: string } | undefined> {
  const mail = await trx
    .selectFrom('message_recipients')
    .innerJoin('messages', 'messages.id', 'message_id')
    .innerJoin('accounts', 'accounts.id', 'message_recipients.account_id')
    .innerJoin('forwarding_settings', 'forwarding_settings.account_id', 'accounts.id')
    .innerJoin('message_subscriptions', 'message_subscriptions.account_id', 'accounts.id')
    .select(['subject', 'text', 'token', sql<string>`${ownerAddress}`.as('address')])
    .where(isRecipient(recipient))
    .where(
      sql<boolean>`state = 'waiting' AND suspended_at IS NULL AND ${IS_DUE}
        AND (unsubscribed_at IS NULL OR audience = 'self') AND ${ownerAddress} IS NOT NULL`,
    )
    .executeTakeFirst();
  if (!mail)
    await trx
      .updateTable('message_recipients')
      .set({ state: sql`CASE WHEN error IS NULL THEN 'skipped' ELSE 'failed' END` })
      .where(isRecipient(recipient))
      .where('state', '=', 'waiting')
      .execute();
  return mail;
}

/** A mail that was sent while an operator stopped the message counts as sent. */
export async function recordMessageMail(
  db: Executor,
  recipient: MessageRecipient,
  failure: { code: string; isPermanent: boolean } | undefined,
): Promise<void> {
  const state = failure?.isPermanent ? 'failed' : 'sent';
  await db
    .updateTable('message_recipients')
    .set({
      error: failure?.code ?? null,
      ...((!failure || failure.isPermanent) && { state }),
    })
    .where(isRecipient(recipient))
    .where('state', 'in', failure ? ['waiting'] : ['waiting', 'skipped'])
    .execute();
}

export async function setSubscribed(
  db: Executor,
  accountId: string,
  subscribed: boolean,
): Promise<void> {
  const unsubscribed_at = subscribed ? null : sql<Date>`now()`;
  await db
    .insertInto('message_subscriptions')
    .values({ account_id: accountId, unsubscribed_at })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ unsubscribed_at }))
    .execute();
}

/** Unsubscribes all accounts with the mailbox. Returns false if no account has the token. */
export async function unsubscribeMailbox(db: Executor, token: string): Promise<boolean> {
  const { rows } = await sql`
    WITH mailbox AS (
      SELECT account_id AS id, lower(${ownerAddress}) AS address
      FROM message_subscriptions JOIN forwarding_settings USING (account_id) WHERE token = ${token}
    )
    INSERT INTO message_subscriptions (account_id, unsubscribed_at)
    SELECT account_id, now() FROM forwarding_settings, mailbox
    WHERE account_id = mailbox.id OR ${isOwnerAddressIn(sql`ARRAY[mailbox.address]`)}
    ON CONFLICT (account_id) DO UPDATE SET unsubscribed_at = now()
    RETURNING account_id`.execute(db);
  return rows.length > 0;
}
