import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { call } from '../support/call.ts';
import {
  type Endpoint,
  coreEndpointsWithBody,
  ownerJsonEndpoints,
  createValidBody,
} from '../support/endpoints.ts';
import { bodyArbitrary } from '../support/body-arbitrary.ts';
import { listPaths, REPLACEMENTS, replaceAt } from '../support/mutations.ts';
import { useServer } from '../support/use-server.ts';

let projectId: string;
const { server, account } = useServer({
  account: true,
  chat: { send: () => Promise.resolve('1'), edit: () => Promise.resolve('1') },
});
beforeAll(async () => {
  projectId = await server.createProject(account);
});

/** Returns the status, and checks that the endpoint declares it. */
async function sendBody(
  { method, path, responses }: Endpoint,
  payload: string | undefined,
): Promise<number> {
  const response = await call(server.app, { method, path, key: account.key, payload });
  expect(Object.keys(responses).map(Number)).toContain(response.status);
  expect(response.status).toBeLessThan(500);
  // Detects prototype pollution.
  expect(({} as { x?: unknown }).x).toBeUndefined();
  return response.status;
}

const ownerEndpointsWithBody = ownerJsonEndpoints.filter(({ body }) => body);
describe.each(ownerEndpointsWithBody)('$method $path', (endpoint) => {
  it('responds with a declared status to every mutation of every value in a valid body', async () => {
    const body = await createValidBody(server, account, endpoint);
    expect(await sendBody(endpoint, JSON.stringify(body))).toBe(200);
    for (const path of listPaths(body))
      for (const replace of Object.values(REPLACEMENTS))
        await sendBody(endpoint, replaceAt(body, path, replace));
  });
});

describe.each(coreEndpointsWithBody)('$method $path', (endpoint) => {
  const { body: schema, name } = endpoint;
  const sendToEndpoint = (payload: string | undefined) => sendBody(endpoint, payload);

  /** Metrics require an existing project. */
  const bodies = bodyArbitrary(schema!).map((body) =>
    name === 'ingestMetrics' ? { ...(body as object), projectId } : body,
  );

  it('responds with a declared status to generated bodies, and accepts some of them', async () => {
    let acceptedCount = 0;
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        if ((await sendToEndpoint(JSON.stringify(body))) === 200) acceptedCount += 1;
      }),
      { numRuns: 60 },
    );
    expect(acceptedCount).toBeGreaterThan(0);
  });

  it('responds with a declared status to all mutations of a body', async () => {
    const [body] = fc.sample(
      bodies.filter(
        (candidate) => listPaths(candidate).length > 3 || name !== 'updateSiteConfiguration',
      ),
      { numRuns: 1, seed: 1 },
    );
    for (const path of listPaths(body))
      for (const replace of Object.values(REPLACEMENTS))
        await sendToEndpoint(replaceAt(body, path, replace));
  });
});
