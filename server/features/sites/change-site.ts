import { randomUUID } from 'node:crypto';
import type { Block } from '#contract/block.ts';
import { CLUB_THEME_ID } from '#contract/shared/club-theme.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { extractPageSettings } from '#contract/shared/page-settings-block.ts';
import { SITE_CHANGE_REFUSALS, type UpdateSiteConfigurationRequest } from '#contract/site.ts';
import type { ReadDatabase, Transaction } from '#db/connections/handles.ts';
import { lockAccount } from '#db/queries/accounts.ts';
import { deleteBlocksExcept, upsertBlocks } from '#db/queries/blocks.ts';
import { findInstance } from '#db/queries/instance.ts';
import { storeSiteVersion } from '#db/queries/site-versions.ts';
import { findSiteConfiguration, type SiteRow, upsertSite } from '#db/queries/sites.ts';
import { isAccountMissing, isRetryable, isInvalidValue } from '#db/sql-state.ts';
import {
  type RefusalDetails,
  type RefusalError,
  failureDetails,
  createRefuser,
} from '#server/platform/refusal.ts';

const refuse = createRefuser(SITE_CHANGE_REFUSALS);

export type SiteChange = {
  [Detail in keyof SiteRow]?: SiteRow[Detail] | undefined;
} & { blocks?: Block[] | undefined };

/** Maps an empty avatar URL or theme id to null, and gives new blocks an id. */
export function toSiteChange({ blocks, ...update }: UpdateSiteConfigurationRequest): SiteChange {
  return {
    ...update,
    ...(update.avatar_url === '' && { avatar_url: null }),
    ...(update.theme_id === '' && { theme_id: null }),
    ...(blocks &&
      extractPageSettings(blocks.map((block) => ({ ...block, id: block.id ?? randomUUID() })))),
  };
}

export function applyChange<Stored extends SiteRow & { blocks: readonly Block[] }>(
  stored: Stored,
  change: SiteChange,
): Stored {
  const changes = Object.entries(change).filter(([, value]) => value !== undefined);
  return { ...stored, ...Object.fromEntries(changes) };
}

export async function changeSite(
  trx: Transaction,
  accountId: string,
  update: UpdateSiteConfigurationRequest,
): Promise<boolean> {
  await lockAccount(trx, accountId);
  await requireTheme(trx, accountId, update);
  return (await writeSite(trx, accountId, toSiteChange(update))) !== undefined;
}

/** A page with the theme of the club may keep it while there is none. */
export async function requireTheme(
  db: ReadDatabase,
  accountId: string,
  { theme_id }: UpdateSiteConfigurationRequest,
): Promise<void> {
  if (theme_id !== CLUB_THEME_ID || (await findInstance(db)).theme_fonts !== null) return;
  const { site } = await findSiteConfiguration(db, accountId);
  if (site.theme_id !== CLUB_THEME_ID) throw refuse('clubThemeOff');
}

/**
 * The caller must hold the account's lock. Resolves to the new version, if the change created one.
 */
export async function writeSite(
  trx: Transaction,
  accountId: string,
  { blocks, ...details }: SiteChange,
): Promise<number | undefined> {
  await upsertSite(trx, accountId, details);
  if (blocks) {
    await withStepError(
      (about) => refuse('blocksNotSaved', about),
      upsertBlocks(trx, accountId, blocks),
    );
    const ids = blocks.map((block) => block.id);
    await withStepError(
      (about) => refuse('blocksNotRemoved', about),
      deleteBlocksExcept(trx, accountId, ids),
    );
  }
  return storeSiteVersion(trx, accountId, {
    limit: LIMITS.siteVersions,
    bytes: LIMITS.siteVersionsBytes,
  });
}

/**
 * Replaces unexpected errors. Errors that can be retried or were caused by the input pass through.
 */
async function withStepError<T>(
  toError: (details: RefusalDetails) => RefusalError,
  step: Promise<T>,
): Promise<T> {
  try {
    return await step;
  } catch (error) {
    if (isRetryable(error) || isInvalidValue(error) || isAccountMissing(error)) throw error;
    throw toError(failureDetails(error));
  }
}
