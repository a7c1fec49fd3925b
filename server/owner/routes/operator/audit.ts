import type { operatorAudit } from '../../../../contract/owner/operator-audit.ts';
import { hasAuditEntry, listAuditEntries } from '../../../../db/queries/audit.ts';
import type { Handlers } from '../../../http/contract/adapter.ts';
import { batchOf } from '../batch.ts';

export const operatorAuditRoutes: Handlers<typeof operatorAudit> = {
  listAuditTrail: async ({ reads, query: { accountId: account, limit, after }, refuse }) => {
    if (after !== undefined && !(await hasAuditEntry(reads, after))) throw refuse('cursorInvalid');
    const found = await listAuditEntries(reads, { account, limit: limit + 1, after });
    const { entries, next } = batchOf(found, {
      limit,
      idOf: ({ id }) => id,
      toEntry: ({ id, who, via, action, account_id, name, detail, created_at }) => ({
        ...{ id, who, via, action, account_id, name, detail },
        created_at: created_at.toISOString(),
      }),
    });
    return { status: 200, body: { entries, next } };
  },
};
