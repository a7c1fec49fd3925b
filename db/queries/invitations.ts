import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Language } from '#contract/shared/languages.ts';
import type { Executor, ReadDatabase, Transaction } from '#db/connections/handles.ts';
import type { Schema } from '#db/schema.ts';
import { containsText } from './contains-text.ts';
import { isOwnerAddressIn, ownerAddress } from './owner-mails.ts';
import { isAfter } from './rows.ts';

/**
 * - `open`: a link that the operator hands out.
 * - `waiting`: its mail is not sent yet. Then it is `sent`, or `failed` if the mail cannot arrive.
 * - `accepted`: used by as many people as it allows (`useInvitation`). Never changes again.
 * - `expired`: the others, after their time.
 *
 * `renewInvitations` makes any with an address `waiting`, or `open` if the operator hands out the link.
 */
const INVITATION_STATES = ['open', 'waiting', 'sent', 'failed', 'accepted', 'expired'] as const;
export type InvitationState = (typeof INVITATION_STATES)[number];

/** What the mail says, except for the link. */
export interface InvitationMail {
  language: Language | null;
  /** Name of the operator who invites. */
  inviter: string | null;
  sentence: string | null;
}

export interface InvitationRow extends Omit<
  Selectable<Schema['invitations']>,
  'token_hash' | 'mail_state' | keyof InvitationMail
> {
  state: InvitationState;
}

const state = sql<InvitationState>`CASE WHEN uses >= max_uses THEN 'accepted'
  WHEN expires_at <= now() THEN 'expired' ELSE coalesce(mail_state, 'open') END`;

const COLUMNS = [
  'id',
  'created_at',
  'expires_at',
  'note',
  'max_uses',
  'uses',
  'batch_id',
  'name',
  'email',
  'display_name',
  'forward_to',
  'mail_tries',
  'mail_error',
  'sent_at',
  'accepted_at',
  'account_id',
] as const;

/** The name that is suggested, or the one of the account that was created. */
const displayName = sql<string | null>`CASE WHEN account_id IS NULL THEN display_name ELSE (
  SELECT display_names.name FROM display_names
  WHERE display_names.account_id = invitations.account_id) END`;

export const isOpenInvitation = sql<boolean>`(expires_at > now() AND uses < max_uses)`;

export async function insertInvitation(
  db: Executor,
  tokenHash: Buffer,
  { expiresAt, note, maxUses }: { expiresAt: Date; note: string | null; maxUses: number },
): Promise<InvitationRow> {
  return db
    .insertInto('invitations')
    .values({ token_hash: tokenHash, expires_at: expiresAt, note, max_uses: maxUses })
    .returning(COLUMNS)
    .returning(state.as('state'))
    .executeTakeFirstOrThrow();
}

export interface NewMemberInvitation {
  name: string | null;
  email: string;
  display_name: string | null;
  forward_to_email: string | null;
  /** Null if the invitation is mailed: the mail job creates the token. */
  token_hash: Buffer | null;
}

/**
 * Skips people with an open invitation. Replaces their expired ones. `created_at` keeps the order of
 * the list.
 */
export async function insertMemberInvitations(
  trx: Transaction,
  members: readonly NewMemberInvitation[],
  {
    batchId,
    days,
    mail: { language, inviter, sentence },
  }: { batchId: string; days: number; mail: InvitationMail },
): Promise<{ id: string; token_hash: Buffer | null }[]> {
  const column = <Key extends keyof NewMemberInvitation>(key: Key) =>
    members.map((member) => member[key]);
  await sql`DELETE FROM invitations
    WHERE NOT ${isOpenInvitation} AND EXISTS (
      SELECT FROM unnest(${column('email')}::text[], ${column('name')}::text[]) AS member (email, name)
      WHERE lower(member.email) = lower(invitations.email)
        AND lower(coalesce(member.name, invitations.name, '')) =
          lower(coalesce(invitations.name, member.name, '')))`.execute(trx);
  const { rows } = await sql<{ id: string; token_hash: Buffer | null }>`
    INSERT INTO invitations
      (name, email, display_name, forward_to, token_hash, mail_state, batch_id, expires_at, created_at,
        language, inviter, sentence)
    SELECT name, email, display_name, forward_to, token_hash,
      CASE WHEN token_hash IS NULL THEN 'waiting' END, ${batchId}::uuid,
      now() + ${days} * interval '1 day', now() - position * interval '1 microsecond',
      ${language}::text, ${inviter}::text, ${sentence}::text
    FROM unnest(${column('name')}::text[], ${column('email')}::text[],
      ${column('display_name')}::text[], ${column('forward_to_email')}::text[],
      ${column('token_hash')}::bytea[]) WITH ORDINALITY
      AS member (name, email, display_name, forward_to, token_hash, position)
    ON CONFLICT (lower(email), lower(coalesce(name, ''))) WHERE email IS NOT NULL DO NOTHING
    RETURNING id, token_hash`.execute(trx);
  return rows;
}

