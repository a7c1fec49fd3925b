import { afterAll, beforeAll, expect, it } from 'vitest';
import { send } from '../support/call.ts';
import { startTwoServers, type TwoServers } from './support/two-servers.ts';

let servers: TwoServers;
beforeAll(async () => {
  servers = await startTwoServers();
});
afterAll(() => servers.close());

it('100 parallel ingests store 100 metrics unchanged', async () => {
  const [account] = await servers.createAccounts(1);
  const projectId = await servers.first.createProject(account!);
  const payloads = Array.from({ length: 100 }, (_, visit) => ({ visit }));

  const responses = await Promise.all(
    payloads.map((payload, index) =>
      send(servers.serverAt(index), account!, 'POST /stats/ingest-metrics', { projectId, payload }),
    ),
  );

  expect(responses.map(({ status, body }) => ({ status, body }))).toEqual(
    payloads.map(() => ({ status: 200, body: { message: 'The metric was ingested.' } })),
  );
  const stored = await servers.first.database.db
    .selectFrom('metrics')
    .select('payload')
    .where('project_id', '=', projectId)
    .execute();
  const byVisit = (a: { visit: number }, b: { visit: number }) => a.visit - b.visit;
  expect(stored.map(({ payload }) => payload as { visit: number }).toSorted(byVisit)).toEqual(
    payloads,
  );
});

it('another server sees a metric as soon as it is acknowledged', async () => {
  const [account] = await servers.createAccounts(1);
  const projectId = await servers.first.createProject(account!);
  for (let count = 1; count <= 20; count += 1) {
    await send(servers.first, account!, 'POST /stats/ingest-metrics', { projectId, payload: {} });
    const { stored } = await servers.second.database.db
      .selectFrom('metrics')
      .select((eb) => eb.fn.countAll<string>().as('stored'))
      .where('project_id', '=', projectId)
      .executeTakeFirstOrThrow();
    expect(Number(stored)).toBe(count);
  }
});
