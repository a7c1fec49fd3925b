import type { Handlers } from '#server/platform/http/contract/register-contract.ts';
import { findDisplayName } from '#db/queries/display-names.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import { paginate } from '#server/platform/paginate.ts';
import { type reports, REPORT_IDS_REFUSALS } from '#contract/owner/reports.ts';
import { listReports, setReportsDismissed } from '#db/queries/reports.ts';
import { hasRow } from '#db/queries/rows.ts';
import { serializeTimes } from '#server/platform/http/responses/serialize-times.ts';

export const reportRoutes: Handlers<typeof reports> = {
  listReports: async ({
    readDb,
    query: { state, account_id: accountId, limit, after },
    refuse,
  }) => {
    if (after !== undefined && !(await hasRow(readDb, 'reports', after)))
      throw refuse('cursorInvalid');
    const page = { isOpen: state === 'open', limit: limit + 1, accountId, after };
    const { entries, next } = paginate(
      await listReports(readDb, page),
      limit,
      ({ suspended_at, page_suspended_at, ...report }) => ({
        ...serializeTimes(report),
        account_suspended: suspended_at !== null,
        page_suspended: page_suspended_at !== null,
      }),
    );
    return { reports: entries, next };
  },

  closeReports: async (context) => ({ closed: await setDismissed(context, true) }),

  reopenReports: async (context) => ({ reopened: await setDismissed(context, false) }),
};

const refuseReports = createRefuser(REPORT_IDS_REFUSALS);

/** Resolves to the number of reports. */
async function setDismissed(
  { accountId, db, audit, body }: Parameters<Handlers<typeof reports>['closeReports']>[0],
  isDismissed: boolean,
): Promise<number> {
  const by = (await findDisplayName(db, accountId)) ?? null;
  const changed = await setReportsDismissed(db, body.report_ids, { isDismissed, by });
  if (changed.length === 0) throw refuseReports('reportNotFound');
  const accounts = new Map(changed.map(({ account_id, name }) => [account_id, name]));
  const [account_id = null] = accounts.keys();
  // An audit entry has only one account, so several accounts are listed in its detail.
  audit({
    account_id: accounts.size === 1 ? account_id : null,
    detail: {
      reports: changed.length,
      ...(accounts.size > 1 && { accounts: [...accounts].map(([id, name]) => name ?? id) }),
    },
  });
  return changed.length;
}
