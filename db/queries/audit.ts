import { type Kysely, type Transaction, sql } from 'kysely';
import { UUID } from '../../contract/uuid.ts';
import type { Database } from '../schema.ts';

/** Something that administration did. */
export interface Deed {
  /** The operating system's user. */
  who: string;
  via: Database['audit']['via'];
  /** The words of the command. */
  action: string;
  account_id: string | null;
  /** The display name that it was about, or that the account had. */
  name: string | null;
  project_id: string | null;
  key_id: string | null;
  detail: Record<string, unknown>;
}

/** Notes a deed in its own transaction, with the account and its name where they can be found. */
export async function insertDeed(trx: Transaction<Database>, deed: Deed): Promise<void> {
  const accountId = sql<string | null>`coalesce(
    ${deed.account_id}::uuid,
    (SELECT account_id FROM projects WHERE id = ${deed.project_id}::uuid),
    (SELECT account_id FROM api_keys WHERE id = ${deed.key_id}))`;
  await trx
    .insertInto('audit')
    .values({
      ...deed,
      account_id: accountId,
      name: sql`coalesce(
        ${deed.name}, (SELECT name FROM display_names WHERE account_id = ${accountId}))`,
      detail: JSON.stringify(deed.detail),
    })
    .execute();
}

export interface DeedRow extends Deed {
  created_at: Date;
}

/**
 * The latest deeds, newest first: all, or those about an account, also one that is gone, by its id or
 * by a name that it had.
 */
export async function listDeeds(
  db: Kysely<Database>,
  { account, limit }: { account?: string | undefined; limit: number },
): Promise<DeedRow[]> {
  let deeds = db
    .selectFrom('audit')
    .select(['created_at', 'who', 'via', 'action'])
    .select(['account_id', 'name', 'project_id', 'key_id', 'detail']);
  if (account !== undefined) {
    const reference = account.trim().toLowerCase();
    deeds = UUID.test(reference)
      ? deeds.where('account_id', '=', reference)
      : deeds.where(
          sql<boolean>`account_id IN (
            SELECT account_id FROM display_names WHERE name = ${reference}
            UNION SELECT account_id FROM audit WHERE name = ${reference})`,
        );
  }
  return deeds.orderBy('created_at', 'desc').orderBy('id').limit(limit).execute();
}

/** Deletes deeds that are older than two years. */
export async function deleteOldDeeds(db: Kysely<Database>): Promise<void> {
  await db
    .deleteFrom('audit')
    .where('created_at', '<', sql<Date>`now() - interval '2 years'`)
    .execute();
}
