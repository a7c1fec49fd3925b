import { sql } from 'kysely';
import { LIMITS } from '#contract/shared/limits.ts';
import type { Executor, ReadDatabase, Transaction } from '../connections/handles.ts';
import type { Row } from '../schema.ts';
import { mayUseClient } from './oauth-tokens.ts';
import { selectOpenSessions } from './sessions.ts';

/** At once. */
const MAX_DETACHED = 1_000;

const columns = ['id', 'client_id', 'scopes', 'session_id', 'created_at'] as const;

export interface GrantRow extends Row<'oauth_grants', (typeof columns)[number]> {
  account_id: string;
  subject: string;
}

/** Excludes accounts that are suspended or being deleted. */
export async function findGrant(db: ReadDatabase, id: string): Promise<GrantRow | undefined> {
  return selectGrants(db).where('oauth_grants.id', '=', id).executeTakeFirst();
}

/** What the account allowed the client in this session, or earlier in another one. */
export async function findGrantFor(
  db: ReadDatabase,
  { accountId, clientId, sessionId }: { accountId: string; clientId: string; sessionId: string },
): Promise<GrantRow | undefined> {
  return selectGrants(db)
    .where('oauth_grants.account_id', '=', accountId)
    .where('client_id', '=', clientId)
    .orderBy(sql`session_id IS NOT DISTINCT FROM ${sessionId}::uuid`, 'desc')
    .orderBy('oauth_grants.created_at', 'desc')
    .executeTakeFirst();
}

function selectGrants(db: ReadDatabase) {
  return db
    .selectFrom('oauth_grants')
    .innerJoin('oauth_subjects', 'oauth_subjects.account_id', 'oauth_grants.actor_id')
    .innerJoin('accounts', 'accounts.id', 'oauth_grants.account_id')
    .select(columns.map((column) => `oauth_grants.${column}` as const))
    .select(['oauth_grants.account_id', 'oauth_subjects.subject'])
    .where('accounts.suspended_at', 'is', null);
}

/** The grants that websites use in a session. The last one of a client is the one that it uses. */
export async function listSessionGrants(
  db: ReadDatabase,
  sessionId: string,
): Promise<{ id: string; client_id: string }[]> {
  return db
    .selectFrom('oauth_grants')
    .select(['id', 'client_id'])
    .where('session_id', '=', sessionId)
    .orderBy('created_at')
    .execute();
}

export interface ListedGrant {
  id: string;
  client_id: string;
  client_name: string;
  client_kind: Row<'oauth_clients', 'kind'>['kind'];
  client_address: string | null;
  logo_id: string | null;
  receiver_host: string | null;
  scopes: string[];
  created_at: Date;
  last_used_at: Date | null;
  in_use: boolean;
}

/** By client, then newest first. The subqueries are index lookups, also in a plan for empty tables. */
export async function listGrants(db: ReadDatabase, accountId: string): Promise<ListedGrant[]> {
  const { rows } = await sql<ListedGrant>`
    SELECT grants.id, client_id, name AS client_name, kind AS client_kind,
      address AS client_address, logo_id, receiver_host, scopes, grants.created_at,
      grants.last_used_at, CASE kind WHEN 'website' THEN session_id IS NOT NULL
        ELSE EXISTS (SELECT FROM oauth_tokens WHERE grant_id = grants.id AND expires_at > now()
          OFFSET 0) END AS in_use
    FROM oauth_grants AS grants,
      LATERAL (SELECT * FROM oauth_clients WHERE id = grants.client_id OFFSET 0) AS clients
    WHERE account_id = ${accountId}
    ORDER BY lower(name), client_id, grants.created_at DESC, grants.id`.execute(db);
  return rows;
}

export interface EndedGrant {
  id: string;
  account_id: string;
  subject: string;
  client_id: string;
  client_name: string;
  backchannel_logout_uri: string | null;
  /** Whether a website used it in a session. */
  was_signed_in: boolean;
}

const ended = sql`id, account_id, client_id,
  (SELECT subject FROM oauth_subjects WHERE account_id = grants.actor_id) AS subject,
  (SELECT name FROM oauth_clients WHERE id = client_id) AS client_name,
  (SELECT backchannel_logout_uri FROM oauth_clients WHERE id = client_id)`;

