import { expect, it } from 'vitest';
import { ownerOf } from '#client/owner.ts';
import { SessionClient } from '#dashboard/api/session-client.ts';
import { createInProcessFetch } from '#server/platform/http/in-process-fetch.ts';
import { useServer } from '../support/use-server.ts';

const { server } = useServer();

it('a retry after a proxy’s 502 does not execute a write twice', async () => {
  const account = await server.createAccount();
  const fetchFromApp = createInProcessFetch(server.app);
  let isBroken = true;
  const client = new SessionClient({
    apiKey: account.key,
    baseUrl: 'http://localhost',
    maxRetries: 0,
    fetch: async (input, init) => {
      const response = await fetchFromApp(input, init);
      return isBroken ? Response.json({ error: 'Bad gateway.' }, { status: 502 }) : response;
    },
  });
  const { projects } = ownerOf(client);
  await expect(projects.createProject({ name: 'Shop' })).rejects.toMatchObject({ status: 502 });
  isBroken = false;
  await projects.createProject({ name: 'Shop' });
  expect((await client.stats.getProjects()).projects).toHaveLength(1);
  // Each write gets a new idempotency key.
  await projects.createProject({ name: 'Shop' });
  expect((await client.stats.getProjects()).projects).toHaveLength(2);
});
