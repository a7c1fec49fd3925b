import { listCovers } from '#db/queries/covers.ts';
import type { Core } from '#server/core.ts';
import { jsonFile } from '#server/platform/archive-file.ts';
import { defineFeature } from '../define-feature.ts';
import { createCoverFetcher } from './cover-fetcher.ts';
import { coverJob, requestCovers } from './cover-job.ts';
import { coverRoutes } from './owner-routes.ts';

export const covers = defineFeature({
  name: 'covers',
  optional: true,
  service: ({ config: { PAGES_URL, PUBLIC_URL } }: Core) =>
    createCoverFetcher({ pagesUrl: PAGES_URL ?? PUBLIC_URL }),
  reactions: { siteSaved: requestCovers },
  routes: { owner: { pictures: coverRoutes } },
  jobs: [coverJob],
  accountTables: { covers: 'exported' },
  exportFiles: (db, { accountId }) => [
    jsonFile('covers.json', 'Titles and covers of linked films and sounds.', () =>
      listCovers(db, accountId),
    ),
  ],
});