/** Its mail, if any, was sent more than an hour ago. */
const isMailOld = sql<boolean>`coalesce(sent_at < now() - interval '1 hour', true)`;

export interface InvitationFilter {
  state?: InvitationState | undefined;
  batchId?: string | undefined;
  /** Into which they lead. */
  groupId?: string | undefined;
  /** A part of a name, address or note. */
  search?: string | undefined;
}

const leadsInto = (groupId: string) =>
  sql<boolean>`EXISTS (SELECT FROM invitation_groups WHERE invitation_id = invitations.id AND group_id = ${groupId})`;

/** Newest first, starting after the invitation with the id `after`. */
export async function listInvitations(
  db: ReadDatabase,
  { limit, after, ...filter }: InvitationFilter & { limit: number; after?: string | undefined },
): Promise<InvitationRow[]> {
  let invitations = db
    .selectFrom('invitations')
    .select(COLUMNS.filter((column) => column !== 'display_name'))
    .select([displayName.as('display_name'), state.as('state')]);
  if (filter.state !== undefined) invitations = invitations.where(state, '=', filter.state);
  if (filter.batchId !== undefined)
    invitations = invitations.where('batch_id', '=', filter.batchId);
  if (filter.groupId !== undefined) invitations = invitations.where(leadsInto(filter.groupId));
  if (filter.search !== undefined)
    invitations = invitations.where(
      containsText(sql`concat_ws(' ', name, email, ${displayName}, note)`, filter.search),
    );
  if (after !== undefined) invitations = invitations.where(isAfter('invitations', after));
  return invitations.orderBy('created_at', 'desc').orderBy('id').limit(limit).execute();
}

/** `resendable` is the number that `renewInvitations` would select in the state `resentState`. */
export async function countInvitations(
  db: ReadDatabase,
  {
    batchId,
    groupId,
    resentState,
  }: Pick<InvitationFilter, 'batchId' | 'groupId'> & { resentState: InvitationState },
): Promise<{ counts: Record<InvitationState, number>; resendable: number }> {
  let query = db
    .selectFrom('invitations')
    .select([
      state.as('state'),
      sql<number>`count(*)::int`.as('count'),
      sql<number>`(count(*) FILTER (WHERE email IS NOT NULL AND ${isMailOld}))::int`.as(
        'resendable',
      ),
    ])
    .groupBy(state);
  if (batchId !== undefined) query = query.where('batch_id', '=', batchId);
  if (groupId !== undefined) query = query.where(leadsInto(groupId));
  const rows = new Map((await query.execute()).map((row) => [row.state, row]));
  return {
    counts: Object.fromEntries(
      INVITATION_STATES.map((name) => [name, rows.get(name)?.count ?? 0]),
    ) as Record<InvitationState, number>,
    resendable: rows.get(resentState)?.resendable ?? 0,
  };
}

/** Undefined if the invitation is unknown, used up or expired. */
export async function findOpenInvitation(
  db: ReadDatabase,
  tokenHash: Buffer,
): Promise<
  | (Pick<InvitationRow, 'name' | 'email' | 'display_name' | 'forward_to'> & { is_mailed: boolean })
  | undefined
> {
  return db
    .selectFrom('invitations')
    .select(['name', 'email', 'display_name', 'forward_to'])
    .select(sql<boolean>`mail_state IS NOT NULL`.as('is_mailed'))
    .where('token_hash', '=', tokenHash)
    .where(isOpenInvitation)
    .executeTakeFirst();
}

/** Undefined if the invitation is unknown, or its link was replaced. */
export async function findInvitationState(
  db: ReadDatabase,
  tokenHash: Buffer,
): Promise<InvitationState | undefined> {
  const invitation = await db
    .selectFrom('invitations')
    .select(state.as('state'))
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
  return invitation?.state;
}

/** Undefined if the invitation is unknown or used up. */
export async function deleteInvitation(
  db: Executor,
  id: string,
): Promise<Pick<InvitationRow, 'name' | 'note'> | undefined> {
  return db
    .deleteFrom('invitations')
    .where('id', '=', id)
    .where(sql<boolean>`uses < max_uses`)
    .returning(['name', 'note'])
    .executeTakeFirst();
}

export interface ConsumedInvitation {
  id: string;
  /** The address that the link was mailed to, which proves it. */
  mailed_to: string | null;
  /** Entered by the operator, not confirmed. */
  email: string | null;
  name: string | null;
  forward_to: string | null;
}

