import { randomUUID } from 'node:crypto';
import type { contract } from '../../../contract/index.ts';
import { THEMES } from '../../../contract/themes.ts';
import { lockAccount } from '../../../db/queries/accounts.ts';
import { deleteBlocksExcept, upsertBlocks } from '../../../db/queries/blocks.ts';
import {
  findSiteConfiguration,
  findSiteEnabled,
  toggleSiteEnabled,
  upsertSite,
} from '../../../db/queries/sites.ts';
import { isMissingReference, isRetryable, isUnstorable } from '../../../db/sql-state.ts';
import { inTransaction } from '../../../db/transaction.ts';
import type { Handlers } from '../../http/adapter.ts';
import { failedBy } from '../../http/error-answer.ts';
import type { Circumstances, RefusalError } from '../../service/refusal.ts';

/** The personal site. */
export const siteRoutes: Handlers<typeof contract.site> = {
  getSiteConfiguration: async ({ accountId, db }) => {
    const { site, blocks } = await findSiteConfiguration(db, accountId);
    const themes = THEMES.find((theme) => theme.id === site.theme_id) ?? null;
    return {
      status: 200,
      body: { site: { ...site, themes }, blocks, availableThemes: [...THEMES] },
    };
  },

  updateSiteConfiguration: async ({ accountId, body, db, refuse }) => {
    const { blocks, ...sent } = body;
    const details = {
      ...sent,
      // An empty string clears these two, as null does.
      ...(sent.avatar_url === '' && { avatar_url: null }),
      ...(sent.theme_id === '' && { theme_id: null }),
    };
    const withIds = blocks?.map((block) => ({ ...block, id: block.id ?? randomUUID() }));
    await inTransaction(db, async (trx) => {
      await lockAccount(trx, accountId);
      await upsertSite(trx, accountId, details);
      if (!withIds) return;
      await failingAs(
        (about) => refuse('blocksNotSaved', about),
        upsertBlocks(trx, accountId, withIds),
      );
      const ids = withIds.map((block) => block.id);
      await failingAs(
        (about) => refuse('blocksNotRemoved', about),
        deleteBlocksExcept(trx, accountId, ids),
      );
    });
    return { status: 200, body: { success: true } };
  },

  getSiteStatus: async ({ accountId, db }) => ({
    status: 200,
    body: { enabled: await findSiteEnabled(db, accountId) },
  }),

  toggleSiteVisibility: async ({ accountId, db }) => ({
    status: 200,
    body: { success: true, newStatus: await toggleSiteEnabled(db, accountId) },
  }),
};

/** Gives a step of the update its own failure; what asks for a retry or is the caller's passes through. */
async function failingAs<T>(
  toError: (about: Circumstances) => RefusalError,
  step: Promise<T>,
): Promise<T> {
  try {
    return await step;
  } catch (error) {
    if (isRetryable(error) || isUnstorable(error) || isMissingReference(error)) throw error;
    throw toError(failedBy(error));
  }
}
