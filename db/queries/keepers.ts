import { type RawBuilder, sql } from 'kysely';
import type { Executor, ReadDatabase, Transaction } from '../connections/handles.ts';
import { SWITCHED_OFF } from './connections.ts';

/** Who acts for which account. */
export interface Acting {
  accountId: string;
  actorId: string;
}

export interface KeeperRight {
  is_owner: boolean;
  /** The display name of the keeper. */
  name: string | null;
}

/** Undefined if the actor does not keep the account, or one of the two is suspended. */
export async function findKeeper(
  db: ReadDatabase,
  { accountId, actorId }: Acting,
): Promise<KeeperRight | undefined> {
  const { rows } = await sql<KeeperRight>`
    SELECT is_owner, name FROM keepers
      JOIN accounts AS kept ON kept.id = keepers.account_id
      JOIN accounts AS person ON person.id = keeper_id
      LEFT JOIN display_names ON display_names.account_id = keeper_id
    WHERE keepers.account_id = ${accountId} AND keeper_id = ${actorId}
      AND kept.suspended_at IS NULL AND person.suspended_at IS NULL`.execute(db);
  return rows[0];
}

/**
 * Looks again at the end of a transaction, after its other locks, and makes a removal wait until it
 * ends. The account may have been closed by the transaction itself.
 */
export async function lockKeeper(
  db: Executor,
  { accountId, actorId }: Acting,
): Promise<Pick<KeeperRight, 'is_owner'> | undefined> {
  const { rows } = await sql<Pick<KeeperRight, 'is_owner'>>`
    SELECT is_owner FROM keepers JOIN accounts AS person ON person.id = keeper_id
    WHERE keepers.account_id = ${accountId} AND keeper_id = ${actorId}
      AND person.suspended_at IS NULL
    FOR KEY SHARE OF keepers`.execute(db);
  return rows[0];
}

/**
 * Whether a keeper owns the account, so that it has no login of its own. `accountId` names its table,
 * because a bare `keeper_id` would be that of `keepers`.
 */
export function isOwnedByKeeper(accountId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`EXISTS (SELECT FROM keepers WHERE keepers.account_id = ${accountId} AND is_owner OFFSET 0)`;
}

/** Undefined if the account has a login of its own. */
export async function findOwnerId(
  db: ReadDatabase,
  accountId: string,
): Promise<string | undefined> {
  const owner = await db
    .selectFrom('keepers')
    .select('keeper_id')
    .where('account_id', '=', accountId)
    .where('is_owner', '=', true)
    .executeTakeFirst();
  return owner?.keeper_id;
}

/** The account itself, unless a keeper owns it. */
function mayManage({ accountId, actorId }: Acting): RawBuilder<boolean> {
  return sql<boolean>`(CASE WHEN ${accountId}::uuid = ${actorId}::uuid THEN NOT ${isOwnedByKeeper(sql`${accountId}::uuid`)}
    ELSE EXISTS (SELECT FROM keepers AS owner WHERE owner.account_id = ${accountId}
      AND owner.keeper_id = ${actorId} AND is_owner) END)`;
}

export async function isManager(db: ReadDatabase, acting: Acting): Promise<boolean> {
  const { rows } = await sql<{ may: boolean }>`SELECT ${mayManage(acting)} AS may`.execute(db);
  return rows[0]!.may;
}

/** The ids of the accounts that the account keeps. */
export async function listKeptIds(db: ReadDatabase, keeperId: string): Promise<string[]> {
  const kept = db.selectFrom('keepers').select('account_id').where('keeper_id', '=', keeperId);
  return (await kept.execute()).map(({ account_id }) => account_id);
}

/** Whether nobody can sign in for the row of `accounts`, if the keeper `without` leaves. */
const isAbandoned = (without: string | null) => sql<boolean>`(${isOwnedByKeeper(sql`accounts.id`)}
  AND NOT EXISTS (SELECT FROM keepers JOIN accounts AS person ON person.id = keeper_id
    WHERE keepers.account_id = accounts.id AND person.suspended_at IS NULL
      AND keeper_id IS DISTINCT FROM ${without}::uuid OFFSET 0))`;

