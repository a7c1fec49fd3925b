import { SITE_RESTORE_REFUSALS, SITE_SAVE_REFUSALS } from '#contract/site-version-refusals.ts';
import type { UpdateSiteConfigurationRequest } from '#contract/site.ts';
import type { Transaction } from '#db/connections/handles.ts';
import { lockAccount } from '#db/queries/accounts.ts';
import { findNewestVersion, findSiteVersion } from '#db/queries/site-versions.ts';
import type { Core } from '#server/core.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import { logPageChange } from '../events/log-event.ts';
import type { React } from '../facts.ts';
import { requireTheme, toSiteChange, writeSite } from './change-site.ts';

const refuse = createRefuser({ ...SITE_SAVE_REFUSALS, ...SITE_RESTORE_REFUSALS });

/**
 * Throws a refusal if `version` is not the newest one, so that no unseen change is overwritten.
 * Resolves to the newest version.
 */
export async function saveSite(
  trx: Transaction,
  accountId: string,
  { version, update }: { version: number; update: UpdateSiteConfigurationRequest },
): Promise<number> {
  const change = toSiteChange(update);
  await lockAccount(trx, accountId);
  const newestVersion = await findNewestVersion(trx, accountId);
  if (newestVersion !== version)
    throw refuse('versionConflict', { newest: newestVersion, version });
  await requireTheme(trx, accountId, update);
  return (await writeSite(trx, accountId, change)) ?? version;
}

/** Stores the restored site as a new version, unless it equals the current one. */
export async function restoreSite(
  trx: Transaction,
  accountId: string,
  version: number,
): Promise<{ newestVersion: number; isChanged: boolean }> {
  await lockAccount(trx, accountId);
  const storedVersion = await findSiteVersion(trx, accountId, version);
  if (!storedVersion) throw refuse('versionNotFound', { version });
  const { site, blocks } = storedVersion;
  const newVersion = await writeSite(trx, accountId, { ...site, blocks });
  const newestVersion = newVersion ?? (await findNewestVersion(trx, accountId));
  return { newestVersion, isChanged: newVersion !== undefined };
}

/** Call in the transaction of a save that changed the page. */
export async function afterSave(
  trx: Transaction,
  app: Pick<Core, 'allowances' | 'jobs'> & { react: React },
  change: { accountId: string; by: string },
): Promise<void> {
  await logPageChange(trx, app, change);
  await app.react(trx, 'siteSaved', change);
}
