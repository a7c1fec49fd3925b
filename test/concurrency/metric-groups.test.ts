import type { KyselyPlugin } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
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

function recordParameters(): { plugin: KyselyPlugin; parameters: string[] } {
  const parameters: string[] = [];
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      if (node.kind === 'RawNode')
        parameters.push((node.parameters[0] as unknown as { value: string }).value);
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  };
  return { plugin, parameters };
}

describe('concurrent metrics', () => {
  /** Writes metrics of these lengths at once. Returns the length and accounts of each statement. */
  async function writeAndListGroups(batches: [account: number, length: number, times: number][]) {
    const { plugin, parameters } = recordParameters();
    const { db, queues } = server.database;
    const groups = createMetricGroupCommit(db.withPlugin(plugin), queues.writes);
    const results = await Promise.all(
      batches.flatMap(([index, length, count]) =>
        Array.from({ length: count }, () => {
          const { id: accountId, projectId } = accounts[index]!;
          const metric = { accountId, projectId, payload: { text: 'x'.repeat(length) } };
          const text = JSON.stringify(metric);
          return groups.write({ accountId, text, characters: text.length });
        }),
      ),
    );
    expect(results).toEqual(results.map(() => true));
    return parameters.map((text) => {
      const metrics = JSON.parse(text) as { accountId: string }[];
      const accountIndexes = metrics.map(({ accountId }) =>
        accounts.findIndex(({ id }) => id === accountId),
      );
      return { length: text.length, accountIndexes };
    });
  }

  it('are written in groups of at most 100, filled from each account in turn', async () => {
    const groups = await writeAndListGroups([
      [0, 10, 250],
      [1, 10, 2],
      [2, 10, 1],
    ]);
    expect(groups.map(({ accountIndexes }) => accountIndexes.length)).toEqual([100, 100, 53]);
    expect(groups[0]!.accountIndexes.slice(0, 6)).toEqual([0, 1, 2, 0, 1, 0]);
  });

  it('are written in groups of at most 256 Ki characters, and a longer one by itself', async () => {
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
});