/** The grants of the account that were used longest ago make room. The account must be locked. */
export async function insertGrant(
  trx: Transaction,
  grant: {
    id?: string;
    account_id: string;
    actor_id: string;
    client_id: string;
    scopes: string[];
    receiver_host?: string | null;
    session_id: string | null;
  },
): Promise<{ id: string; ended: EndedGrant[] }> {
  const { id } = await trx
    .insertInto('oauth_grants')
    .values(grant)
    .returning('id')
    .executeTakeFirstOrThrow();
  const { rows } = await sql<EndedGrant>`
    WITH used AS (
        SELECT id, row_number() OVER last AS position,
          row_number() OVER (PARTITION BY client_id ORDER BY id = ${id} DESC,
            coalesce(last_used_at, created_at) DESC, id) AS position_at_client
        FROM oauth_grants WHERE account_id = ${grant.account_id}
        WINDOW last AS (ORDER BY id = ${id} DESC, coalesce(last_used_at, created_at) DESC, id)),
      grants AS (DELETE FROM oauth_grants USING used WHERE oauth_grants.id = used.id
        AND (position > ${LIMITS.grants}::int OR position_at_client > ${LIMITS.grantsPerClient}::int)
        RETURNING oauth_grants.*)
    SELECT ${ended}, session_id IS NOT NULL AS was_signed_in FROM grants ORDER BY id`.execute(trx);
  return { id, ended: rows };
}

export type ChosenGrants = { id: string } | { accountId: string; clientId?: string | undefined };

/**
 * Deletes grants, with their tokens: one, those of the account for a client, or all that its person
 * made, also as a keeper. Those of its other keepers stay, as their keys do.
 */
export async function deleteGrants(db: Executor, which: ChosenGrants): Promise<EndedGrant[]> {
  const chosen = 'id' in which ? sql`id = ${which.id}` : ofAccount(which);
  const { rows } = await sql<EndedGrant>`
    WITH grants AS (DELETE FROM oauth_grants WHERE ${chosen} RETURNING *)
    SELECT ${ended}, session_id IS NOT NULL AS was_signed_in FROM grants ORDER BY id`.execute(db);
  return rows;
}

function ofAccount({ accountId, clientId }: { accountId: string; clientId?: string | undefined }) {
  return clientId === undefined
    ? sql`account_id IN (SELECT ${accountId}::uuid
        UNION ALL SELECT account_id FROM keepers WHERE keeper_id = ${accountId})
      AND actor_id = ${accountId}`
    : sql`account_id = ${accountId} AND client_id = ${clientId}`;
}

/**
 * Takes grants, only those of the account if one is given, from sessions that are over in whatever
 * way, and from people who may no longer use the website. The consent remains. Skips locked rows,
 * which the next call finds.
 */
export async function detachEndedSessions(db: Executor, accountId?: string): Promise<EndedGrant[]> {
  const openSession = selectOpenSessions(db)
    .select('sessions.id')
    .where('sessions.id', '=', sql.ref<string>('oauth_grants.session_id'))
    // Keeps it an index lookup.
    .offset(0);
  const onlyOfAccount = accountId === undefined ? sql`` : sql`AND account_id = ${accountId}`;
  const { rows } = await sql<EndedGrant>`
    WITH grants AS (UPDATE oauth_grants SET session_id = NULL WHERE id IN (
      SELECT oauth_grants.id FROM oauth_grants JOIN oauth_clients ON oauth_clients.id = client_id
      WHERE session_id IS NOT NULL AND NOT (EXISTS (${openSession}) AND ${mayUseClient}) ${onlyOfAccount}
      LIMIT ${MAX_DETACHED} FOR UPDATE OF oauth_grants SKIP LOCKED)
      RETURNING *)
    SELECT ${ended}, true AS was_signed_in FROM grants ORDER BY id`.execute(db);
  return rows;
}

/** The times are exact to the minute. */
export async function touchGrant(db: Executor, id: string): Promise<void> {
  await sql`UPDATE oauth_grants SET last_used_at = now() WHERE id = ${id}
    AND coalesce(last_used_at < now() - interval '1 minute', true)`.execute(db);
}
