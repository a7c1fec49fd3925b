import type { Kysely } from 'kysely';
import { LIMITS } from '../../../contract/limits.ts';
import { AccountGoneError } from '../../../db/account-gone.ts';
import { inTransaction } from '../../../db/connections/transaction.ts';
import { lockAccount } from '../../../db/queries/accounts.ts';
import { insertReport, type NewReport } from '../../../db/queries/reports.ts';
import type { Database } from '../../../db/schema.ts';

/** Stores a visitor's report of an account's page; false if the account was deleted meanwhile. */
export async function sendReport(
  db: Kysely<Database>,
  accountId: string,
  report: NewReport,
): Promise<boolean> {
  try {
    await inTransaction(db, async (trx) => {
      // Reports of one page come one after the other, so that they can be counted.
      await lockAccount(trx, accountId);
      await insertReport(trx, accountId, { ...report, limit: LIMITS.openReports });
    });
    return true;
  } catch (error) {
    if (error instanceof AccountGoneError) return false;
    throw error;
  }
}
