import type { contract } from '#contract/index.ts';
import { AccountDeletedError } from '#db/account-deleted.ts';
import { lockAccount } from '#db/queries/accounts.ts';
import { findSiteConfigurations, isSiteEnabled, toggleSite } from '#db/queries/sites.ts';
import type { Core } from '#server/core.ts';
import { credentialId } from '#server/platform/caller.ts';
import type { Handlers } from '#server/platform/http/contract/register-contract.ts';
import { batchLookup } from '#server/platform/limits/batch-lookup.ts';
import { logEvent } from '../events/log-event.ts';
import type { React } from '../facts.ts';
import { changeSite } from './change-site.ts';
import { listThemes } from './club-theme.ts';
import { afterSave } from './save-site.ts';
import { serializeSite } from './site-response.ts';

/** Small, because sites may be large. */
const BATCH_SIZE = 8;

export function siteRoutes(app: Core & { react: React }): Handlers<typeof contract.site> {
  const siteDb = app.queues.reads.databaseFor('sites');
  const findSite = batchLookup((accountIds) => findSiteConfigurations(siteDb, accountIds), {
    gate: 'sites',
    maxKeysPerBatch: BATCH_SIZE,
  });
  return {
    getSiteConfiguration: async ({ accountId }) => {
      const configuration = await findSite(accountId);
      if (!configuration) throw new AccountDeletedError();
      const availableThemes = await listThemes(app);
      return { ...serializeSite(configuration, availableThemes), availableThemes };
    },

    updateSiteConfiguration: async ({ accountId, credential, body, db }) => {
      if (await changeSite(db, accountId, body))
        await afterSave(db, app, { accountId, by: credentialId(credential) });
    },

    getSiteStatus: async ({ accountId, readDb }) => ({
      enabled: await isSiteEnabled(readDb, accountId),
    }),

    toggleSiteVisibility: async ({ accountId, credential, db }) => {
      // Uses two statements, because Citus cannot change a distributed table and another table in
      // one statement.
      await lockAccount(db, accountId);
      const enabled = await toggleSite(db, accountId);
      if (enabled === undefined) return { success: true, newStatus: false };
      const detail = { enabled, by: credentialId(credential) };
      const event = { accountId, type: 'page_visibility_changed', detail } as const;
      await logEvent(db, app, event);
      return { success: true, newStatus: enabled };
    },
  };
}
