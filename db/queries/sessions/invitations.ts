import { type Kysely, type Transaction, sql } from 'kysely';
import type { Database } from '../../schema.ts';

/** Stores an invitation for so many days; returns until when. */
export async function insertInvitation(
  db: Kysely<Database>,
  tokenHash: Buffer,
  days: number,
): Promise<Date> {
  const { expires_at } = await db
    .insertInto('invitations')
    .values({
      token_hash: tokenHash,
      expires_at: sql<Date>`now() + ${days} * interval '1 day'`,
    })
    .returning('expires_at')
    .executeTakeFirstOrThrow();
  return expires_at;
}

/** Uses an invitation up; whether it was one that is not too old. */
export async function takeInvitation(
  trx: Transaction<Database>,
  tokenHash: Buffer,
): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('invitations')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0;
}

/** Deletes invitations that nobody accepted in time. */
export async function deleteExpiredInvitations(db: Kysely<Database>): Promise<void> {
  await db
    .deleteFrom('invitations')
    .where('expires_at', '<', sql<Date>`now()`)
    .execute();
}
