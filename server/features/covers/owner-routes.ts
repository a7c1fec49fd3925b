import type { covers } from '#contract/owner/covers.ts';
import { picturePath } from '#contract/shared/pictures.ts';
import { changeCover, listCovers } from '#db/queries/covers.ts';
import type { Core } from '#server/core.ts';
import type { Handlers } from '#server/platform/http/contract/register-contract.ts';
import { retryAfter } from '#server/platform/limits/allowances/retry-after.ts';
import { addLookups } from './cover-job.ts';

const REMOVED = { state: 'removed', title: null, picture_id: null } as const;

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

    updateCover: async ({ accountId, db, body: { url, removed }, refuse }) => {
      const change = removed ? REMOVED : { state: 'pending' as const };
      if (!(await changeCover(db, { accountId, url }, change))) throw refuse('coverNotFound');
      const waitMs = removed ? undefined : await addLookups(db, app, accountId, [url]);
      // The refusal rolls the change back.
      if (waitMs !== undefined) throw refuse('coverRateLimited', retryAfter(waitMs));
    },
  };
}
