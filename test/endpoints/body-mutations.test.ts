import { expect, it } from 'vitest';
import { call } from '../support/call.ts';
import { type Endpoint, createValidBody, jsonEndpoints } from '../support/endpoints.ts';
import { listPaths, REPLACEMENTS, replaceAt } from '../support/mutations.ts';
import { useServer } from '../support/use-server.ts';
import { FULL_SITE } from './support/site.ts';

const { server, account } = useServer({ account: true, chat: { deliver: async () => '1' } });

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

it.each(jsonEndpoints.filter(({ body }) => body))(
  '$method $path responds with a declared status to every mutation of every value in a valid body',
  async (endpoint) => {
    const isSite = endpoint.name === 'updateSiteConfiguration';
    const body = isSite ? FULL_SITE : await createValidBody(server, account, endpoint);
    expect(await sendBody(endpoint, JSON.stringify(body))).toBe(200);
    for (const path of listPaths(body))
      for (const replace of Object.values(REPLACEMENTS))
        await sendBody(endpoint, replaceAt(body, path, replace));
  },
);
