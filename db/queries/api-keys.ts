import { sql } from 'kysely';
import type { Scope } from '#contract/scope.ts';
import type { Executor, ReadDatabase } from '../connections/handles.ts';
import { lateralLookup } from '../lateral-lookup.ts';
import { selectLockedAccount } from './accounts.ts';
import { countRows } from './rows.ts';

export interface StoredKey {
  account_id: string;
  secret_hash: Uint8Array;
  scope: Scope;
  project_id: string | null;
  expires_at: Date | null;
  last_used_at: Date | null;
  revoked_at: Date | null;
  suspended_at: Date | null;
  display_name: string | null;
  /** The keeper who made the key. */
  actor_id: string | null;
}

const lookUpKeys = lateralLookup('text', (id, query) =>
  query
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
    .leftJoin('display_names', 'display_names.account_id', 'api_keys.account_id')
    .select([
      'api_keys.id',
      'api_keys.account_id',
      'secret_hash',
      'scope',
      'project_id',
      'expires_at',
      'last_used_at',
      'revoked_at',
      'suspended_at',
      'actor_id',
      'display_names.name as display_name',
    ])
    .where('api_keys.id', '=', id),
);

/** Includes revoked keys. */
export async function findApiKeys(
  db: ReadDatabase,
  ids: readonly string[],
): Promise<Map<string, StoredKey>> {
  const rows = await lookUpKeys(db, ids);
  return new Map(rows.map(({ id, ...key }) => [id, key]));
}

/** Updates the last use, at most once a minute per key. Skips locked rows. */
export async function touchApiKeys(db: Executor, ids: string[]): Promise<void> {
  await db
    .updateTable('api_keys')
    .set({ last_used_at: sql<Date>`now()` })
    .where('id', 'in', (query) =>
      query
        .selectFrom('api_keys')
        .select('id')
        .where('id', '=', sql<string>`ANY (${ids}::text[])`)
        .where(sql<boolean>`(last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`)
        .forNoKeyUpdate()
        .skipLocked(),
    )
    .execute();
}

export async function countApiKeys(db: ReadDatabase, accountId: string): Promise<number> {
  return countRows(db, sql`api_keys WHERE account_id = ${accountId} AND revoked_at IS NULL`);
}

export interface KeyAttributes {
  label: string | null;
  /** `all` by default. */
  scope?: Scope | undefined;
  /** With the scope `metrics`. */
  projectId?: string | null | undefined;
  expiresAt?: Date | null | undefined;
  /** The keeper who makes it, null for the account itself. */
  keeperId?: string | null;
}

/**
 * The first key that an owner creates turns the developer tools on. The first start creates one together
 * with the account.
 */
export async function insertApiKey(
  db: Executor,
  key: KeyAttributes & { id: string; accountId: string; secretHash: Buffer },
): Promise<ApiKeyRow> {
  return db
    .with('first_key', (query) =>
      query
        .updateTable('accounts')
        .set({ developer_tools: true })
        .where('id', '=', key.accountId)
        .where((eb) =>
          eb.not(
            eb.exists(
              eb
                .selectFrom('api_keys')
                .whereRef('account_id', '=', 'accounts.id')
                .whereRef('api_keys.created_at', '>', 'accounts.created_at'),
            ),
          ),
        ),
    )
    .insertInto('api_keys')
    .values({
      id: key.id,
      account_id: key.accountId,
      secret_hash: key.secretHash,
      label: key.label,
      scope: key.scope ?? 'all',
      project_id: key.projectId ?? null,
      expires_at: key.expiresAt ?? null,
      actor_id: key.keeperId ?? null,
    })
    .returning(columns)
    .executeTakeFirstOrThrow();
}

export interface ApiKeyRow {
  key_id: string;
  label: string | null;
  scope: Scope;
  project_id: string | null;
  created_at: Date;
  last_used_at: Date | null;
  expires_at: Date | null;
  revoked_at: Date | null;
}

const columns = [
  'id as key_id',
  'label',
  'scope',
  'project_id',
  'created_at',
  'last_used_at',
  'expires_at',
  'revoked_at',
] as const;

export async function listApiKeys(db: ReadDatabase, accountId: string): Promise<ApiKeyRow[]> {
  return db
    .selectFrom('api_keys')
    .select(columns)
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

export interface RevokedKey {
  account_id: string;
  label: string | null;
  revoked_at: Date;
  /** False if the key had been revoked before. */
  newly_revoked: boolean;
}

/** Locks the account. Returns undefined if there is no such key, or it does not belong to `accountId`. */
export async function revokeApiKey(
  db: Executor,
  id: string,
  accountId?: string,
): Promise<RevokedKey | undefined> {
  let revoking = db
    .with('account', (query) =>
      selectLockedAccount(
        query,
        query.selectFrom('api_keys').select('account_id').where('api_keys.id', '=', id),
      ),
    )
    .updateTable('api_keys')
    .set({ revoked_at: sql<Date>`coalesce(revoked_at, now())` })
    .where('id', '=', id)
    .where('account_id', '=', (query) => query.selectFrom('account').select('account.id'));
  if (accountId !== undefined) revoking = revoking.where('account_id', '=', accountId);
  return revoking
    .returning([
      'account_id',
      'label',
      sql<Date>`revoked_at`.as('revoked_at'),
      sql<boolean>`revoked_at = now()`.as('newly_revoked'),
    ])
    .executeTakeFirst();
}

/** Returns those that were not revoked before. */
export async function deleteKeysOfProject(
  db: Executor,
  projectId: string,
): Promise<{ key_id: string; label: string | null }[]> {
  const keys = await db
    .deleteFrom('api_keys')
    .where('project_id', '=', projectId)
    .returning(['id as key_id', 'label', 'revoked_at'])
    .execute();
  return keys.flatMap(({ revoked_at, ...key }) => (revoked_at === null ? [key] : []));
}

export async function revokeApiKeys(db: Executor, accountId: string): Promise<void> {
  await db
    .updateTable('api_keys')
    .set({ revoked_at: sql<Date>`now()` })
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .execute();
}
