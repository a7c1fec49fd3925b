import { type Insertable, sql } from 'kysely';
import { CHECKED_KINDS } from '#contract/shared/clients.ts';
import type { Executor, ReadDatabase, Transaction } from '../connections/handles.ts';
import type { Row, Schema } from '../schema.ts';

const columns = [
  'id',
  'kind',
  'name',
  'software',
  'address',
  'logo_id',
  'redirect_uris',
  'post_logout_redirect_uris',
  'backchannel_logout_uri',
  'secret_hash',
  'requires_pkce',
  'asks_consent',
  'allowed',
  'allowed_groups',
  'shared_groups',
  'created_at',
  'last_used_at',
  'fetched_at',
  'logout_failed_at',
  'logout_error',
] as const;

export type ClientRow = Row<'oauth_clients', (typeof columns)[number]>;

export type NewClient = Omit<Insertable<Schema['oauth_clients']>, 'created_at' | 'last_used_at'>;

/** Undefined changes nothing. */
export type ClientChange = { [Name in keyof NewClient]?: NewClient[Name] | undefined };

export async function findClient(db: ReadDatabase, id: string): Promise<ClientRow | undefined> {
  return db.selectFrom('oauth_clients').select(columns).where('id', '=', id).executeTakeFirst();
}

/** Those that operators created, by name, with the number of people who use them. */
export async function listClients(
  db: ReadDatabase,
  id?: string,
): Promise<(ClientRow & { people: number })[]> {
  let clients = db
    .selectFrom('oauth_clients')
    .select(columns)
    .select(
      sql<number>`(SELECT count(DISTINCT account_id)::int FROM oauth_grants
        WHERE client_id = oauth_clients.id)`.as('people'),
    )
    .where('kind', 'in', CHECKED_KINDS);
  if (id !== undefined) clients = clients.where('id', '=', id);
  return clients
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .execute();
}

/** At once, so that parallel requests cannot exceed a limit. */
export async function countCreatedClients(trx: Transaction): Promise<number> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('oauth clients', 0))`.execute(trx);
  const { count } = await trx
    .selectFrom('oauth_clients')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('kind', 'in', CHECKED_KINDS)
    .executeTakeFirstOrThrow();
  return count;
}

export async function insertClient(db: Executor, client: NewClient): Promise<void> {
  await db.insertInto('oauth_clients').values(client).execute();
}

/** Only of those that operators created. */
export async function updateClient(db: Executor, id: string, change: ClientChange): Promise<void> {
  await db
    .updateTable('oauth_clients')
    .set(change)
    .where('id', '=', id)
    .where('kind', 'in', CHECKED_KINDS)
    .execute();
}

/**
 * Returns its name, or undefined if operators created no such client. Members who used it find that
 * among their events.
 */
export async function deleteClient(db: Transaction, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ account_id: string }>`
    SELECT DISTINCT account_id FROM oauth_grants WHERE client_id = ${id}`.execute(db);
  const row = await db
    .deleteFrom('oauth_clients')
    .where('id', '=', id)
    .where('kind', 'in', CHECKED_KINDS)
    .returning('name')
    .executeTakeFirst();
  if (row)
    await sql`INSERT INTO events (account_id, type, outcome, detail, completed_at)
      SELECT account_id, 'app_disconnected', 'succeeded',
        jsonb_build_object('app', ${row.name}::text), now()
      FROM unnest((SELECT ${rows.map((grant) => grant.account_id)}::uuid[])) AS account_id`.execute(
      db,
    );
  return row?.name;
}

/** Replaces an earlier copy of the same metadata document. */
export async function storeDocumentClient(
  db: Executor,
  { id, name, redirect_uris }: Pick<NewClient, 'id' | 'name' | 'redirect_uris'>,
): Promise<void> {
  const fetched_at = sql<Date>`now()`;
  await db
    .insertInto('oauth_clients')
    .values({ id, kind: 'document', name, redirect_uris, fetched_at })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({ name, redirect_uris, fetched_at }),
    )
    .execute();
}

/** `kind` clients that nobody ever used, oldest first beyond `limit`, so that they take no space. */
export async function deleteUnusedBeyond(
  db: Executor,
  kind: 'registered' | 'document',
  limit: number,
): Promise<void> {
  await sql`DELETE FROM oauth_clients WHERE id IN (
    SELECT id FROM oauth_clients WHERE kind = ${kind} AND last_used_at IS NULL
    ORDER BY created_at DESC, id OFFSET ${limit})`.execute(db);
}

/** The time is exact to the minute. */
export async function touchClient(db: Executor, id: string): Promise<void> {
  await sql`UPDATE oauth_clients SET last_used_at = now() WHERE id = ${id}
    AND coalesce(last_used_at < now() - interval '1 minute', true)`.execute(db);
}

/** The result of the last back-channel logout. `error` is null if it succeeded. */
export async function setLogoutResult(
  db: Executor,
  id: string,
  error: string | null,
): Promise<void> {
  await db
    .updateTable('oauth_clients')
    .set({
      logout_error: error,
      logout_failed_at: error === null ? null : sql<Date>`now()`,
    })
    .where('id', '=', id)
    .execute();
}
