import type { Reads } from '../connections/databases.ts';
import { type Kysely, sql } from 'kysely';
import type { Scope } from '#contract/scope.ts';
import { lateralLookup } from '../lateral-lookup.ts';
import type { Database } from '../schema.ts';

/** Columns that are needed to check a key. */
export interface StoredKey {
  account_id: string;
  secret_hash: Uint8Array;
  scope: Scope;
  expires_at: Date | null;
  last_used_at: Date | null;
  revoked_at: Date | null;
  /** Since when its account is suspended. */
  suspended_at: Date | null;
}

const keysById = lateralLookup('text', (id, query) =>
  query
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
    .select([
      'api_keys.id',
      'account_id',
      'secret_hash',
      'scope',
      'expires_at',
      'last_used_at',
      'revoked_at',
      'suspended_at',
    ])
    .where('api_keys.id', '=', id),
);

/** Keys by their ids, also if they are revoked. */
export async function findApiKeys(
  db: Reads,
  ids: readonly string[],
): Promise<Map<string, StoredKey>> {
  const rows = await keysById(db, ids);
  return new Map(rows.map(({ id, ...key }) => [id, key]));
}

/** Notes that keys were used, to the minute. A key that somebody else is changing is left out. */
export async function touchApiKeys(db: Kysely<Database>, ids: string[]): Promise<void> {
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

/** How many keys an account has that are not revoked. */
export async function countApiKeys(db: Kysely<Database>, accountId: string): Promise<number> {
  const { count } = await db
    .selectFrom('api_keys')
    .select((query) => query.fn.countAll<string>().as('count'))
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Purpose of a new key. */
export interface KeyPurpose {
  label: string | null;
  /** Everything, unless it is said. */
  scope?: Scope | undefined;
  expiresAt?: Date | null | undefined;
}

/** Stores a new key of an account. */
export async function insertApiKey(
  db: Kysely<Database>,
  key: KeyPurpose & { id: string; accountId: string; secretHash: Buffer },
): Promise<ApiKeyRow> {
  return db
    .insertInto('api_keys')
    .values({
      id: key.id,
      account_id: key.accountId,
      secret_hash: key.secretHash,
      label: key.label,
      scope: key.scope ?? 'all',
      expires_at: key.expiresAt ?? null,
    })
    .returning(columns)
    .executeTakeFirstOrThrow();
}

export interface ApiKeyRow {
  key_id: string;
  label: string | null;
  scope: Scope;
  created_at: Date;
  last_used_at: Date | null;
  expires_at: Date | null;
  revoked_at: Date | null;
}

const columns = [
  'id as key_id',
  'label',
  'scope',
  'created_at',
  'last_used_at',
  'expires_at',
  'revoked_at',
] as const;

/** The keys of an account, oldest first, revoked ones too. */
export async function listApiKeys(db: Reads, accountId: string): Promise<ApiKeyRow[]> {
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
  /** Since when it is. */
  revoked_at: Date;
  /** Whether it was not before. */
  is_new: boolean;
}

/**
 * Revokes a key for good; undefined if there is none, or it is not the
 * account's for which it is revoked.
 */
export async function revokeApiKey(
  db: Kysely<Database>,
  id: string,
  accountId?: string,
): Promise<RevokedKey | undefined> {
  let revoking = db
    .updateTable('api_keys')
    .set({ revoked_at: sql<Date>`coalesce(revoked_at, now())` })
    .where('id', '=', id);
  if (accountId !== undefined) revoking = revoking.where('account_id', '=', accountId);
  return revoking
    .returning([
      'account_id',
      'label',
      sql<Date>`revoked_at`.as('revoked_at'),
      sql<boolean>`revoked_at = now()`.as('is_new'),
    ])
    .executeTakeFirst();
}

/** Revokes all keys of an account for good, on all servers at once. */
export async function revokeApiKeys(db: Kysely<Database>, accountId: string): Promise<void> {
  await db
    .updateTable('api_keys')
    .set({ revoked_at: sql<Date>`now()` })
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .execute();
}
