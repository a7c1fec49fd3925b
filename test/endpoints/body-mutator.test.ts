import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { call } from '../support/call.ts';
import {
  type Endpoint,
  publicEndpointsWithBody,
  ownerJsonEndpoints,
  validBody,
} from '../support/endpoints.ts';
import { bodyArbitrary } from '../support/json-arbitrary.ts';
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

/** The status of an answer, which is one that the endpoint declares. */
async function statusFrom(
  { method, path, responses }: Endpoint,
  payload: string | undefined,
): Promise<number> {
  const reply = await call(server.app, { method, path, key: account.key, payload });
  expect(Object.keys(responses).map(Number)).toContain(reply.status);
  expect(reply.status).toBeLessThan(500);
  expect(({} as { x?: unknown }).x).toBeUndefined();
  return reply.status;
}

const ownerEndpointsWithBody = ownerJsonEndpoints.filter(({ body }) => body);
describe.each(ownerEndpointsWithBody)('$method $path', (endpoint) => {
  it('answers every change of every value in a valid body with a declared status', async () => {
    const body = await validBody(server, account, endpoint);
    expect(await statusFrom(endpoint, JSON.stringify(body))).toBe(200);
    for (const place of listPaths(body))
      for (const replace of Object.values(REPLACEMENTS))
        await statusFrom(endpoint, replaceAt(body, place, replace));
  });
});

describe.each(publicEndpointsWithBody)('$method $path', (endpoint) => {
  const { body: schema, name } = endpoint;
  const statusOf = (payload: string | undefined) => statusFrom(endpoint, payload);

  /** The metrics need a project that exists. */
  const bodies = bodyArbitrary(schema!).map((body) =>
    name === 'ingestMetrics' ? { ...(body as object), projectId } : body,
  );

  it('answers whatever has the declared shape with a declared status, and accepts some of it', async () => {
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        if ((await statusOf(JSON.stringify(body))) === 200) accepted += 1;
      }),
      { numRuns: 60 },
    );
    expect(accepted).toBeGreaterThan(0);
  });

  it('answers every change of every value in one whole body with a declared status', async () => {
    const [body] = fc.sample(
      bodies.filter((each) => listPaths(each).length > 3 || name !== 'updateSiteConfiguration'),
      { numRuns: 1, seed: 1 },
    );
    for (const place of listPaths(body))
      for (const replace of Object.values(REPLACEMENTS))
        await statusOf(replaceAt(body, place, replace));
  });
});
