import { type Insertable, type RawBuilder, sql } from 'kysely';
import type { Executor, ReadDatabase, Transaction } from '#db/connections/handles.ts';
import type { Row, Schema } from '#db/schema.ts';
import { selectLockedAccount } from './accounts.ts';
import { exists } from './rows.ts';

const storedColumns = ['account_id', 'public_key', 'counter', 'transports'] as const;
const columns = ['id', 'label', 'host', 'transports', 'created_at', 'last_used_at'] as const;

export type StoredPasskey = Row<'passkeys', (typeof storedColumns)[number]>;
export type PasskeyRow = Row<'passkeys', (typeof columns)[number]>;

/** Also if either host is not known. */
export function worksAt(host: string | undefined): RawBuilder<boolean> {
  return sql<boolean>`coalesce(passkeys.host = ${host ?? null}, true)`;
}

export async function hasPasskeyAt(
  db: ReadDatabase,
  accountId: string,
  host: string | undefined,
): Promise<boolean> {
  return exists(db, sql`passkeys WHERE account_id = ${accountId} AND ${worksAt(host)}`);
}

/** Passkeys of another host than this one, which no longer work. */
export async function countOtherPasskeys(
  db: ReadDatabase,
  host: string | undefined,
): Promise<{ count: number; hosts: string[] }> {
  const { rows } = await sql<{ count: number; hosts: string[] }>`
    SELECT count(*)::int AS count, coalesce(array_agg(DISTINCT host), '{}') AS hosts
    FROM passkeys WHERE NOT ${worksAt(host)}`.execute(db);
  return rows[0]!;
}

export async function findPasskey(
  db: ReadDatabase,
  id: string,
): Promise<StoredPasskey | undefined> {
  return db.selectFrom('passkeys').select(storedColumns).where('id', '=', id).executeTakeFirst();
}

export async function listPasskeys(db: ReadDatabase, accountId: string): Promise<PasskeyRow[]> {
  return db
    .selectFrom('passkeys')
    .select(columns)
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

export async function insertPasskey(
  db: Executor,
  passkey: Insertable<Schema['passkeys']>,
): Promise<PasskeyRow | undefined> {
  return db
    .insertInto('passkeys')
    .values(passkey)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning(columns)
    .executeTakeFirst();
}

/**
 * Locks the account. Returns false if the passkey was removed, or an earlier login has used this
 * counter or a higher one, which may mean that the passkey was copied.
 */
export async function touchPasskey(
  trx: Transaction,
  {
    accountId,
    id,
    host,
    counter,
    isBackedUp,
  }: { accountId: string; id: string; host: string; counter: number; isBackedUp: boolean },
): Promise<boolean> {
  const touched = await trx
    .with('account', (query) => selectLockedAccount(query, accountId))
    .updateTable('passkeys')
    .set({ host, counter: String(counter), last_used_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('account_id', '=', (query) => query.selectFrom('account').select('account.id'))
    // Authenticators that do not count always send 0. Others count up to 2^32 - 1 (Web
    // Authentication, section 6.1), so the parameter may not be compared with an integer literal.
    .where(
      sql<boolean>`(counter < ${counter} OR counter = 0 AND counter = ${counter} OR ${isBackedUp})`,
    )
    .returning('id')
    .executeTakeFirst();
  return touched !== undefined;
}