/**
 * Finds an account for which nobody can sign in: the account or one that it keeps. `without`:
 * if that keeper leaves. Suspended accounts count only with `evenSuspended`.
 */
export async function findAbandoned(
  db: ReadDatabase,
  accountId: string,
  {
    without = null,
    evenSuspended = false,
  }: { without?: string | null; evenSuspended?: boolean } = {},
): Promise<{ id: string; name: string | null } | undefined> {
  const { rows } = await sql<{ id: string; name: string | null }>`
    SELECT accounts.id, name FROM accounts
      LEFT JOIN display_names ON display_names.account_id = accounts.id
    WHERE accounts.id = ANY (ARRAY(SELECT account_id FROM keepers WHERE keeper_id = ${accountId}
        UNION ALL SELECT ${accountId}::uuid))
      AND closed_at IS NULL AND (suspended_at IS NULL OR ${evenSuspended})
      AND ${isAbandoned(without)}
    ORDER BY name LIMIT 1`.execute(db);
  return rows[0];
}

interface FaceRow {
  account_id: string;
  display_name: string | null;
  page_title: string | null;
  avatar_url: string | null;
}

/** Lateral, so that it stays an index lookup for each row. */
function faceOf(accountId: RawBuilder<unknown>): RawBuilder<FaceRow> {
  return sql`LATERAL (SELECT accounts.id AS account_id, display_names.name AS display_name,
      nullif(btrim(sites.display_name), '') AS page_title, sites.avatar_url
    FROM accounts LEFT JOIN display_names ON display_names.account_id = accounts.id
      LEFT JOIN sites ON sites.account_id = accounts.id
    WHERE accounts.id = ${accountId} OFFSET 0)`;
}

export interface KeeperRow extends FaceRow {
  owner: boolean;
  suspended: boolean;
  since: Date;
  keys: string[];
  connections: string[];
  apps: string[];
}

/** The owner first, which is the account itself unless it has another one. */
export async function listKeepers(db: ReadDatabase, accountId: string): Promise<KeeperRow[]> {
  const made = (table: 'api_keys' | 'connections', name: RawBuilder<unknown>, isOn = sql`true`) =>
    sql`ARRAY(SELECT ${name} FROM ${sql.table(table)} WHERE account_id = ${accountId}
      AND coalesce(actor_id, account_id) = people.id AND ${isOn} ORDER BY created_at, id)`;
  const { rows } = await sql<KeeperRow>`
    WITH people AS (
      SELECT keeper_id AS id, is_owner AS owner, since FROM keepers WHERE account_id = ${accountId}
      UNION ALL SELECT id, true, created_at FROM accounts
        WHERE id = ${accountId} AND NOT ${isOwnedByKeeper(sql`accounts.id`)}
    )
    SELECT face.*, owner, since, person.suspended_at IS NOT NULL AS suspended,
      ${made('api_keys', sql`coalesce(label, id)`, sql`revoked_at IS NULL`)} AS keys,
      ${made('connections', sql`name`)} AS connections,
      ARRAY(SELECT DISTINCT name FROM oauth_grants JOIN oauth_clients ON oauth_clients.id = client_id
        WHERE account_id = ${accountId} AND actor_id = people.id ORDER BY name) AS apps
    FROM people JOIN accounts AS person USING (id), ${faceOf(sql`people.id`)} AS face
    ORDER BY owner DESC, since, people.id`.execute(db);
  return rows;
}

export interface SentInvitationRow extends FaceRow {
  id: string;
  expires_at: Date;
}

