import { beforeAll, expect, it } from 'vitest';
import { send } from '../support/call.ts';
import { waitForBlockedQuery, whileLocked } from '../support/database-locks.ts';
import type { TestAccount } from '../support/test-app.ts';
import { useServer } from '../support/use-server.ts';

let readers: TestAccount[];
let projectId: string;
const { server, account: writer } = useServer({ account: true });
beforeAll(async () => {
  projectId = await server.createProject(writer);
  readers = await Promise.all(Array.from({ length: 5 }, () => server.createAccount()));
  // The first request of each account records the use of its key, so that later ones do not.
  for (const account of [writer, ...readers])
    await send(server, account, 'GET /site/get-site-status');
});

const ingest = () =>
  send(server, writer, 'POST /stats/ingest-metrics', { projectId, payload: { visitors: 1 } });

it('a metric is accepted while a hundred reads wait', async () => {
  let pendingReads = 100;
  let reads: Promise<unknown>[] = [];
  await whileLocked(server.db, 'site_versions', async (trx) => {
    reads = Array.from({ length: pendingReads }, async (_, index) => {
      await send(server, readers[index % readers.length]!, 'GET /owner/page/list-page-versions');
      pendingReads -= 1;
    });
    await waitForBlockedQuery(trx);
    expect(await ingest()).toMatchObject({ status: 200 });
    expect(pendingReads).toBeGreaterThan(50);
  });
  await Promise.all(reads);
});

it('while page look-ups are blocked, 2,000 wait and more are refused, but requests with an API key succeed', async () => {
  const pageRequests = 2_100;
  const refused: unknown[] = [];
  const { promise: allRefused, resolve } = Promise.withResolvers<void>();
  let pages: Promise<unknown>[] = [];
  await whileLocked(server.db, 'sites', async () => {
    pages = Array.from({ length: pageRequests }, async (_, index) => {
      const { statusCode, headers } = await server.app.inject({ url: `/@nobody-${index}` });
      if (statusCode !== 503) return;
      refused.push(headers['retry-after']);
      if (refused.length === pageRequests - 2_000) resolve();
    });
    await allRefused;
    expect(refused).toEqual(refused.map(() => '1'));
    expect(await send(server, writer, 'GET /stats/get-projects')).toMatchObject({ status: 200 });
    expect(await ingest()).toMatchObject({ status: 200 });
  });
  await Promise.all(pages);
});
