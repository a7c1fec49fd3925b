import type { Readable } from 'node:stream';
import { WithHeaders } from '#server/platform/http/contract/register-contract.ts';
import { utcDay } from '#contract/shared/durations.ts';
import type { EventType } from '#contract/shared/event-types.ts';
import { EXPORT_REFUSALS } from '#contract/owner/account.ts';
import type { DatabaseQueues } from '#server/platform/limits/database-queues.ts';
import { findDisplayName } from '#db/queries/display-names.ts';
import { createRefuser } from '#server/platform/refusal.ts';

const RETRY_AFTER_HEADERS = { 'retry-after': '10' };

const refuse = createRefuser(EXPORT_REFUSALS);

/** Exports an account only once at a time. The database counts the queries for `callerId`. */
export function createAccountExporter(
  queues: Pick<DatabaseQueues, 'writes'>,
): (
  accountId: string,
  types: readonly EventType[],
  callerId?: string,
) => Promise<WithHeaders<Readable>> {
  const exportingAccounts = new Set<string>();
  return async (accountId, types, callerId = accountId) => {
    if (exportingAccounts.has(accountId))
      throw refuse('exportInProgress', { headers: RETRY_AFTER_HEADERS });
    exportingAccounts.add(accountId);
    const finishExport = () => void exportingAccounts.delete(accountId);
    const { exportAccount } = await import('./export-account.ts');
    // The export reads metrics in transactions, which `readDb` does not support.
    const db = queues.writes.databaseFor(callerId);
    const [name, archive] = await Promise.all([
      findDisplayName(db, accountId),
      exportAccount(db, accountId, types),
    ]).catch((error: unknown) => {
      finishExport();
      throw error;
    });
    archive.once('close', finishExport);
    const date = utcDay();
    return new WithHeaders(
      {
        'content-disposition': `attachment; filename="${name ?? 'nameplate'}-${date}.zip"`,
      },
      archive,
    );
  };
}
