import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import type { Database, Transaction } from '#db/connections/handles.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { deleteAccount } from '#db/queries/accounts.ts';
import { insertEvent } from '#db/queries/events.ts';
import { insertMetrics } from '#db/queries/metrics.ts';
import { deleteClosedProject } from '#db/queries/projects.ts';
import { waitForBlockedQuery } from '../support/database-locks.ts';
import type { TestAccount } from '../support/test-app.ts';
import { useTwoServers } from './support/two-servers.ts';

const servers = useTwoServers();
let db: Database;
let account: TestAccount;
let projectId: string;
beforeAll(async () => {
  db = servers.separateConnections.db;
  const file = await readFile(new URL('../../db/citus.sql', import.meta.url), 'utf8');
  for (const [statement] of file.matchAll(/^ALTER TABLE \w+ DROP CONSTRAINT \w+;$/gm))
    await sql.raw(statement).execute(db);
  account = await servers.first.createAccount();
  projectId = await servers.first.createProject(account);
});

/** Runs a deletion while a transaction that has written a metric is still open. */
async function deleteWhileWriting(deleteRows: (trx: Transaction) => Promise<void>) {
  const { deletion } = await db.transaction().execute(async (trx) => {
    const idempotencyClaim = {
      accountId: account.id,
      keyHash: randomUUID(),
      bodyHash: randomUUID(),
    };
    const metric = { accountId: account.id, projectId, payload: '{}', idempotencyClaim };
    expect(await insertMetrics(trx, [metric])).toEqual(new Set([metric]));
    const pendingDeletion = inTransaction(servers.first.db, deleteRows);
    await waitForBlockedQuery(trx);
    return { deletion: pendingDeletion };
  });
  await deletion;
}

async function countRows(): Promise<unknown> {
  const { rows } = await sql`
    SELECT (SELECT count(*)::int FROM metrics) AS metrics,
      (SELECT count(*)::int FROM metric_keys) AS keys,
      (SELECT count(*)::int FROM events) AS events`.execute(db);
  return rows[0];
}

it('a deleted project leaves no metrics, including in-flight ones', async () => {
  await deleteWhileWriting((trx) => deleteClosedProject(trx, projectId));
  expect(await countRows()).toEqual({ metrics: 0, keys: 1, events: 0 });
});

it('a deleted account leaves no metrics, keys of metrics and events', async () => {
  projectId = await servers.first.createProject(account);
  await insertEvent(db, {
    accountId: account.id,
    type: 'display_name_updated',
    outcome: 'succeeded',
    detail: {},
  });
  expect(await countRows()).toEqual({ metrics: 0, keys: 1, events: 1 });
  await deleteWhileWriting((trx) => deleteAccount(trx, account.id));
  expect(await countRows()).toEqual({ metrics: 0, keys: 0, events: 0 });
});
