import type { Kysely } from 'kysely';
import { listMetrics, projectExists } from '../../../db/queries/metrics.ts';
import type { Database } from '../../../db/schema.ts';
import { RequestError } from '../request-error.ts';
import { type ExportFormat, writeRecords } from './export-format.ts';

/**
 * The metrics of a project as text, oldest first and read as it is asked for, from `since` on and
 * before `until` (both ISO 8601); throws 404 if there is no such project.
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
    throw new RequestError(404, `There is no project ${range.projectId}.`);
  return writeRecords(listMetrics(db, range), format);
}
