import { PROJECT_LIMIT_REFUSALS } from '#contract/owner/projects.ts';
import type { Database, Transaction } from '#db/connections/handles.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { lockAccount } from '#db/queries/accounts.ts';
import { deleteSomeMetrics } from '#db/queries/metrics.ts';
import {
  countProjects,
  deleteClosedProject,
  insertProject,
  listClosedProjects,
  type ProjectRow,
} from '#db/queries/projects.ts';
import { createRefuser } from '#server/platform/refusal.ts';

const refuse = createRefuser(PROJECT_LIMIT_REFUSALS);

const PROJECTS_PER_SWEEP = 1_000;
/** Small, so that deletions do not block writers. */
const BATCH_SIZE = 5_000;

export async function addProject(
  trx: Transaction,
  { accountId, name }: { accountId: string; name: string },
  limit: number,
): Promise<ProjectRow> {
  // Serializes concurrent requests, so that together they cannot exceed the limit.
  await lockAccount(trx, accountId);
  if (limit > 0 && (await countProjects(trx, accountId)) >= limit)
    throw refuse('projectLimitReached', { limit });
  return insertProject(trx, accountId, name);
}

export async function sweepProjects(db: Database): Promise<void> {
  for (const id of await listClosedProjects(db, PROJECTS_PER_SWEEP)) {
    let deleted = BATCH_SIZE;
    while (deleted === BATCH_SIZE)
      deleted = await deleteSomeMetrics(db, { projectId: id }, BATCH_SIZE);
    await inTransaction(db, (trx) => deleteClosedProject(trx, id));
  }
}
