import { expect, it } from 'vitest';
import { startFakeImprovmx } from '../forwarding/fake-improvmx.ts';
import { startForwardingApp } from '../forwarding/forwarding-app.ts';
import { eventually } from '../support/eventually.ts';
import { createPostgresDatabase, LONG_TIME_LIMITS } from '../support/test-database.ts';
import { startDatabaseProxy } from './support/database-proxy.ts';

async function startBehindProxy() {
  const fake = await startFakeImprovmx();
  const url = await createPostgresDatabase('nameplate_template');
  const proxy = await startDatabaseProxy(url);
  // Short, because the test waits until a query on a dead connection times out.
  const queueTimeLimits = { ...LONG_TIME_LIMITS, query_timeout: 3_000 };
  const server = await startForwardingApp({ url, queueUrl: proxy.url, queueTimeLimits, fake });
  await server.createForwardedAccount('before', 'before@example.com');
  await server.waitUntilSynced();
  return { fake, proxy, server };
}

it('a queue with dead connections recovers and updates the alias', async () => {
  const { fake, proxy, server } = await startBehindProxy();
  proxy.freeze();
  await server.createForwardedAccount('after', 'after@example.com');
  const alias = await eventually(
    () => fake.aliases.get('after'),
    (value) => value !== undefined,
  );
  expect(alias).toBe('after@example.com');
  await server.waitUntilSynced();
  await server.close();
  await proxy.close();
  await fake.close();
});

it('a queue with dead connections can be stopped', async () => {
  const { fake, proxy, server } = await startBehindProxy();
  proxy.freeze();
  await server.jobs.close();
  await server.app.close();
  await server.database.close();
  await proxy.close();
  await fake.close();
});
