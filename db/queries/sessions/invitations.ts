import type { ReadDatabase } from '#db/connections/read-database.ts';
import { type Kysely, type Transaction, sql } from 'kysely';
import type { Database } from '#db/schema.ts';

export interface InvitationRow {
  id: string;
  note: string | null;
  created_at: Date;
  expires_at: Date;
}

const COLUMNS = ['id', 'note', 'created_at', 'expires_at'] as const;

export async function insertInvitation(
  db: Kysely<Database>,
  tokenHash: Buffer,
  { days, note = null }: { days: number; note?: string | null },
): Promise<InvitationRow> {
  return db
    .insertInto('invitations')
    .values({
      token_hash: tokenHash,
      expires_at: sql<Date>`now() + ${days} * interval '1 day'`,
      note,
    })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
}

/** Newest first, starting after the invitation with the id `after`. Skips expired ones. */
export async function listInvitations(
  db: ReadDatabase,
  { limit, after }: { limit: number; after?: string | undefined },
): Promise<InvitationRow[]> {
  let invitations = db
    .selectFrom('invitations')
    .select(COLUMNS)
    .where('expires_at', '>', sql<Date>`now()`);
  if (after !== undefined) {
    const last = sql`(SELECT created_at FROM invitations WHERE id = ${after})`;
    invitations = invitations
      .where(sql<boolean>`created_at <= ${last}`)
      .where(sql<boolean>`(created_at < ${last} OR id > ${after}::uuid)`);
  }
  return invitations.orderBy('created_at', 'desc').orderBy('id').limit(limit).execute();
}

export async function hasInvitation(db: ReadDatabase, id: string): Promise<boolean> {
  const invitation = await db
    .selectFrom('invitations')
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst();
  return invitation !== undefined;
}

export async function isInvitationOpen(db: ReadDatabase, tokenHash: Buffer): Promise<boolean> {
  const invitation = await db
    .selectFrom('invitations')
    .select('id')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
  return invitation !== undefined;
}

export async function deleteInvitation(db: Kysely<Database>, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('invitations')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0;
}

/** Returns false if the invitation is unknown or expired. */
export async function consumeInvitation(
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

export async function deleteExpiredInvitations(db: Kysely<Database>): Promise<void> {
  await db
    .deleteFrom('invitations')
    .where('expires_at', '<', sql<Date>`now()`)
    .execute();
}
