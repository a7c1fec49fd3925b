import {
  type ProjectRow,
  closeProject,
  deleteClosedProject,
} from '../../../db/queries/projects.ts';
import { raiseSiteVersion } from '../../../db/queries/sites/sites.ts';
import type { InStep } from '../deletion.ts';
import { demandProject } from './demand-project.ts';

/** Deletes a project with its metrics; refuses if there is none. It is closed first. */
export async function deleteProject(inStep: InStep, id: string): Promise<ProjectRow> {
  const project = await inStep('begun', async (trx) => {
    const closed = demandProject(id, await closeProject(trx, id));
    await raiseSiteVersion(trx, id);
    return closed;
  });
  await inStep('done', (trx) => deleteClosedProject(trx, id));
  return project;
}
