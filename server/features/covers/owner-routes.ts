import type { covers } from '#contract/owner/covers.ts';
import { picturePath } from '#contract/shared/pictures.ts';
import { listCovers, restartCover, storeCover } from '#db/queries/covers.ts';
import type { Core } from '#server/core.ts';
import type { Handlers } from '#server/platform/http/contract/register-contract.ts';
import { retryAfter } from '#server/platform/limits/allowances/retry-after.ts';
import { addLookup, countLookup } from './cover-job.ts';

const REMOVED = { state: 'removed', problem: null, title: null, picture_id: null } as const;

export function coverRoutes(app: Core): Handlers<typeof covers> {
  return {
    listCovers: async ({ accountId, readDb }) => {
      const rows = await listCovers(readDb, accountId);
      return {
        covers: rows.map(({ picture_id: id, ...cover }) => ({
          ...cover,
          picture_url: id === null ? null : `${app.pagesOrigin()}${picturePath(id)}`,
        })),
      };
    },

    updateCover: async ({ accountId, db, body: { url }, refuse }) => {
      if (!(await restartCover(db, { accountId, url }))) throw refuse('coverNotFound');
      const waitMs = countLookup(accountId);
      if (waitMs !== undefined) throw refuse('coverRateLimited', retryAfter(waitMs));
      await addLookup(db, app, { accountId, url });
    },

    deleteCover: async ({ accountId, db, body: { url }, refuse }) => {
      if (!(await storeCover(db, { accountId, url }, REMOVED))) throw refuse('coverNotFound');
    },
  };
}
