import type { Kysely } from 'kysely';
import { refusal } from '../../../contract/refusal.ts';
import { listMetrics, projectExists } from '../../../db/queries/metrics.ts';
import type { Database } from '../../../db/schema.ts';
import { refuserOf } from '../refusal.ts';
import { type ExportFormat, writeRecords } from './export-format.ts';

const refuse = refuserOf({
  projectUnknown: refusal(404, 'No project has the id.', 'There is no project {project}.', {
    project: '3f0c6a0e-6b57-4f0b-9a51-8a2d1f0e7c11',
  }),
});

/**
 * The metrics of a project as text, oldest first and read as it is asked for, from `since` on and
 * before `until` (both ISO 8601); refuses if there is no such project.
 */
export async function exportMetrics(
  db: Kysely<Database>,
  options: {
    projectId: string;
    format: ExportFormat;
    since?: string | undefined;
    until?: string | undefined;
  },
): Promise<AsyncGenerator<string>> {
  const { format, ...range } = options;
  if (!(await projectExists(db, range.projectId)))
    throw refuse('projectUnknown', { project: range.projectId });
  return writeRecords(listMetrics(db, range), format);
}
