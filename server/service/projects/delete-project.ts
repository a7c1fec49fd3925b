import {
  type ProjectRow,
  closeProject,
  deleteClosedProject,
} from '../../../db/queries/projects.ts';
import type { InStep } from '../deletion.ts';
import { demandProject } from './demand-project.ts';

/** Deletes a project with its metrics; refuses if there is none. It is closed first. */
export async function deleteProject(inStep: InStep, id: string): Promise<ProjectRow> {
  const project = await inStep('begun', async (trx) =>
    demandProject(id, await closeProject(trx, id)),
  );
  await inStep('done', (trx) => deleteClosedProject(trx, id));
  return project;
}
