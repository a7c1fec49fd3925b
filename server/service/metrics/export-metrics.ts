import type { Kysely } from 'kysely';
import type { ExportFormat } from '../../../contract/metric-range.ts';
import { listMetrics } from '../../../db/queries/metrics/metrics.ts';
import { findProject } from '../../../db/queries/projects.ts';
import type { Database } from '../../../db/schema.ts';
import { demandProject } from '../projects/demand-project.ts';
import { writeRecords } from './export-format.ts';

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
  demandProject(range.projectId, await findProject(db, range.projectId));
  return writeRecords(listMetrics(db, range), format);
}
