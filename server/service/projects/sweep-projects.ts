import type { Kysely } from 'kysely';
import { deleteSomeMetrics } from '../../../db/queries/metrics/metrics.ts';
import { deleteClosedProject, listClosedProjects } from '../../../db/queries/projects.ts';
import type { Database } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/connections/transaction.ts';

const PROJECTS = 1_000;
/** Deleted in a moment, so that nobody who writes waits for it. */
const METRICS = 5_000;

/** Deletes closed projects with their metrics, little by little. */
export async function sweepProjects(db: Kysely<Database>): Promise<void> {
  for (const id of await listClosedProjects(db, PROJECTS)) {
    let deleted = METRICS;
    while (deleted === METRICS) deleted = await deleteSomeMetrics(db, { projectId: id }, METRICS);
    await inTransaction(db, (trx) => deleteClosedProject(trx, id));
  }
}
