import type { Readable } from 'node:stream';
import { WithHeaders } from '#server/platform/http/contract/register-contract.ts';
import { utcDay } from '#contract/shared/durations.ts';
import type { EventType } from '#contract/shared/event-types.ts';
import { EXPORT_REFUSALS } from '#contract/owner/account.ts';
import { findDisplayName } from '#db/queries/display-names.ts';
import type { Core } from '#server/core.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import type { AllFeatures } from '../define-feature.ts';

const RETRY_AFTER_HEADERS = { 'retry-after': '10' };

const refuse = createRefuser(EXPORT_REFUSALS);

/** Shared by owners and operators. */
const exportingAccounts = new Set<string>();

/** Exports an account only once at a time. The database counts the queries for `callerId`. */
export function createAccountExporter({
  queues,
  features,
}: Pick<Core, 'queues'> & { features: AllFeatures }): (
  accountId: string,
  types: readonly EventType[],
  callerId?: string,
) => Promise<WithHeaders<Readable>> {
  return async (accountId, types, callerId = accountId) => {
    const { createArchive } = await import('./create-archive.ts');
    if (exportingAccounts.has(accountId))
      throw refuse('exportInProgress', { headers: RETRY_AFTER_HEADERS });
    exportingAccounts.add(accountId);
    const finishExport = () => void exportingAccounts.delete(accountId);
    // The export reads metrics in transactions, which `readDb` does not support.
    const db = queues.writes.databaseFor(callerId);
    const [name, files] = await Promise.all([
      findDisplayName(db, accountId),
      features.listExportFiles(db, { accountId, types }),
    ]).catch((error: unknown) => {
      finishExport();
      throw error;
    });
    const archive = createArchive(accountId, files);
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
