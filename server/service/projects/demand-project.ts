import { refusal } from '../../../contract/refusal.ts';
import type { ProjectRow } from '../../../db/queries/projects.ts';
import { refuserOf } from '../refusal.ts';

const refuse = refuserOf({
  projectUnknown: refusal(404, 'No project has the id.', 'There is no project {project}.', {
    project: '3f0c6a0e-6b57-4f0b-9a51-8a2d1f0e7c11',
  }),
});

/** Returns the project that a query found; refuses if there is none. */
export function demandProject<Project extends ProjectRow>(
  id: string,
  project: Project | undefined,
): Project {
  if (!project) throw refuse('projectUnknown', { project: id });
  return project;
}
