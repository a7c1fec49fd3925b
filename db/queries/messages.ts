import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Language } from '#contract/shared/languages.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import type { Schema } from '#db/schema.ts';
import type { Executor, ReadDatabase, Transaction } from '../connections/handles.ts';
import { isWaiting } from './applications.ts';
import { isInGroup } from './groups.ts';
import { lastSeenAt } from './members.ts';
import { isOwnerAddressIn, ownerAddress } from './owner-mails.ts';
import { isPagePublished } from './public-sites.ts';
import { isAfter } from './rows.ts';

export interface Audience {
  audience: Schema['messages']['audience'];
  /** Name of a group address, for its readers. */
  address?: string | null | undefined;
  /** Ids of groups, for their members. */
  group_ids?: readonly string[] | null | undefined;
  /** Also for members who have unsubscribed. */
  official: boolean;
  /** The operator. */
  accountId: string;
}

const AUDIENCES: Record<Audience['audience'], (audience: Audience) => RawBuilder<boolean>> = {
  all: () => sql`true`,
  no_page: () => sql`NOT EXISTS (SELECT FROM sites JOIN display_names USING (account_id)
    WHERE sites.account_id = accounts.id AND ${isPagePublished})`,
  unseen: () => sql`coalesce(${lastSeenAt}, accounts.created_at) < now() - interval '6 months'`,
  address: ({ address = '' }) => sql`accounts.id IN (
    SELECT account_id FROM address_recipients JOIN addresses ON addresses.id = address_id
    WHERE addresses.name = ${address} AND stopped_at IS NULL)`,
  groups: ({ group_ids }) => isInGroup(sql`accounts.id`, group_ids ?? []),
  self: ({ accountId }) => sql`accounts.id = ${accountId}`,
};

/**
 * Active members and outside readers of the group address, with their first state. Of several
 * accounts with one mailbox, the oldest gets the mail.
 */
const selectPeople = (audience: Audience) => sql`
  SELECT account_id, NULL::uuid AS reader_id, is_unsubscribed, mailbox, CASE
    WHEN is_unsubscribed AND NOT ${audience.official}::boolean THEN 'unsubscribed'
    WHEN mailbox IS NULL THEN 'unreachable'
    WHEN row_number() OVER (PARTITION BY mailbox ORDER BY created_at, account_id) > 1
    THEN 'shared' ELSE 'waiting' END AS state
  FROM (
    SELECT accounts.id AS account_id, accounts.created_at, lower(${ownerAddress}) AS mailbox,
      ${audience.audience !== 'self'}::boolean AND ${isUnsubscribed} AS is_unsubscribed
    FROM accounts
    JOIN forwarding_settings ON forwarding_settings.account_id = accounts.id
    WHERE accounts.suspended_at IS NULL AND ${AUDIENCES[audience.audience](audience)}
  ) AS members
  UNION ALL
  SELECT NULL, readers.id, false, NULL, 'outside'
  FROM address_recipients AS readers JOIN addresses ON addresses.id = readers.address_id
  WHERE addresses.name = ${groupOf(audience)} AND readers.email IS NOT NULL
    AND confirmed_at IS NOT NULL AND stopped_at IS NULL`;

const groupOf = ({ audience, address }: Audience) =>
  audience === 'address' ? (address ?? '') : null;

export async function countRecipients(db: ReadDatabase, audience: Audience) {
  const count = (state: State) => sql`(count(*) FILTER (WHERE state = ${state}))::int`;
  const { rows } = await sql<
    Record<
      | 'recipients'
      | 'unsubscribed'
      | 'unreachable'
      | 'shared'
      | 'outside'
      | 'suspended'
      | 'invited',
      number
    >
  >`
    SELECT ${count('waiting')} AS recipients,
      (count(*) FILTER (WHERE is_unsubscribed AND state <> 'unreachable'))::int AS unsubscribed,
      ${count('unreachable')} AS unreachable, ${count('shared')} AS shared,
      ${count('outside')} AS outside, (SELECT count(*)::int FROM accounts
        WHERE suspended_at IS NOT NULL AND closed_at IS NULL
          AND NOT ${isWaiting(sql`accounts.id`)} AND ${AUDIENCES[audience.audience](audience)}) AS suspended,
      (SELECT count(*)::int FROM invitations WHERE email IS NOT NULL AND uses < max_uses
        AND (${audience.audience === 'all'}::boolean OR EXISTS (SELECT FROM invitation_groups
          WHERE invitation_id = invitations.id
            AND group_id = ANY (${audience.group_ids ?? []}::uuid[])))) AS invited
    FROM (${selectPeople(audience)}) AS people`.execute(db);
  return rows[0]!;
}

