import type { Transaction } from 'kysely';
import { PROJECT_ALLOWANCE } from '../../../contract/owner/projects.ts';
import { lockAccount } from '../../../db/queries/accounts.ts';
import { type ProjectRow, countProjects, insertProject } from '../../../db/queries/projects.ts';
import type { Database } from '../../../db/schema.ts';
import { refuserOf } from '../refusal.ts';

const refuse = refuserOf(PROJECT_ALLOWANCE);

/** Makes a project of an account that has fewer than `limit`; 0 is any number. */
export async function addProject(
  trx: Transaction<Database>,
  { accountId, name }: { accountId: string; name: string },
  limit: number,
): Promise<ProjectRow> {
  // Others that are made at the same time are counted, too.
  await lockAccount(trx, accountId);
  if (limit > 0 && (await countProjects(trx, accountId)) >= limit)
    throw refuse('projectLimitReached', { limit });
  return insertProject(trx, accountId, name);
}
