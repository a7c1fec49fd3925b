import type { Database } from '#db/connections/handles.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import {
  deleteUnusedPictures,
  listAccountsWithStalePictures,
  markUsedPictures,
} from '#db/queries/pictures.ts';

/** An unsaved draft in a browser may use a picture that seems unused. */
const UNUSED_RETENTION_DAYS = 30;
const MAX_ACCOUNTS = 1_000;

export async function sweepPictures(db: Database): Promise<void> {
  for (const accountId of await listAccountsWithStalePictures(db, MAX_ACCOUNTS))
    await inTransaction(db, async (trx) => {
      await markUsedPictures(trx, accountId);
      await deleteUnusedPictures(trx, accountId, UNUSED_RETENTION_DAYS);
    });
}
