import { randomUUID } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import { LIMITS } from '#contract/limits.ts';
import { extractPageSettings } from '#contract/page-settings-block.ts';
import { SITE_UPDATE_REFUSALS, type UpdateSiteConfigurationRequest } from '#contract/site.ts';
import { lockAccount } from '#db/queries/accounts.ts';
import { deleteBlocksExcept, upsertBlocks } from '#db/queries/sites/blocks.ts';
import { keepSiteVersion } from '#db/queries/sites/site-versions.ts';
import { type SiteRow, upsertSite } from '#db/queries/sites/sites.ts';
import type { Block } from '#contract/block.ts';
import type { Database } from '#db/schema.ts';
import { isForeignKeyViolation, isRetryable, isInvalidValue } from '#db/sql-state.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { type Circumstances, type RefusalError, failedBy, refuserOf } from '#server/refusal.ts';

const refuse = refuserOf(SITE_UPDATE_REFUSALS);

/** Change of a site; what is absent stays as it is. */
export type SiteChange = {
  [Detail in keyof SiteRow]?: SiteRow[Detail] | undefined;
} & { blocks?: Block[] | undefined };

/** Change that an owner asks for: an empty address or theme clears it, as null does, and new blocks get their ids. */
export function toSiteChange({ blocks, ...sent }: UpdateSiteConfigurationRequest): SiteChange {
  return {
    ...sent,
    ...(sent.avatar_url === '' && { avatar_url: null }),
    ...(sent.theme_id === '' && { theme_id: null }),
    ...(blocks &&
      extractPageSettings(blocks.map((block) => ({ ...block, id: block.id ?? randomUUID() })))),
  };
}

/** Site with a change of it. */
export function applyChange<Stored extends SiteRow & { blocks: readonly Block[] }>(
  stored: Stored,
  change: SiteChange,
): Stored {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  return { ...stored, ...Object.fromEntries(given) };
}

/** Changes a site, all or nothing, keeps what it is then as a version, and returns whether that is another. */
export function changeSite(
  db: Kysely<Database>,
  accountId: string,
  sent: UpdateSiteConfigurationRequest,
): Promise<boolean> {
  const change = toSiteChange(sent);
  return inTransaction(db, async (trx) => {
    await lockAccount(trx, accountId);
    return writeSite(trx, accountId, change);
  });
}

/** Writes a site that nobody else writes until the end of the transaction. */
export async function writeSite(
  trx: Transaction<Database>,
  accountId: string,
  { blocks, ...details }: SiteChange,
): Promise<boolean> {
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
  return keepSiteVersion(trx, accountId, {
    limit: LIMITS.siteVersions,
    bytes: LIMITS.siteVersionsBytes,
  });
}

/** Gives a step of the change its own failure; what asks for a retry or is the caller's passes through. */
async function withStepError<T>(
  toError: (about: Circumstances) => RefusalError,
  step: Promise<T>,
): Promise<T> {
  try {
    return await step;
  } catch (error) {
    if (isRetryable(error) || isInvalidValue(error) || isForeignKeyViolation(error)) throw error;
    throw toError(failedBy(error));
  }
}
