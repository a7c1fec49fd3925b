import { type Insertable, sql } from 'kysely';
import type { Scope } from '#contract/scope.ts';
import type { Language } from '#contract/shared/languages.ts';
import type { Executor, ReadDatabase, Transaction } from '#db/connections/handles.ts';
import type { Row, Schema } from '#db/schema.ts';
import { isOwnedByKeeper } from './keepers.ts';

export interface StoredSession extends Row<
  'sessions',
  'id' | 'account_id' | 'key_id' | 'last_seen_at'
> {
  /** Scope of the login method; null after a sign-up or an invitation. */
  scope: Scope | null;
  /** The account's language. */
  language: Language | null;
}

/** What the session depends on. It ends with its key, passkey or identity. */
export type SessionLogin = Partial<
  Pick<
    Insertable<Schema['sessions']>,
    'key_id' | 'passkey_id' | 'identity_id' | 'sid' | 'scope' | 'authenticated_at'
  >
>;

export type LoginAge = 'fresh' | 'stale';

/** A session expires 14 days after its last use, but at most 90 days after the login. */
const endsAt = sql<Date>`least(sessions.last_seen_at + interval '14 days', sessions.created_at + interval '90 days')`;

const columns = [
  'id',
  'account_id',
  'via',
  'key_id',
  'agent',
  'created_at',
  'last_seen_at',
] as const;

export interface SessionRow extends Row<'sessions', (typeof columns)[number]> {
  /** When the session ends if it is not used again. */
  ends_at: Date;
}

/** Keyed by the token hash in hex. Excludes sessions of suspended accounts. */
export async function findSessions(
  db: ReadDatabase,
  tokenHashes: readonly string[],
): Promise<Map<string, StoredSession>> {
  const rows = await selectSessionsWithScope(db)
    .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
    .select(['sessions.id', 'sessions.account_id', 'sessions.key_id', 'sessions.last_seen_at'])
    .select('accounts.language')
    .select(sql<string>`encode(sessions.token_hash, 'hex')`.as('token_hash'))
    .where(
      'sessions.token_hash',
      '=',
      sql<Buffer>`ANY (ARRAY(SELECT decode(unnest(${tokenHashes}::text[]), 'hex')))`,
    )
    .where('accounts.suspended_at', 'is', null)
    .execute();
  return new Map(rows.map(({ token_hash, ...session }) => [token_hash, session]));
}

export async function listSessions(db: ReadDatabase, accountId: string): Promise<SessionRow[]> {
  return selectOpenSessions(db)
    .select(columns.map((column) => `sessions.${column}` as const))
    .select(endsAt.as('ends_at'))
    .where('sessions.account_id', '=', accountId)
    .orderBy('sessions.last_seen_at', 'desc')
    .orderBy('sessions.id')
    .execute();
}

export interface OpenSession extends Pick<SessionRow, 'id' | 'created_at'> {
  account_id: string;
  /** When the user proved who they are: with single sign-on, at the identity provider. */
  authenticated_at: Date;
  /** Null after a sign-up or an invitation. */
  scope: Scope | null;
}

export async function findOpenSession(
  db: ReadDatabase,
  id: string,
): Promise<OpenSession | undefined> {
  return selectSessionsWithScope(db)
    .select(['sessions.id', 'sessions.account_id', 'sessions.created_at'])
    .select(sql<Date>`least(sessions.created_at, sessions.authenticated_at)`.as('authenticated_at'))
    .where('sessions.id', '=', id)
    .executeTakeFirst();
}

/**
 * `fresh`: the login was within the last 60 minutes. With single sign-on, the identity provider
 * also authenticated the user in that time.
 */
export async function findLoginAge(db: ReadDatabase, id: string): Promise<LoginAge> {
  const session = await selectOpenSessions(db)
    .select(
      sql<LoginAge>`CASE
        WHEN least(sessions.created_at, sessions.authenticated_at) > now() - interval '60 minutes'
        THEN 'fresh' ELSE 'stale' END`.as('login_age'),
    )
    .where('sessions.id', '=', id)
    .executeTakeFirst();
  return session?.login_age ?? 'stale';
}

/**
 * Stores the language if the account has none. Returns undefined if the account is deleted,
 * suspended, or owned by a keeper.
 */