/** How many messages everybody of the audience can get now, and if 0, when the next one. */
export async function findMessageAllowance(
  db: ReadDatabase,
  audience: Audience,
): Promise<{ remaining: number; sendableAt: Date | null }> {
  const isInAudience =
    audience.audience === 'all'
      ? sql`${ownerAddress} IS NOT NULL`
      : sql`lower(${ownerAddress}) IN (
          SELECT mailbox FROM (${selectPeople(audience)}) AS people WHERE state = 'waiting')`;
  // LIMIT and OFFSET keep it index lookups for each message and recipient.
  const { rows } = await sql<{ used: number; sendableAt: Date | null }>`
    SELECT coalesce(max(number), 0)::int AS used, max(created_at)
      FILTER (WHERE number = ${LIMITS.messagesPerDay}) + interval '1 day' AS "sendableAt"
    FROM (
      SELECT sent.created_at, row_number() OVER (PARTITION BY lower(${ownerAddress})
        ORDER BY sent.created_at DESC) AS number
      FROM (SELECT id, created_at FROM messages
          WHERE created_at > now() - interval '1 day' AND audience <> 'self'
          ORDER BY created_at DESC LIMIT 1000) AS sent,
        LATERAL (SELECT account_id FROM message_recipients
          WHERE message_id = sent.id AND state IN (${COUNTED}) OFFSET 0) AS recipient
        JOIN forwarding_settings USING (account_id)
      WHERE ${isInAudience}
    ) AS received`.execute(db);
  const { used, sendableAt } = rows[0]!;
  return { remaining: Math.max(0, LIMITS.messagesPerDay - used), sendableAt };
}

const COUNTED = sql`'waiting', 'sent', 'failed'`;

/**
 * When this audience can get an official notice. Null means now. Only earlier notices to the same
 * mailboxes count, and those to all members separately from those to some of them.
 */
export async function findNoticeTime(db: ReadDatabase, audience: Audience): Promise<Date | null> {
  const people = selectPeople({ ...audience, official: true });
  const { rows } = await sql<{ next_at: Date }>`
    SELECT created_at + ${LIMITS.officialNoticeDays} * interval '1 day' AS next_at FROM messages
    WHERE created_at > now() - ${LIMITS.officialNoticeDays} * interval '1 day'
      AND audience <> 'self'
      AND EXISTS (SELECT FROM message_recipients AS recipient WHERE message_id = messages.id
        AND recipient.state IN (${COUNTED})
        AND official AND (audience = 'all') = ${audience.audience === 'all'}::boolean
        AND account_id IN (SELECT account_id FROM forwarding_settings
          WHERE lower(${ownerAddress}) IN (SELECT mailbox FROM (${people}) AS people)))
    ORDER BY created_at DESC LIMIT 1`.execute(db);
  return rows[0]?.next_at ?? null;
}

