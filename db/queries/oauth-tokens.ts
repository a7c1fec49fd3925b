import { sql } from 'kysely';
import type { Executor, ReadDatabase } from '../connections/handles.ts';

/** A client that lost the response may send its last refresh token again for this long. */
const REUSE_SECONDS = 60;

export interface StoredToken {
  payload: Record<string, unknown>;
  /** Of a refresh token: some time after it was used. */
  is_consumed: boolean;
}

/** Of each kind for a grant. The oldest go, so that a client that refreshes all the time fills nothing. */
const MAX_TOKENS = 100;

/** Returns false if the grant was withdrawn. */
export async function storeToken(
  db: Executor,
  token: {
    idHash: Buffer;
    kind: string;
    grantId: string | null;
    payload: Record<string, unknown>;
    seconds: number;
  },
): Promise<boolean> {
  const { idHash, kind, grantId, payload, seconds } = token;
  const { numAffectedRows = 0n } = await sql`
    INSERT INTO oauth_tokens (id_hash, kind, grant_id, payload, expires_at)
    SELECT ${idHash}::bytea, ${kind}::text, ${grantId}::uuid, ${JSON.stringify(payload)}::jsonb,
      now() + ${seconds}::int * interval '1 second'
    WHERE ${grantId}::uuid IS NULL
      -- Waits for a withdrawal.
      OR EXISTS (SELECT FROM oauth_grants WHERE id = ${grantId} FOR KEY SHARE)
    ON CONFLICT (id_hash) DO UPDATE SET payload = excluded.payload, expires_at = excluded.expires_at`.execute(
    db,
  );
  if (grantId !== null) await deleteOldTokens(db, grantId, kind);
  return numAffectedRows > 0n;
}

async function deleteOldTokens(db: Executor, grantId: string, kind: string): Promise<void> {
  await sql`DELETE FROM oauth_tokens WHERE id_hash IN (
    SELECT id_hash FROM oauth_tokens WHERE id_hash IN (
      SELECT id_hash FROM oauth_tokens WHERE grant_id = ${grantId} AND kind = ${kind}
      ORDER BY expires_at DESC, id_hash OFFSET ${MAX_TOKENS}::int)
    FOR UPDATE SKIP LOCKED)`.execute(db);
}

/** Also finds tokens that expired, until they are deleted. */
export async function findToken(
  db: ReadDatabase,
  idHash: Buffer,
): Promise<StoredToken | undefined> {
  return db
    .selectFrom('oauth_tokens')
    .select([
      'payload',
      sql<boolean>`coalesce(consumed_at <= now() - CASE kind WHEN 'RefreshToken'
        THEN ${REUSE_SECONDS} ELSE 0 END * interval '1 second', false)`.as('is_consumed'),
    ])
    .where('id_hash', '=', idHash)
    .executeTakeFirst();
}

/** Returns false if it is used up already. */
export async function consumeToken(db: Executor, idHash: Buffer): Promise<boolean> {
  const { rows } = await sql<{ is_first: boolean }>`
    WITH used AS (UPDATE oauth_tokens SET consumed_at = now()
      WHERE id_hash = ${idHash} AND consumed_at IS NULL RETURNING 1)
    SELECT EXISTS (SELECT FROM used) OR EXISTS (SELECT FROM oauth_tokens
      WHERE id_hash = ${idHash} AND kind = 'RefreshToken'
        AND consumed_at > now() - ${REUSE_SECONDS}::int * interval '1 second') AS is_first`.execute(
    db,
  );
  return rows[0]!.is_first;
}

export async function deleteToken(db: Executor, idHash: Buffer): Promise<void> {
  await db.deleteFrom('oauth_tokens').where('id_hash', '=', idHash).execute();
}

export async function deleteTokensOfGrant(db: Executor, grantId: string): Promise<void> {
  await db.deleteFrom('oauth_tokens').where('grant_id', '=', grantId).execute();
}

export interface GrantedAccess {
  account_id: string;
  /** Who connected the client: the account itself or a keeper. */
  actor_id: string;
  grant_id: string;
  scopes: string[];
  /** What the client asked for when it refreshed the token: never more than the grant allows. */
  token_scope: string;
  /** Its last use is older than a minute. */
  needs_touch: boolean;
}

/** Whether the person of a grant is among those for whom the client is. */
export const mayUseClient = sql<boolean>`CASE oauth_clients.allowed
  WHEN 'operators' THEN EXISTS (SELECT FROM operators WHERE account_id = oauth_grants.actor_id)
  WHEN 'groups' THEN EXISTS (SELECT FROM group_members JOIN groups ON groups.id = group_id
    WHERE account_id = oauth_grants.actor_id AND group_id = ANY (oauth_clients.allowed_groups)
      AND deleted_at IS NULL)
  ELSE true END`;

/** Who may use `resource` with this access token. Excludes suspended accounts. */
export async function findGrantedAccess(
  db: ReadDatabase,
  idHash: Buffer,
  resource: string,
): Promise<GrantedAccess | undefined> {
  return db
    .selectFrom('oauth_tokens')
    .innerJoin('oauth_grants', 'oauth_grants.id', 'oauth_tokens.grant_id')
    .innerJoin('oauth_clients', 'oauth_clients.id', 'oauth_grants.client_id')
    .innerJoin('accounts', 'accounts.id', 'oauth_grants.account_id')
    .select(['oauth_grants.account_id', 'actor_id', 'oauth_grants.id as grant_id'])
    .select('oauth_grants.scopes')
    .select([
      sql<string>`coalesce(payload->>'scope', '')`.as('token_scope'),
      sql<boolean>`coalesce(oauth_grants.last_used_at < now() - interval '1 minute', true)`.as(
        'needs_touch',
      ),
    ])
    .where('id_hash', '=', idHash)
    .where('oauth_tokens.kind', '=', 'AccessToken')
    .where('expires_at', '>', sql<Date>`now()`)
    .where(sql<string>`payload->>'aud'`, '=', resource)
    .where('accounts.suspended_at', 'is', null)
    .where(mayUseClient)
    .executeTakeFirst();
}
