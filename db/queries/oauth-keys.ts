import { sql } from 'kysely';
import type { ReadDatabase, Transaction } from '../connections/handles.ts';
import type { Row } from '../schema.ts';

/** How long a key is published after the next one signs. */
const PUBLISHED_AFTER_DAYS = 30;

export interface SigningKeyRow extends Row<'oauth_keys', 'id' | 'public_key' | 'encrypted_key'> {
  signs: boolean;
}

/** Those that are published: the one that signs comes first. */
export async function listSigningKeys(db: ReadDatabase): Promise<SigningKeyRow[]> {
  const { rows } = await sql<SigningKeyRow>`
    WITH keys AS (
      SELECT *, lead(signs_from) OVER (ORDER BY signs_from, id) AS signs_until FROM oauth_keys)
    SELECT id, public_key, encrypted_key,
      signs_from <= now() AND coalesce(signs_until > now(), true) AS signs
    FROM keys
    WHERE signs_until IS NULL
      OR signs_until > now() - ${PUBLISHED_AFTER_DAYS}::int * interval '1 day'
    ORDER BY signs DESC, signs_from DESC`.execute(db);
  return rows;
}

/** So that parallel requests do not create several. */
export async function lockSigningKeys(trx: Transaction): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('oauth keys', 0))`.execute(trx);
}

/** Signs after `hours`, so that websites have read it by then. Returns that time. */
export async function insertSigningKey(
  trx: Transaction,
  key: { id: string; public_key: object; encrypted_key: Buffer },
  hours: number,
): Promise<Date> {
  const { signs_from } = await trx
    .insertInto('oauth_keys')
    .values({
      ...key,
      public_key: JSON.stringify(key.public_key),
      signs_from: sql<Date>`now() + ${hours}::int * interval '1 hour'`,
    })
    .returning('signs_from')
    .executeTakeFirstOrThrow();
  return signs_from;
}
