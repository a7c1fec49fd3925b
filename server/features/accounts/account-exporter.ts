import type { Readable } from 'node:stream';
import { utcDay } from '#contract/shared/durations.ts';
import type { EventType } from '#contract/shared/event-types.ts';
import { findDisplayName } from '#db/queries/display-names.ts';
import type { Core } from '#server/core.ts';
import { WithHeaders } from '#server/platform/http/contract/register-contract.ts';
import type { AllFeatures } from '../define-feature.ts';

/** The database counts the queries for `callerId`. */
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
    // The export reads metrics in transactions, which `readDb` does not support.
    const db = queues.slowReads.databaseFor(callerId);
    const [name, files] = await Promise.all([
      findDisplayName(db, accountId),
      features.listExportFiles(db, { accountId, types }),
    ]);
    const date = utcDay();
    return new WithHeaders(
      {
        'content-disposition': `attachment; filename="${name ?? 'nameplate'}-${date}.zip"`,
      },
      createArchive(accountId, files),
    );
  };
}
