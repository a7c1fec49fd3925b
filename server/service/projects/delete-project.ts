import type { Kysely } from 'kysely';
import {
  type ProjectRow,
  closeProject,
  deleteClosedProject,
} from '../../../db/queries/projects.ts';
import type { Database } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { demandProject } from './demand-project.ts';

/**
 * Deletes a project with its metrics; refuses if there is none. It is closed first, so that nobody
 * who sends metrics to it can hold up the deletion; one that was cut off is begun again.
 */
export async function deleteProject(db: Kysely<Database>, id: string): Promise<ProjectRow> {
  const project = demandProject(id, await closeProject(db, id));
  await inTransaction(db, (trx) => deleteClosedProject(trx, id));
  return project;
}