/** So that parallel requests cannot exceed the limit. */
export async function lockMessages(trx: Transaction): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('messages', 0))`.execute(trx);
}

export async function insertMessage(
  trx: Transaction,
  message: Audience & { subject: string; text: string },
): Promise<{ id: string; recipients: { id: string; language: Language | null }[] }> {
  const { audience, official, subject, text } = message;
  const groups = audience === 'groups' ? groupNames(message.group_ids ?? []) : null;
  const messages = trx
    .insertInto('messages')
    .values({ audience, official, subject, text, address: groupOf(message), groups })
    .returning('id');
  const { id } = await messages.executeTakeFirstOrThrow();
  const { rows } = await sql<{ id: string; language: Language | null }>`
    WITH inserted AS (
      INSERT INTO message_recipients (message_id, account_id, reader_id, state)
      SELECT ${id}::uuid, account_id, reader_id, state
      FROM (${selectPeople(message)}) AS people
      RETURNING id, account_id, state
    ), recipient AS (
      SELECT id, account_id FROM inserted WHERE state = 'waiting'
    ), subscription AS (
      INSERT INTO message_subscriptions (account_id) SELECT account_id FROM recipient
      ON CONFLICT DO NOTHING
    )
    SELECT recipient.id, language FROM recipient JOIN accounts ON accounts.id = account_id`.execute(
    trx,
  );
  return { id, recipients: rows };
}

const groupNames = (ids: readonly string[]) => sql<string>`(
  SELECT coalesce(jsonb_agg(jsonb_build_object('id', id, 'name', name) ORDER BY lower(name)), '[]')
  FROM groups WHERE id = ANY (${ids}::uuid[]) AND deleted_at IS NULL)`;

type State = Selectable<Schema['message_recipients']>['state'];

const IS_DUE = sql<boolean>`messages.created_at > now() - interval '2 days'`;
/** After two days, a mail that still waits has failed. */
const STATE = sql<State>`CASE WHEN state = 'waiting' AND NOT ${IS_DUE} THEN 'failed' ELSE state END`;

/** Newest first, starting after the message with the id `after`. */
export async function listMessages(
  db: ReadDatabase,
  { id, limit = 1, after }: { id?: string; limit?: number; after?: string | undefined },
) {
  const count = (...states: State[]) =>
    sql<number>`(SELECT count(*)::int FROM message_recipients
      WHERE message_id = messages.id AND ${STATE} IN (${sql.join(states)}))`;
  let messages = db
    .selectFrom('messages')
    .select(['id', 'audience', 'address', 'groups', 'official', 'subject', 'text', 'created_at'])
    .select([
      count('waiting').as('waiting'),
      count('sent').as('sent'),
      count('failed').as('failed'),
      count('skipped', 'unsubscribed', 'unreachable', 'outside').as('skipped'),
    ]);
  if (id !== undefined) messages = messages.where('id', '=', id);
  if (after !== undefined) messages = messages.where(isAfter('messages', after));
  return messages.orderBy('created_at', 'desc').orderBy('id').limit(limit).execute();
}

/** Failed mails first, then waiting ones, each by name, starting after the row with the id `after`. */
export async function listMessageRecipients(
  db: ReadDatabase,
  { messageId, limit, after }: { messageId: string; limit: number; after: string | undefined },
) {
  const { rows } = await sql<{
    id: string;
    account_id: string | null;
    display_name: string | null;
    page_title: string | null;
    email: string | null;
    state: State;
    error: string | null;
  }>`
    WITH recipient AS (
      SELECT *, (coalesce(array_position(ARRAY['failed', 'waiting'], state), 3),
        coalesce(display_name, email, ''), id) AS position
      FROM (
        SELECT recipient.id, recipient.account_id, name AS display_name,
          sites.display_name AS page_title, email, ${STATE} AS state, error
        FROM message_recipients AS recipient JOIN messages ON messages.id = message_id
        LEFT JOIN display_names ON display_names.account_id = recipient.account_id
        LEFT JOIN sites ON sites.account_id = recipient.account_id
        LEFT JOIN address_recipients AS reader ON reader.id = reader_id
        WHERE message_id = ${messageId}) AS listed
    )
    SELECT id, account_id, display_name, page_title, email, state, error FROM recipient
    WHERE ${after ?? null}::uuid IS NULL
      OR position > (SELECT position FROM recipient WHERE id = ${after ?? null})
    ORDER BY position LIMIT ${limit}`.execute(db);
  return rows;
}

/** For the export of an account. */
export async function listReceivedMessages(db: ReadDatabase, accountId: string) {
  return db
    .selectFrom('message_recipients')
    .innerJoin('messages', 'messages.id', 'message_id')
    .select(['official', 'subject', 'text', STATE.as('state'), 'created_at'])
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

/**
 * Marks the mail as skipped or failed and returns undefined if it must not be sent: the message was
 * stopped, or the member left or unsubscribed.
 */
export async function loadOrSkipMail(
  trx: Transaction,
  recipientId: string,
): Promise<
  | {
      subject: string;
      text: string;
      official: boolean;
      address: string;
      token: string;
      isTest: boolean;
    }
  | undefined
> {
  const mail = await trx
    .selectFrom('message_recipients')
    .innerJoin('messages', 'messages.id', 'message_id')
    .innerJoin('accounts', 'accounts.id', 'message_recipients.account_id')
    .innerJoin('forwarding_settings', 'forwarding_settings.account_id', 'accounts.id')
    .innerJoin('message_subscriptions', 'message_subscriptions.account_id', 'accounts.id')
    .select(['official', 'subject', 'text', 'token', sql<string>`${ownerAddress}`.as('address')])
    .select(sql<boolean>`audience = 'self'`.as('isTest'))
    .where('message_recipients.id', '=', recipientId)
    .where(
      sql<boolean>`state = 'waiting' AND suspended_at IS NULL AND ${IS_DUE}
        AND (audience = 'self' OR official OR NOT ${isUnsubscribed}) AND ${ownerAddress} IS NOT NULL`,
    )
    .executeTakeFirst();
  if (!mail)
    await trx
      .updateTable('message_recipients')
      .set({ state: sql`CASE WHEN error IS NULL THEN 'skipped' ELSE 'failed' END` })
      .where('message_recipients.id', '=', recipientId)
      .where('state', '=', 'waiting')
      .execute();
  return mail;
}

/** A mail that was sent while an operator stopped the message counts as sent. */
export async function recordMessageMail(
  db: Executor,
  recipientId: string,
  failure: { code: string; isPermanent: boolean } | undefined,
): Promise<void> {
  const state = failure?.isPermanent ? 'failed' : 'sent';
  await db
    .updateTable('message_recipients')
    .set({
      error: failure?.code ?? null,
      ...((!failure || failure.isPermanent) && { state }),
    })
    .where('message_recipients.id', '=', recipientId)
    .where('state', 'in', failure ? ['waiting'] : ['waiting', 'skipped'])
    .execute();
}

/** The accounts that share the mailbox of an account, or of the one whose mails have this token. */
const selectMailbox = (
  owner: { accountId: string | RawBuilder<unknown> } | { token: string },
) => sql`
  SELECT forwarding_settings.account_id
  FROM forwarding_settings, (
    SELECT account_id AS id, lower(${ownerAddress}) AS address
    FROM forwarding_settings LEFT JOIN message_subscriptions USING (account_id)
    WHERE ${'token' in owner ? sql`token = ${owner.token}` : sql`account_id = ${owner.accountId}`}
  ) AS mailbox
  WHERE account_id = mailbox.id OR ${isOwnerAddressIn(sql`ARRAY[mailbox.address]`)}`;

/**
 * An account that gets a mailbox later is unsubscribed if another one of the mailbox is. OFFSET 0
 * keeps the planner from scanning all subscriptions.
 */
export const isUnsubscribed = sql<boolean>`EXISTS (
  SELECT FROM (${selectMailbox({ accountId: sql.ref('accounts.id') })} OFFSET 0) AS mailbox
  JOIN message_subscriptions USING (account_id) WHERE unsubscribed_at IS NOT NULL)`;

/** The names of the accounts that a link to unsubscribe is for. Empty if no account has the token. */
export async function listSubscribers(db: ReadDatabase, token: string): Promise<(string | null)[]> {
  const { rows } = await sql<{ name: string | null }>`
    SELECT name FROM (${selectMailbox({ token })}) AS mailbox LEFT JOIN display_names USING (account_id)
    ORDER BY name`.execute(db);
  return rows.map(({ name }) => name);
}

/** For all accounts that share the mailbox, because they get one mail. */
export async function setSubscribed(
  db: Executor,
  owner: { accountId: string } | { token: string },
  isSubscribed: boolean,
): Promise<void> {
  await sql`
    INSERT INTO message_subscriptions (account_id, unsubscribed_at)
    SELECT account_id, CASE WHEN NOT ${isSubscribed}::boolean THEN now() END
    FROM (${selectMailbox(owner)}) AS mailbox
    ON CONFLICT (account_id) DO UPDATE SET unsubscribed_at = excluded.unsubscribed_at`.execute(db);
}
