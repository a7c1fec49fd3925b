import type { Kysely } from 'kysely';
import { inTransaction } from '#db/connections/transaction.ts';
import {
  deleteUnusedPictures,
  listAccountsWithOldPictures,
  noteUsedPictures,
} from '#db/queries/pictures.ts';
import type { Database } from '#db/schema.ts';

/** Days for which a picture is kept that the site does not use; a draft in a browser may. */
const UNUSED_RETENTION_DAYS = 30;
/** Accounts that are looked at in one run. */
const MAX_ACCOUNTS = 1_000;

/** Deletes pictures that no version of a site has used for a while. */
export async function sweepPictures(db: Kysely<Database>): Promise<void> {
  for (const accountId of await listAccountsWithOldPictures(db, MAX_ACCOUNTS))
    await inTransaction(db, async (trx) => {
      await noteUsedPictures(trx, accountId);
      await deleteUnusedPictures(trx, accountId, UNUSED_RETENTION_DAYS);
    });
}
