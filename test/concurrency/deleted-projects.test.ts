import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '#db/connections/handles.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { deleteAccount } from '#db/queries/accounts.ts';
import { closeOwnProject } from '#db/queries/projects.ts';
import { sweepProjects } from '#server/features/projects/projects.ts';
import { send } from '../support/call.ts';
import { waitForBlockedQuery } from '../support/database-locks.ts';
import type { TestAccount } from '../support/test-app.ts';
import { useTwoServers } from './support/two-servers.ts';

const FORBIDDEN = { status: 403, body: { error: 'The project does not belong to you.' } };

const servers = useTwoServers();
let db: Database;
let account: TestAccount;
let projectId: string;
beforeAll(() => {
  ({ db } = servers.first.database);
});

async function deleteProject(): Promise<void> {
  await inTransaction(db, (trx) => closeOwnProject(trx, account.id, projectId));
  await sweepProjects(db);
}

async function createProject(): Promise<void> {
  [account] = (await servers.createAccounts(1)) as [TestAccount];
  projectId = await servers.first.createProject(account);
}

async function ingest(key?: string) {
  const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key };
  const [path, metric] = ['POST /stats/ingest-metrics', { projectId, payload: {} }] as const;
  const { status, body } = await send(servers.second, account, path, metric, headers);
  return { status, body };
}

describe.each([
  ['plain', undefined],
  ['keyed', 'first'],
])('a %s metric', (kind, key) => {
  beforeAll(createProject);

  it(`a ${kind} metric that is in flight while its project is deleted gets 403`, async () => {
    const pending = await db.transaction().execute(async (trx) => {
      await trx.deleteFrom('projects').where('id', '=', projectId).execute();
      const response = ingest(key);
      await waitForBlockedQuery(db);
      return { response };
    });
    expect(await pending.response).toEqual(FORBIDDEN);
  });

  it(`a ${kind} metric is refused as soon as its project's deletion has started`, async () => {
    await createProject();
    const { deletion } = await db.transaction().execute(async (trx) => {
      // Locks the row like an in-flight metric.
      await sql`SELECT FROM projects WHERE id = ${projectId} FOR KEY SHARE`.execute(trx);
      const pendingDeletion = deleteProject();
      await waitForBlockedQuery(db);
      expect(await ingest(key)).toEqual(FORBIDDEN);
      return { deletion: pendingDeletion };
    });
    await deletion;
    const projects = db.selectFrom('projects').where('id', '=', projectId).select('id');
    expect(await projects.execute()).toEqual([]);
  });
});

it('a metric that is in flight while its account is deleted gets 401', async () => {
  await createProject();
  const pending = await db.transaction().execute(async (trx) => {
    await deleteAccount(trx, account.id);
    const response = ingest();
    await waitForBlockedQuery(db);
    return { response };
  });
  expect(await pending.response).toMatchObject({ status: 401 });
});
