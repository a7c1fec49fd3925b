import { type Kysely, type Transaction, sql } from 'kysely';
import type { Database } from '../schema.ts';

/** The display name of an account, if it has one. */
export async function findDisplayName(
  db: Kysely<Database>,
  accountId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('display_names')
    .select('name')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row?.name;
}

/**
 * Gives a name to an account, unless another has it or it is held back from others: until the alias
 * at the mail provider is confirmed gone and `quarantineDays` have passed. The primary key decides.
 */
export async function claimDisplayName(
  trx: Transaction<Database>,
  claim: { accountId: string; name: string; quarantineDays: number },
): Promise<boolean> {
  const claimed = await trx
    .insertInto('display_names')
    .values({ name: claim.name, account_id: claim.accountId })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({
          account_id: claim.accountId,
          forwarded: sql<boolean>`display_names.forwarded AND display_names.last_account_id = excluded.account_id`,
          last_account_id: null,
          released_at: null,
          alias_gone_at: null,
        })
        .where('display_names.account_id', 'is', null)
        .where(
          sql<boolean>`(display_names.last_account_id = excluded.account_id
            OR (display_names.alias_gone_at IS NOT NULL
              AND display_names.released_at <= now() - ${claim.quarantineDays} * interval '1 day'))`,
        ),
    )
    .returning('name')
    .executeTakeFirst();
  return claimed !== undefined;
}

/**
 * Takes a name from its owner. It is free at once if it never had mail forwarded, else it is held
 * back from others.
 */
export async function releaseDisplayName(
  trx: Transaction<Database>,
  accountId: string,
  name: string,
): Promise<void> {
  await trx
    .deleteFrom('display_names')
    .where('name', '=', name)
    .where('account_id', '=', accountId)
    .where('forwarded', '=', false)
    .execute();
  await trx
    .updateTable('display_names')
    .set({ account_id: null, last_account_id: accountId, released_at: sql<Date>`now()` })
    .where('name', '=', name)
    .where('account_id', '=', accountId)
    .execute();
}

/** Notes that the provider has no alias left of a name that nobody has. */
export async function confirmAliasGone(db: Kysely<Database>, name: string): Promise<void> {
  await db
    .updateTable('display_names')
    .set({ alias_gone_at: sql<Date>`now()` })
    .where('name', '=', name)
    .where('account_id', 'is', null)
    .execute();
}

/** Notes that no alias is left of any name that nobody has. */
export async function confirmAliasesGone(db: Kysely<Database>): Promise<void> {
  await db
    .updateTable('display_names')
    .set({ alias_gone_at: sql<Date>`now()` })
    .where('account_id', 'is', null)
    .where('alias_gone_at', 'is', null)
    .execute();
}
