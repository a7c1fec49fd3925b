import type { ReadDatabase } from '#db/connections/read-database.ts';
import { type Kysely, sql } from 'kysely';
import type { Database } from '#db/schema.ts';

export interface StoredPasskey {
  account_id: string;
  public_key: Uint8Array;
  counter: string;
  transports: string[];
}

export async function findPasskey(
  db: Kysely<Database>,
  id: string,
): Promise<StoredPasskey | undefined> {
  return db
    .selectFrom('passkeys')
    .select(['account_id', 'public_key', 'counter', 'transports'])
    .where('id', '=', id)
    .executeTakeFirst();
}

export interface PasskeyRow {
  id: string;
  label: string | null;
  transports: string[];
  created_at: Date;
  last_used_at: Date | null;
}

export async function listPasskeys(db: ReadDatabase, accountId: string): Promise<PasskeyRow[]> {
  return db
    .selectFrom('passkeys')
    .select(['id', 'label', 'transports', 'created_at', 'last_used_at'])
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

export async function insertPasskey(
  db: Kysely<Database>,
  passkey: {
    id: string;
    accountId: string;
    publicKey: Uint8Array;
    counter: number;
    transports: readonly string[];
    label: string | null;
  },
): Promise<PasskeyRow | undefined> {
  return db
    .insertInto('passkeys')
    .values({
      id: passkey.id,
      account_id: passkey.accountId,
      public_key: Buffer.from(passkey.publicKey),
      counter: String(passkey.counter),
      transports: JSON.stringify(passkey.transports),
      label: passkey.label,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning(['id', 'label', 'transports', 'created_at', 'last_used_at'])
    .executeTakeFirst();
}

export async function touchPasskey(
  db: Kysely<Database>,
  id: string,
  counter: number,
): Promise<void> {
  await db
    .updateTable('passkeys')
    .set({ counter: String(counter), last_used_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();
}

export async function deletePasskey(
  db: Kysely<Database>,
  accountId: string,
  id: string,
): Promise<Pick<PasskeyRow, 'label'> | undefined> {
  return db
    .deleteFrom('passkeys')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returning('label')
    .executeTakeFirst();
}
