import { PROJECT_LIMIT_REFUSALS } from '#contract/owner/projects.ts';
import { lockAccount } from '#db/queries/accounts.ts';
import {
  closeProject,
  countProjects,
  deleteClosedProject,
  insertProject,
  listClosedProjects,
  type ProjectRow,
} from '#db/queries/projects.ts';
import type { Database, Transaction } from '#db/connections/handles.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import { bumpSiteVersion } from '#db/queries/sites.ts';
import type { RunDeletionStep } from '#server/features/accounts/deletion.ts';
import { deleteSomeMetrics } from '#db/queries/metrics.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { refusal } from '#contract/refusal.ts';

const refuse = createRefuser({
  ...PROJECT_LIMIT_REFUSALS,
  projectUnknown: refusal(404, 'No project has the id.', 'There is no project {project}.', {
    project: '3f0c6a0e-6b57-4f0b-9a51-8a2d1f0e7c11',
  }),
});

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

export async function deleteProject(runStep: RunDeletionStep, id: string): Promise<ProjectRow> {
  const project = await runStep('started', async (trx) => {
    const closed = requireProject(id, await closeProject(trx, id));
    await bumpSiteVersion(trx, id);
    return closed;
  });
  await runStep('done', (trx) => deleteClosedProject(trx, id));
  return project;
}

export async function sweepProjects(db: Database): Promise<void> {
  for (const id of await listClosedProjects(db, PROJECTS_PER_SWEEP)) {
    let deleted = BATCH_SIZE;
    while (deleted === BATCH_SIZE)
      deleted = await deleteSomeMetrics(db, { projectId: id }, BATCH_SIZE);
    await inTransaction(db, (trx) => deleteClosedProject(trx, id));
  }
}

export function requireProject<Project extends ProjectRow>(
  id: string,
  project: Project | undefined,
): Project {
  if (!project) throw refuse('projectUnknown', { project: id });
  return project;
}
