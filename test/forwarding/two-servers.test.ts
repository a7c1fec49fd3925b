import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { createPostgresDatabase } from '../support/test-database.ts';
import { type FakeImprovmx, startFakeImprovmx } from './fake-improvmx.ts';
import { type ForwardingApp, startForwardingApp } from './forwarding-app.ts';

let fake: FakeImprovmx;
let url: string;
beforeAll(async () => {
  fake = await startFakeImprovmx();
  url = await createPostgresDatabase('nameplate_template');
});
afterAll(() => fake.close());

function startServer(options: { works?: boolean } = {}): Promise<ForwardingApp> {
  return startForwardingApp({ url, fake, quarantineDays: 0, ...options });
}

it('lets two servers share the queue, one at a time per name', async () => {
  const servers = await Promise.all([startServer(), startServer()]);
  fake.trouble = ({ method }) =>
    method === 'GET' ? undefined : { kind: 'slow', milliseconds: 15 };
  const names = Array.from({ length: 12 }, (_, index) => `shared-${index}`);
  await Promise.all(
    names.map(async (name, index) => {
      const [one, two] = index % 2 ? servers : servers.toReversed();
      const account = await one!.forwarded(name, `${name}@example.com`);
      await Promise.all([two!.disable(account), one!.enable(account, `b-${name}@example.com`)]);
      await two!.enable(account, `c-${name}@example.com`);
    }),
  );
  await servers[0].settled();
  expect(names.map((name) => fake.aliases.get(name))).toEqual(
    names.map((name) => `c-${name}@example.com`),
  );
  expect(fake.overlaps).toEqual([]);
  await Promise.all(servers.map((server) => server.close()));
});

it('runs a job that another process created', async () => {
  const [writer, worker] = await Promise.all([startServer({ works: false }), startServer()]);
  const account = await writer.forwarded('written', 'written@example.com');
  await eventually(
    () => fake.aliases.get('written'),
    (seen) => seen === 'written@example.com',
  );
  await writer.rename(account, 'written-2');
  await worker.settled();
  expect(fake.aliases.get('written')).toBeUndefined();
  await Promise.all([writer.close(), worker.close()]);
});

it("continues a stopped server's jobs, and stopping does not wait for the provider", async () => {
  const first = await startServer();
  fake.trouble = () => ({ kind: 'hang' });
  const asked = fake.requests.length;
  await first.forwarded('handed-over', 'handed-over@example.com');
  await eventually(
    () => fake.requests.length,
    (count) => count > asked,
  );
  await first.close();
  fake.trouble = () => undefined;
  const second = await startServer();
  await second.settled();
  expect(fake.aliases.get('handed-over')).toBe('handed-over@example.com');
  await second.close();
});