/**
 * Uses an invitation once, and deletes the addresses in it if that was the last use. Returns
 * undefined if the invitation is unknown, used up or expired. The row lock makes the count exact.
 */
export async function consumeInvitation(
  trx: Transaction,
  tokenHash: Buffer,
): Promise<ConsumedInvitation | undefined> {
  const [invitation] = await lockInvitations(
    trx,
    sql<boolean>`token_hash = ${tokenHash} AND ${isOpenInvitation}`,
  );
  return useInvitation(trx, invitation);
}

/**
 * Uses the invitation, also an expired one, of a person who signed up without its link: the one that
 * suggests the chosen name, or else the only one of the address.
 */
export async function consumeInvitationByEmail(
  trx: Transaction,
  email: string,
  chosenName: string,
): Promise<ConsumedInvitation | undefined> {
  const invitations = await lockInvitations(trx, sql<boolean>`lower(email) = lower(${email})`);
  const [only, second] = invitations;
  const own = invitations.find(({ display_name }) => display_name === chosenName);
  return useInvitation(trx, own ?? (second ? undefined : only));
}

function lockInvitations(trx: Transaction, condition: RawBuilder<boolean>) {
  return trx
    .selectFrom('invitations')
    .select(['id', 'email', 'name', 'forward_to', 'display_name'])
    .select(sql<string | null>`CASE WHEN mail_state IS NOT NULL THEN email END`.as('mailed_to'))
    .where(condition)
    .orderBy('id')
    .forUpdate()
    .execute();
}

async function useInvitation<Invitation extends ConsumedInvitation>(
  trx: Transaction,
  invitation: Invitation | undefined,
): Promise<Invitation | undefined> {
  if (invitation)
    await trx
      .updateTable('invitations')
      .set({
        uses: sql<number>`uses + 1`,
        accepted_at: sql<Date>`now()`,
        email: null,
        forward_to: null,
        mail_error: null,
        inviter: null,
        sentence: null,
      })
      .where('id', '=', invitation.id)
      .execute();
  return invitation;
}

/** Does nothing for group links, which many people can use. */
export async function setInvitationAccount(
  trx: Transaction,
  id: string,
  accountId: string,
): Promise<void> {
  await trx
    .updateTable('invitations')
    .set({ account_id: accountId })
    .where('id', '=', id)
    .where('max_uses', '=', 1)
    .execute();
}

/** Selects invitations by id, or all in a state that were not mailed within the last hour. */
export type InvitationSelection =
  | { ids: readonly string[] }
  | { state: InvitationState; batchId: string | null; groupId: string | null };

/** Makes the old links invalid, and extends the validity. Skips links without an address. */
export async function renewInvitations(
  trx: Transaction,
  selection: InvitationSelection,
  { days, isMailed }: { days: number; isMailed: boolean },
): Promise<
  Pick<
    InvitationRow & { email: string; language: Language | null },
    'id' | 'name' | 'email' | 'display_name' | 'language'
  >[]
> {
  let renewed = trx
    .updateTable('invitations')
    .set({
      token_hash: null,
      mail_state: isMailed ? 'waiting' : null,
      mail_tries: 0,
      mail_error: null,
      expires_at: sql<Date>`greatest(expires_at, now() + ${days} * interval '1 day')`,
    })
    .where('email', 'is not', null);
  if ('ids' in selection)
    renewed = renewed.where('id', '=', sql<string>`ANY (${selection.ids}::uuid[])`);
  else {
    renewed = renewed.where(state, '=', selection.state).where(isMailOld);
    if (selection.batchId !== null) renewed = renewed.where('batch_id', '=', selection.batchId);
    if (selection.groupId !== null) renewed = renewed.where(leadsInto(selection.groupId));
  }
  return renewed
    .returning(['id', 'name', 'display_name', 'language', sql<string>`email`.as('email')])
    .execute();
}

/**
 * Changes the address of an invitation that has not been accepted. Returns undefined if there is no
 * such invitation. Violates a unique index if another open invitation has the address and the name.
 */
export async function setInvitationEmail(
  trx: Transaction,
  id: string,
  email: string,
): Promise<{ name: string | null; display_name: string | null } | undefined> {
  await trx
    .deleteFrom('invitations')
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .where(
      sql<boolean>`EXISTS (SELECT FROM invitations AS own WHERE own.id = ${id} AND
        lower(coalesce(own.name, invitations.name, '')) =
          lower(coalesce(invitations.name, own.name, '')))`,
    )
    .where('id', '<>', id)
    .where(sql<boolean>`NOT ${isOpenInvitation}`)
    .execute();
  return trx
    .updateTable('invitations')
    .set({ email, sent_at: null })
    .where('id', '=', id)
    .where('email', 'is not', null)
    .returning(['name', 'display_name'])
    .executeTakeFirst();
}

