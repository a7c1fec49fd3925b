import type { Kysely, Transaction } from 'kysely';
import { SITE_RESTORE_REFUSALS, SITE_SAVE_REFUSALS } from '#contract/site-version-refusals.ts';
import type { UpdateSiteConfigurationRequest } from '#contract/site.ts';
import { inAccountTransaction } from '#db/queries/accounts.ts';
import { findNewestVersion, findSiteVersion } from '#db/queries/sites/site-versions.ts';
import type { Database } from '#db/schema.ts';
import { createRefuser } from '#server/refusal.ts';
import { type SiteChange, toSiteChange, writeSite } from './change-site.ts';

const refuse = createRefuser({ ...SITE_SAVE_REFUSALS, ...SITE_RESTORE_REFUSALS });

/**
 * Throws a refusal if `version` is not the newest one, so that no unseen change is overwritten.
 * Resolves to the newest version.
 */
export function saveSite(
  db: Kysely<Database>,
  accountId: string,
  { version, update }: { version: number; update: UpdateSiteConfigurationRequest },
): Promise<number> {
  const change = toSiteChange(update);
  return writeLocked(db, accountId, async (trx) => {
    const newestVersion = await findNewestVersion(trx, accountId);
    if (newestVersion !== version)
      throw refuse('versionConflict', { newest: newestVersion, version });
    return change;
  });
}

/** Stores the restored site as a new version, unless it equals the current one. */
export function restoreSite(
  db: Kysely<Database>,
  accountId: string,
  version: number,
): Promise<number> {
  return writeLocked(db, accountId, async (trx) => {
    const storedVersion = await findSiteVersion(trx, accountId, version);
    if (!storedVersion) throw refuse('versionNotFound', { version });
    return { ...storedVersion.site, blocks: storedVersion.blocks };
  });
}

function writeLocked(
  db: Kysely<Database>,
  accountId: string,
  readChange: (trx: Transaction<Database>) => Promise<SiteChange>,
): Promise<number> {
  return inAccountTransaction(db, accountId, async (trx) => {
    await writeSite(trx, accountId, await readChange(trx));
    return findNewestVersion(trx, accountId);
  });
}