export async function listKeeperInvitations(
  db: ReadDatabase,
  accountId: string,
): Promise<SentInvitationRow[]> {
  const { rows } = await sql<SentInvitationRow>`
    SELECT invited.id, expires_at, face.*
    FROM keeper_invitations AS invited, ${faceOf(sql`keeper_id`)} AS face
    WHERE invited.account_id = ${accountId} AND expires_at > now()
    ORDER BY expires_at, invited.id`.execute(db);
  return rows;
}

/** A `FaceRow` with its id as `id`. */
interface AccountFaceRow extends Omit<FaceRow, 'account_id'> {
  id: string;
}

export interface KeptAccountRow extends AccountFaceRow {
  owner: boolean;
  only_keeper: boolean;
}

/** The own account first. */
export async function listKeptAccounts(db: ReadDatabase, id: string): Promise<KeptAccountRow[]> {
  const { rows } = await sql<KeptAccountRow>`
    SELECT face.account_id AS id, face.display_name, page_title, avatar_url, owner,
      face.account_id <> ${id} AND ${isAbandoned(id)} AS only_keeper
    FROM (
      SELECT ${id}::uuid AS account_id, true AS owner
      UNION ALL SELECT account_id, is_owner FROM keepers WHERE keeper_id = ${id}
    ) AS kept, ${faceOf(sql`kept.account_id`)} AS face
    JOIN accounts ON accounts.id = face.account_id
    WHERE suspended_at IS NULL OR face.account_id = ${id}
    ORDER BY face.account_id = ${id} DESC, face.display_name, face.account_id`.execute(db);
  return rows;
}

function toFace(face: string): RawBuilder<AccountFaceRow> {
  const row = sql.table(face);
  return sql`to_jsonb(${row}) - 'account_id' || jsonb_build_object('id', ${row}.account_id)`;
}

export interface ReceivedInvitation {
  id: string;
  expires_at: Date;
  account: AccountFaceRow;
  invited_by: AccountFaceRow;
  keeper: AccountFaceRow;
}

/** Those for an account, or the one with the token. */
export async function listReceivedInvitations(
  db: ReadDatabase,
  { keeperId = null, tokenHash = null }: { keeperId?: string | null; tokenHash?: Buffer | null },
): Promise<ReceivedInvitation[]> {
  const { rows } = await sql<ReceivedInvitation>`
    SELECT invited.id, expires_at, ${toFace('account')} AS account,
      ${toFace('inviter')} AS invited_by, ${toFace('keeper')} AS keeper
    FROM keeper_invitations AS invited, ${faceOf(sql`invited.account_id`)} AS account,
      ${faceOf(sql`invited_by`)} AS inviter, ${faceOf(sql`keeper_id`)} AS keeper
    WHERE ${tokenHash ? sql`token_hash = ${tokenHash}` : sql`keeper_id = ${keeperId}`}
      AND expires_at > now()
    ORDER BY expires_at, invited.id`.execute(db);
  return rows;
}

/** Undefined without such a member, or with one who cannot sign in to the account. */
export async function findPossibleKeeper(
  db: ReadDatabase,
  name: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    SELECT accounts.id FROM display_names JOIN accounts ON accounts.id = display_names.account_id
    WHERE name = ${name} AND suspended_at IS NULL AND NOT ${isOwnedByKeeper(sql`accounts.id`)}`.execute(
    db,
  );
  return rows[0]?.id;
}

/** Keepers, and invitations that wait. The caller holds the lock on the account. */
export async function countKeepers(db: ReadDatabase, accountId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT (SELECT count(*) FROM keepers WHERE account_id = ${accountId})::int
      + (SELECT count(*) FROM keeper_invitations
          WHERE account_id = ${accountId} AND expires_at > now())::int AS count`.execute(db);
  return rows[0]!.count;
}

