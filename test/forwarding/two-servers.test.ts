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

function startServer(options: { processesJobs?: boolean } = {}): Promise<ForwardingApp> {
  return startForwardingApp({ url, fake, quarantineDays: 0, ...options });
}

it('two servers share the queue, and never process a name at the same time', async () => {
  const servers = await Promise.all([startServer(), startServer()]);
  fake.faultFor = ({ method }) =>
    method === 'GET' ? undefined : { kind: 'slow', milliseconds: 15 };
  const names = Array.from({ length: 12 }, (_, index) => `shared-${index}`);
  await Promise.all(
    names.map(async (name, index) => {
      const [first, second] = index % 2 ? servers : servers.toReversed();
      const account = await first!.createForwardedAccount(name, `${name}@example.com`);
      await Promise.all([
        second!.disableForwarding(account),
        first!.enableForwarding(account, `b-${name}@example.com`),
      ]);
      await second!.enableForwarding(account, `c-${name}@example.com`);
    }),
  );
  await servers[0].waitUntilSynced();
  expect(names.map((name) => fake.aliases.get(name))).toEqual(
    names.map((name) => `c-${name}@example.com`),
  );
  expect(fake.overlaps).toEqual([]);
  await Promise.all(servers.map((server) => server.close()));
});

it('a server stops without waiting for the provider, and another one continues its jobs', async () => {
  const first = await startServer();
  fake.faultFor = () => ({ kind: 'hang' });
  const requestCount = fake.requests.length;
  await first.createForwardedAccount('handed-over', 'handed-over@example.com');
  await eventually(() => expect(fake.requests.length).toBeGreaterThan(requestCount));
  await first.close();
  fake.faultFor = () => undefined;
  const second = await startServer();
  await second.waitUntilSynced();
  expect(fake.aliases.get('handed-over')).toBe('handed-over@example.com');
  await second.close();
});
