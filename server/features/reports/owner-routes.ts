import type { reports } from '#contract/owner/reports.ts';
import { dismissReports, listOpenReports } from '#db/queries/reports.ts';
import { hasRow } from '#db/queries/rows.ts';
import type { Handlers } from '#server/platform/http/contract/register-contract.ts';
import { serializeTimes } from '#server/platform/http/responses/serialize-times.ts';
import { paginate } from '#server/platform/paginate.ts';

export const reportRoutes: Handlers<typeof reports> = {
  listReports: async ({ readDb, query: { account_id: accountId, limit, after }, refuse }) => {
    if (after !== undefined && !(await hasRow(readDb, 'reports', after)))
      throw refuse('cursorInvalid');
    const { entries, next } = paginate(
      await listOpenReports(readDb, { limit: limit + 1, accountId, after }),
      limit,
      ({ suspended_at, page_suspended_at, ...report }) => ({
        ...serializeTimes(report),
        account_suspended: suspended_at !== null,
        page_suspended: page_suspended_at !== null,
      }),
    );
    return { reports: entries, next };
  },

  closeReports: async ({ db, audit, body, refuse }) => {
    const closed = await dismissReports(db, body.report_ids);
    if (closed.length === 0) throw refuse('reportNotFound');
    const accounts = new Map(closed.map(({ account_id, name }) => [account_id, name]));
    const [account_id = null] = accounts.keys();
    // An audit entry has only one account, so several accounts are listed in its detail.
    audit({
      account_id: accounts.size === 1 ? account_id : null,
      detail: {
        reports: closed.length,
        ...(accounts.size > 1 && { accounts: [...accounts].map(([id, name]) => name ?? id) }),
      },
    });
    return { closed: closed.length };
  },
};
