import { listDomains } from '#db/queries/domains.ts';
import { jsonFile } from '#server/platform/archive-file.ts';
import { formatStored } from '#server/platform/text/language.ts';
import { domainCheckJob } from './custom-domains.ts';
import { DOMAIN_PROBLEMS } from './domain-problem.ts';
import { defineFeature } from '../define-feature.ts';

export const domains = defineFeature({
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