/** An earlier one starts again, with another token. Undefined if the actor is not the owner. */
export async function insertKeeperInvitation(
  trx: Transaction,
  { accountId, actorId, keeperId }: Acting & { keeperId: string },
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    INSERT INTO keeper_invitations (account_id, keeper_id, invited_by)
    SELECT ${accountId}::uuid, ${keeperId}::uuid, ${actorId}::uuid
    WHERE ${mayManage({ accountId, actorId })}
    ON CONFLICT (account_id, keeper_id) DO UPDATE SET invited_by = excluded.invited_by,
      expires_at = excluded.expires_at, token_hash = NULL
    RETURNING id`.execute(trx);
  return rows[0]?.id;
}

/** Returns false if the invitation is gone. */
export async function setKeeperToken(
  trx: Transaction,
  id: string,
  tokenHash: Buffer,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('keeper_invitations')
    .set({ token_hash: tokenHash })
    .where('id', '=', id)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Returns the account, if the invitation is for this keeper. */
export async function findKeeperInvitation(
  db: ReadDatabase,
  { id, keeperId }: { id: string; keeperId: string },
): Promise<string | undefined> {
  const row = await db
    .selectFrom('keeper_invitations')
    .select('account_id')
    .where('id', '=', id)
    .where('keeper_id', '=', keeperId)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
  return row?.account_id;
}

/** Undefined if the invitation is gone. An account that has an owner cannot keep others. */
export async function useInvitation(
  trx: Transaction,
  { id, keeperId, accept }: { id: string; keeperId: string; accept: boolean },
): Promise<boolean> {
  const { rows } = await sql`
    WITH used AS (
      DELETE FROM keeper_invitations
      WHERE id = ${id} AND keeper_id = ${keeperId} AND expires_at > now()
      RETURNING account_id, keeper_id, invited_by
    ), accepted AS (
      INSERT INTO keepers (account_id, keeper_id, invited_by)
      SELECT account_id, keeper_id, invited_by FROM used
      WHERE ${accept} AND NOT ${isOwnedByKeeper(sql`used.keeper_id`)}
      RETURNING account_id
    )
    SELECT FROM used WHERE NOT ${accept} UNION ALL SELECT FROM accepted`.execute(trx);
  return rows.length > 0;
}

/** The first one owns the account. Returns those who can sign in, and do not have an owner. */
export async function insertKeepers(
  trx: Transaction,
  accountId: string,
  ids: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ keeper_id: string }>`
    INSERT INTO keepers (account_id, keeper_id, is_owner)
    SELECT ${accountId}::uuid, id, position = 1
    FROM unnest(${ids}::uuid[]) WITH ORDINALITY AS named (id, position) JOIN accounts USING (id)
    WHERE suspended_at IS NULL AND closed_at IS NULL AND NOT ${isOwnedByKeeper(sql`accounts.id`)}
      AND id <> ${accountId}
    RETURNING keeper_id`.execute(trx);
  return rows.map(({ keeper_id }) => keeper_id);
}

/** Returns the keeper, if it is not the owner, and the actor is the owner or the keeper. */
export async function deleteKeeper(
  trx: Transaction,
  { accountId, actorId, keeperId }: Acting & { keeperId: string },
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    DELETE FROM keepers WHERE account_id = ${accountId} AND keeper_id = ${keeperId}
      AND NOT is_owner AND (keeper_id = ${actorId} OR ${mayManage({ accountId, actorId })})`.execute(
    trx,
  );
  return numAffectedRows > 0n;
}