export async function insertSession(
  trx: Transaction,
  session: Pick<Insertable<Schema['sessions']>, 'account_id' | 'token_hash' | 'via' | 'agent'> &
    SessionLogin,
  language: Language | null,
): Promise<SessionRow | undefined> {
  const { key_id = null, passkey_id = null, identity_id = null } = session;
  const { sid = null, scope = null, authenticated_at = null } = session;
  // The lock makes a parallel suspension wait, so that it also ends the new session.
  const { rows } = await sql<SessionRow>`
    WITH account AS (
      UPDATE accounts SET language = coalesce(language, ${language}), last_seen_at = now()
      WHERE id = ${session.account_id} AND suspended_at IS NULL AND NOT ${isOwnedByKeeper(sql`accounts.id`)}
      RETURNING id
    )
    INSERT INTO sessions (account_id, token_hash, via, key_id, passkey_id, identity_id, sid,
      scope, authenticated_at, agent)
    SELECT id, ${session.token_hash}::bytea, ${session.via}::text, ${key_id}::text,
      ${passkey_id}::text, ${identity_id}::uuid, ${sid}::text, ${scope}::text,
      ${authenticated_at}::timestamptz, ${session.agent}::text
    FROM account
    RETURNING ${sql.join(columns.map((column) => sql.ref(column)))}, ${endsAt} AS ends_at`.execute(
    trx,
  );
  return rows[0];
}

export async function deleteSessionsBeyond(
  trx: Transaction,
  accountId: string,
  limit: number,
): Promise<void> {
  await trx
    .deleteFrom('sessions')
    .where('id', 'in', (query) =>
      query
        .selectFrom('sessions')
        .select('id')
        .where('account_id', '=', accountId)
        .orderBy('last_seen_at', 'desc')
        .orderBy('id')
        .offset(limit),
    )
    .execute();
}

/**
 * Returns the number of sessions, only those of the identity if one is given, or those that may
 * belong to the session `sid` of its provider. The account keeps the time of their last use.
 */
export async function deleteSessions(
  db: Executor,
  accountId: string,
  { identityId, sid }: { identityId?: string; sid?: string | undefined } = {},
): Promise<number> {
  const isOfIdentity = sql`(${identityId ?? null}::uuid IS NULL OR identity_id = ${identityId ?? null})
    AND (${sid ?? null}::text IS NULL OR sid IS NULL OR sid = ${sid ?? null})`;
  const { rows } = await sql<{ count: number }>`
    WITH ended AS (DELETE FROM sessions WHERE account_id = ${accountId} AND ${isOfIdentity}
        RETURNING last_seen_at),
      seen AS (
        UPDATE accounts SET last_seen_at = greatest(last_seen_at, latest)
        FROM (SELECT max(last_seen_at) AS latest FROM ended) AS used
        WHERE id = ${accountId} AND latest IS NOT NULL)
    SELECT count(*)::int AS count FROM ended`.execute(db);
  return rows[0]!.count;
}

/** Updates the last use, at most once a minute per session. Skips locked rows. */
export async function touchSessions(db: Executor, ids: string[]): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ last_seen_at: sql<Date>`now()` })
    .where('id', 'in', (query) =>
      query
        .selectFrom('sessions')
        .select('id')
        .where('id', '=', sql<string>`ANY (${ids}::uuid[])`)
        .where('last_seen_at', '<', sql<Date>`now() - interval '1 minute'`)
        .forNoKeyUpdate()
        .skipLocked(),
    )
    .execute();
}

function selectSessionsWithScope(db: ReadDatabase) {
  return selectOpenSessions(db)
    .leftJoin('api_keys', 'api_keys.id', 'sessions.key_id')
    .leftJoin('passkeys', 'passkeys.id', 'sessions.passkey_id')
    .leftJoin('identities', 'identities.id', 'sessions.identity_id')
    .select((query) =>
      query.fn
        .coalesce('sessions.scope', 'api_keys.scope', 'passkeys.scope', 'identities.scope')
        .as('scope'),
    );
}

/** Sessions that are not over by their time or by their key. Those of other logins end with them. */
export function selectOpenSessions(db: ReadDatabase) {
  return db
    .selectFrom('sessions')
    .where(endsAt, '>', sql<Date>`now()`)
    .where((query) =>
      query.not(
        query.exists(
          query
            .selectFrom('api_keys')
            .select('api_keys.id')
            .whereRef('api_keys.id', '=', 'sessions.key_id')
            .where((key) =>
              key.or([
                key('revoked_at', 'is not', null),
                key('expires_at', '<=', sql<Date>`now()`),
              ]),
            ),
        ),
      ),
    );
}
