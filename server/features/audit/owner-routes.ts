import type { auditEntries } from '#contract/owner/audit-entries.ts';
import { listAuditEntries } from '#db/queries/audit-log.ts';
import { hasRow } from '#db/queries/rows.ts';
import type { Handlers } from '#server/platform/http/contract/register-contract.ts';
import { serializeTimes } from '#server/platform/http/responses/serialize-times.ts';
import { paginate } from '#server/platform/paginate.ts';

export const auditRoutes: Handlers<typeof auditEntries> = {
  listAuditEntries: async ({ readDb, query, refuse }) => {
    const { account_id: account, action: area, limit, after } = query;
    if (after !== undefined && !(await hasRow(readDb, 'audit_log', after)))
      throw refuse('cursorInvalid');
    const rows = await listAuditEntries(readDb, { account, area, limit: limit + 1, after });
    const { entries, next } = paginate(rows, limit, serializeTimes);
    return { entries, next };
  },
};