export interface InvitationFacts extends Omit<InvitationMail, 'language'> {
  name: string | null;
  /** Suggested to the person. */
  display_name: string | null;
  email: string;
  expires_at: Date;
  /** Whether an earlier mail was accepted. */
  is_reminder: boolean;
}

/** Returns undefined if the invitation was revoked, renewed without mail or used, or has expired. */
export async function setInvitationToken(
  trx: Transaction,
  id: string,
  tokenHash: Buffer,
): Promise<InvitationFacts | undefined> {
  return trx
    .updateTable('invitations')
    .set({ token_hash: tokenHash })
    .where('id', '=', id)
    .where('mail_state', '=', 'waiting')
    .where(isOpenInvitation)
    .returning([
      'name',
      'display_name',
      'inviter',
      'sentence',
      'expires_at',
      sql<string>`email`.as('email'),
    ])
    .returning(sql<boolean>`sent_at IS NOT NULL`.as('is_reminder'))
    .executeTakeFirst();
}

export async function setLinkToken(trx: Transaction, id: string, tokenHash: Buffer): Promise<void> {
  await trx
    .updateTable('invitations')
    .set({ token_hash: tokenHash })
    .where('id', '=', id)
    .execute();
}

/** Ignores the result of a mail whose link was replaced in the meantime. */
export async function recordInvitationMail(
  db: Executor,
  { id, tokenHash }: { id: string; tokenHash: Buffer },
  error: { code: string; isPermanent: boolean } | undefined,
): Promise<void> {
  await db
    .updateTable('invitations')
    .set({
      mail_tries: sql<number>`mail_tries + 1`,
      mail_error: error?.code ?? null,
      ...(error === undefined && { mail_state: 'sent' as const, sent_at: sql<Date>`now()` }),
      ...(error?.isPermanent && { mail_state: 'failed' as const }),
    })
    .where('id', '=', id)
    .where('token_hash', '=', tokenHash)
    .where('mail_state', '=', 'waiting')
    .execute();
}

export interface AddressHolder {
  /** In lower case. */
  email: string;
  state: 'member' | 'invited';
  /** Of the account or invitation. */
  id: string;
  display_name: string | null;
  /** What the page and the invitations call the person. */
  names: string[];
}

/** Returns the accounts and open invitations with these addresses, oldest first. */
export async function listAddressHolders(
  db: ReadDatabase,
  emails: readonly string[],
): Promise<AddressHolder[]> {
  const lowerCaseEmails = sql`${emails.map((email) => email.toLowerCase())}::text[]`;
  const { rows } = await sql<AddressHolder>`
    SELECT lower(email) AS email, 'invited' AS state, id, display_name,
      array_remove(ARRAY[name], NULL) AS names, created_at
    FROM invitations WHERE email IS NOT NULL AND lower(email) = ANY (${lowerCaseEmails}) AND ${isOpenInvitation}
    UNION ALL
    SELECT lower(${ownerAddress}), 'member', account_id, display_names.name,
      array_remove(ARRAY[nullif(sites.display_name, '')] || ARRAY(
        SELECT name FROM invitations WHERE account_id = accounts.id), NULL), accounts.created_at
    FROM forwarding_settings JOIN accounts ON accounts.id = account_id
      LEFT JOIN display_names USING (account_id) LEFT JOIN sites USING (account_id)
    WHERE ${isOwnerAddressIn(lowerCaseEmails)} AND closed_at IS NULL
    ORDER BY created_at, id`.execute(db);
  return rows;
}

/** Display names suggested in open invitations. */
export async function listSuggestedNames(
  db: ReadDatabase,
  names: readonly string[],
): Promise<string[]> {
  const rows = await db
    .selectFrom('invitations')
    .select('display_name')
    .where('display_name', '=', sql<string>`ANY (${names}::text[])`)
    .where(isOpenInvitation)
    .$narrowType<{ display_name: string }>()
    .execute();
  return rows.map(({ display_name }) => display_name);
}

/** The page's title of an operator, otherwise the display name. Null if there is neither. */
export async function findInviterName(db: ReadDatabase, accountId: string): Promise<string | null> {
  const operator = await db
    .selectFrom('accounts')
    .leftJoin('sites', 'sites.account_id', 'accounts.id')
    .leftJoin('display_names', 'display_names.account_id', 'accounts.id')
    .select(
      sql<string | null>`coalesce(nullif(sites.display_name, ''), display_names.name)`.as('name'),
    )
    .where('accounts.id', '=', accountId)
    .executeTakeFirst();
  return operator?.name ?? null;
}
