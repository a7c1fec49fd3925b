import type { CompiledQuery } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import type { Database } from '#db/connections/handles.ts';
import { createMetricGroupCommit } from '#server/features/metrics/metric-writer.ts';
import type { TestAccount } from '../support/test-app.ts';
import { useServer } from '../support/use-server.ts';

const { server } = useServer();
const accounts: (TestAccount & { projectId: string })[] = [];
beforeAll(async () => {
  for (let count = 0; count < 3; count += 1) {
    const account = await server.createAccount();
    accounts.push({ ...account, projectId: await server.createProject(account) });
  }
});

/** Records the arrays of each statement that inserts metrics. */
function recordInserts(db: Database) {
  const inserts: { accountIds: string[]; payloads: string[] }[] = [];
  const executeQuery = (query: CompiledQuery) => {
    const [accountIds, , payloads] = query.parameters as string[][];
    inserts.push({ accountIds: accountIds!, payloads: payloads! });
    return db.executeQuery(query);
  };
  return { recorder: { executeQuery } as Database, inserts };
}

/** Writes metrics of these lengths at once. Returns the length and accounts of each statement. */
async function writeAndListGroups(batches: [account: number, length: number, times: number][]) {
  const { db, queues } = server.database;
  const { recorder, inserts } = recordInserts(db);
  const groups = createMetricGroupCommit(recorder, queues.writes);
  const results = await Promise.all(
    batches.flatMap(([index, length, count]) =>
      Array.from({ length: count }, () => {
        const { id: accountId, projectId } = accounts[index]!;
        const payload = JSON.stringify({ text: 'x'.repeat(length) });
        return groups.write({ accountId, projectId, payload, characters: payload.length });
      }),
    ),
  );
  expect(results).toEqual(results.map(() => true));
  return inserts.map(({ accountIds, payloads }) => ({
    length: payloads.join('').length,
    accountIndexes: accountIds.map((accountId) => accounts.findIndex(({ id }) => id === accountId)),
  }));
}

it('concurrent metrics are written in groups of at most 100, filled from each account in turn', async () => {
  const groups = await writeAndListGroups([
    [0, 10, 250],
    [1, 10, 2],
    [2, 10, 1],
  ]);
  expect(groups.map(({ accountIndexes }) => accountIndexes.length)).toEqual([100, 100, 53]);
  expect(groups[0]!.accountIndexes.slice(0, 6)).toEqual([0, 1, 2, 0, 1, 0]);
});

it('concurrent metrics are written in groups of at most 256 Ki characters, and a longer one by itself', async () => {
  const groups = await writeAndListGroups([
    [0, 300_000, 2],
    [1, 100_000, 5],
    [2, 10, 1],
  ]);
  const owners = groups.map((group) => group.accountIndexes).toSorted((a, b) => a[0]! - b[0]!);
  expect(owners).toEqual([[0], [0], [1, 2, 1], [1, 1], [1]]);
  for (const { length, accountIndexes: groupAccounts } of groups)
    if (groupAccounts.length > 1) expect(length).toBeLessThan(263_000);
});

it.each([1, 2])('metrics are tried again after a deadlock, in a group of %s', async (count) => {
  const { db, queues } = server.database;
  let failures = count + 1;
  const executeQuery = (query: CompiledQuery) => {
    failures -= 1;
    if (failures >= 0) throw Object.assign(new Error('deadlock detected'), { code: '40P01' });
    return db.executeQuery(query);
  };
  const groups = createMetricGroupCommit({ executeQuery } as Database, queues.writes);
  const { id: accountId, projectId } = accounts[0]!;
  const write = () => groups.write({ accountId, projectId, payload: '{}', characters: 2 });
  expect(await Promise.all(Array.from({ length: count }, write))).not.toContain(false);
});
