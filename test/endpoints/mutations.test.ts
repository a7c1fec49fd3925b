import { expect, it } from 'vitest';
import type { z } from 'zod';
import { call } from '../support/call.ts';
import {
  type Endpoint,
  createValidBody,
  createValidPath,
  jsonEndpoints,
} from '../support/endpoints.ts';
import { listPaths, REPLACEMENTS, replaceAt } from '../support/mutations.ts';
import { useServer } from '../support/use-server.ts';
import { FULL_SITE } from './support/site.ts';

const { server, account } = useServer({
  account: true,
  mailEnabled: true,
  chat: { deliver: async () => '1' },
});

/** Returns the status, and checks that the endpoint declares it. */
async function sendBody(
  { method, path, responses }: Pick<Endpoint, 'method' | 'path' | 'responses'>,
  payload?: string,
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

const QUERY_VALUES = ['', 'constructor', '__proto__', 'toString', '\0', '-1', '1e400', '[]', '{}'];

it.each(jsonEndpoints.filter(({ query }) => query))(
  '$method $path responds with a declared status to hostile values of every query parameter',
  async (endpoint) => {
    const [path = '', search] = (await createValidPath(server, account, endpoint)).split('?');
    for (const name of Object.keys((endpoint.query as z.ZodObject).shape))
      for (const value of [...QUERY_VALUES, 'x'.repeat(5_000)]) {
        const query = new URLSearchParams(search);
        query.set(name, value);
        await sendBody({ ...endpoint, path: `${path}?${query.toString()}` });
      }
  },
);
