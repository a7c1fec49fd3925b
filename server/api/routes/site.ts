import type { contract } from '../../../contract/index.ts';
import { THEMES } from '../../../contract/themes.ts';
import {
  findSiteConfiguration,
  findSiteEnabled,
  toggleSiteEnabled,
} from '../../../db/queries/sites.ts';
import type { Handlers } from '../../http/adapter.ts';
import { changeSite } from '../../service/sites/change-site.ts';
import { withTheme } from '../../service/sites/with-theme.ts';

/** The personal site. */
export const siteRoutes: Handlers<typeof contract.site> = {
  getSiteConfiguration: async ({ accountId, db }) => {
    const { site, blocks } = await findSiteConfiguration(db, accountId);
    return {
      status: 200,
      body: { site: withTheme(site), blocks, availableThemes: [...THEMES] },
    };
  },

  updateSiteConfiguration: async ({ accountId, body, db }) => {
    await changeSite(db, accountId, body);
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
