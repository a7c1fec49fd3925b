import { listDomains } from '#db/queries/domains.ts';
import type { Core } from '#server/core.ts';
import { jsonFile } from '#server/platform/archive-file.ts';
import { formatStored } from '#server/platform/text/language.ts';
import { defineFeature } from '../define-feature.ts';
import { createCustomDomains, domainCheckJob } from './custom-domains.ts';
import { findDomainState } from './domain-finding.ts';
import { DOMAIN_PROBLEMS } from './domain-problem.ts';
import { domainRoutes } from './owner-routes.ts';

export const domains = defineFeature({
  name: 'domains',
  optional: true,
  service: (app: Core) => createCustomDomains(app),
  findings: [findDomainState],
  routes: { owner: { domains: domainRoutes } },
  jobs: [domainCheckJob],
  accountTables: { domains: 'exported' },
  exportFiles: (db, { accountId }) => [
    jsonFile('domains.json', 'The custom domains.', async () =>
      (await listDomains(db, accountId)).map((domain) => ({
        ...domain,
        problem: formatStored(DOMAIN_PROBLEMS, domain.problem),
      })),
    ),
  ],
});
