import { findSiteVersion, listSiteVersions } from '#db/queries/site-versions.ts';
import {
  findPageVisibility,
  findSiteChoices,
  findSiteConfiguration,
  isSiteEnabled,
} from '#db/queries/sites.ts';
import { jsonFile, ndjsonFile } from '#server/platform/archive-file.ts';
import { defineFeature } from '../define-feature.ts';
import { metrics } from '../metrics/feature.ts';
import { pageRoutes } from './owner-routes.ts';
import { siteRoutes } from './routes.ts';
import { answeredFormMail, visitorMessageMail } from './visitor-message-mail.ts';

export const sites = defineFeature({
  name: 'sites',
  needs: [metrics],
  routes: { public: { site: siteRoutes }, owner: { page: pageRoutes } },
  mails: [visitorMessageMail, answeredFormMail],
  accountTables: {
    blocks: 'not exported: part of the site',
    // Like `instance.listing`, nothing has used it since 0.4.0, and 0.5.0 drops both.
    listings: 'not exported: no longer used',
    site_versions: 'exported',
    sites: 'exported',
  },
  exportFiles: (db, { accountId }) => [
    jsonFile('site.json', 'The current site, and whether it is visible.', async () => ({
      enabled: await isSiteEnabled(db, accountId),
      for_members: (await findPageVisibility(db, accountId)) === 'members',
      ...(await findSiteChoices(db, accountId)),
      ...(await findSiteConfiguration(db, accountId)),
    })),
    ndjsonFile('site-versions.ndjson', 'The latest versions of the site.', async function* () {
      for (const { version } of await listSiteVersions(db, accountId)) {
        const siteVersion = await findSiteVersion(db, accountId, version);
        if (siteVersion) yield siteVersion;
      }
    }),
  ],
});