export async function deleteKeeperInvitation(
  trx: Transaction,
  { accountId, actorId, keeperId }: Acting & { keeperId: string },
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    DELETE FROM keeper_invitations WHERE account_id = ${accountId} AND keeper_id = ${keeperId}
      AND ${mayManage({ accountId, actorId })}`.execute(trx);
  return numAffectedRows > 0n;
}

/** The former owner stays as a keeper. Returns false if the actor is not the owner. */
export async function setOwner(
  trx: Transaction,
  { accountId, actorId, keeperId }: Acting & { keeperId: string },
): Promise<boolean> {
  // First, because only one keeper can be the owner.
  const { numAffectedRows = 0n } = await sql`
    UPDATE keepers SET is_owner = false WHERE account_id = ${accountId} AND is_owner
      AND ${mayManage({ accountId, actorId })}`.execute(trx);
  if (numAffectedRows === 0n && accountId !== actorId) return false;
  const { numAffectedRows: owners = 0n } = await sql`
    UPDATE keepers SET is_owner = true WHERE account_id = ${accountId} AND keeper_id = ${keeperId}
      AND NOT ${isOwnedByKeeper(sql`${accountId}::uuid`)}`.execute(trx);
  return owners > 0n;
}

/** Of accounts that the keeper owns, the longest-serving one who can sign in becomes the owner. */
export async function passOnOwnership(trx: Transaction, keeperId: string): Promise<void> {
  const owned = await trx
    .updateTable('keepers')
    .set({ is_owner: false })
    .where('keeper_id', '=', keeperId)
    .where('is_owner', '=', true)
    .returning('account_id')
    .execute();
  for (const { account_id } of owned)
    await sql`UPDATE keepers SET is_owner = true
      WHERE account_id = ${account_id} AND keeper_id = (
        SELECT keeper_id FROM keepers JOIN accounts AS person ON person.id = keeper_id
        WHERE keepers.account_id = ${account_id} AND keeper_id <> ${keeperId}
          AND person.suspended_at IS NULL
        ORDER BY since, keeper_id LIMIT 1)`.execute(trx);
}

/** Keys and connections that a keeper made in an account. */
export interface MadeBy {
  accountId: string;
  keeperId: string;
}

export async function handOn(
  trx: Transaction,
  { accountId, keeperId }: MadeBy,
  to: string,
): Promise<void> {
  const actor_id = to === accountId ? null : to;
  for (const table of ['api_keys', 'connections'] as const)
    await trx
      .updateTable(table)
      .set({ actor_id })
      .where('account_id', '=', accountId)
      .where('actor_id', '=', keeperId)
      .execute();
}

/** Of the account itself if the keeper is the account. Returns the keys. */
export async function revokeKeysOf(
  trx: Transaction,
  { accountId, keeperId }: MadeBy,
): Promise<{ id: string; label: string | null }[]> {
  const { rows } = await sql<{ id: string; label: string | null }>`
    UPDATE api_keys SET revoked_at = now()
    WHERE account_id = ${accountId} AND coalesce(actor_id, account_id) = ${keeperId}
      AND revoked_at IS NULL
    RETURNING id, label`.execute(trx);
  return rows;
}

/** Those of the account itself end with its sessions. Returns the name of each app once. */
export async function deleteGrantsOf(
  trx: Transaction,
  { accountId, keeperId }: MadeBy,
): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    DELETE FROM oauth_grants USING oauth_clients
    WHERE oauth_clients.id = client_id AND account_id = ${accountId} AND actor_id = ${keeperId}
      AND actor_id <> account_id
    RETURNING name`.execute(trx);
  return [...new Set(rows.map(({ name }) => name))];
}

/** Returns the ids of the connections, which are off now. */
export async function switchOffConnectionsOf(
  trx: Transaction,
  { accountId, keeperId }: MadeBy,
): Promise<string[]> {
  const off = trx
    .updateTable('connections')
    .set(SWITCHED_OFF)
    .where('account_id', '=', accountId)
    .where('actor_id', '=', keeperId);
  return (await off.returning('id').execute()).map(({ id }) => id);
}

/** Of an account that is handed over. Sessions and login links end separately. */
export async function deleteOwnLogins(trx: Transaction, accountId: string): Promise<void> {
  await trx.deleteFrom('passkeys').where('account_id', '=', accountId).execute();
  await trx.deleteFrom('identities').where('account_id', '=', accountId).execute();
  await trx
    .updateTable('forwarding_settings')
    .set({ login_email: null })
    .where('account_id', '=', accountId)
    .execute();
}
