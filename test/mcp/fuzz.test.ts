import fc from 'fast-check';
import { expect, it } from 'vitest';
import { everyCallable, validBody } from '../support/endpoints.ts';
import { ask, callTool, post } from '../support/mcp.ts';
import { pathsOf, REPLACEMENTS, replaced } from '../support/mutations.ts';
import { useServer } from '../support/use-server.ts';

const { server, account } = useServer({
  account: true,
  chat: { send: () => Promise.resolve('1'), edit: () => Promise.resolve('1') },
});
const change = fc.constantFrom(...Object.keys(REPLACEMENTS));
const anyIndex = fc.nat();

it('every tool answers a change of its arguments with a status that its endpoint declares', async () => {
  const endpoints = new Map(
    everyCallable
      .filter(({ body }) => body)
      .map((endpoint) => [`${endpoint.area}_${endpoint.name}`, endpoint]),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...endpoints.keys()),
      anyIndex,
      change,
      async (tool, index, kind) => {
        const owner = await server.createAccount();
        const endpoint = endpoints.get(tool)!;
        const fields = await validBody(server, owner, endpoint);
        const places = pathsOf(fields);
        const place = places[index % places.length]!;
        const json = replaced(fields, place, REPLACEMENTS[kind]!) ?? '{}';
        const { status } = await callTool(server, owner, tool, json);
        // Arguments that are no object do not reach an endpoint.
        expect([200, ...Object.keys(endpoint.responses).map(Number)]).toContain(status);
        expect(({} as { x?: unknown }).x).toBeUndefined();
      },
    ),
    { numRuns: 150 },
  );
});

it('a message of the protocol is answered whatever is changed in it', async () => {
  const messages = [
    ask('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    }),
    ask('tools/call', { name: 'site_getSiteStatus', arguments: {}, _meta: { progressToken: 1 } }),
    ask('resources/read', { uri: 'nameplate://page' }),
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
    { jsonrpc: '2.0', id: 1, result: {} },
  ];
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...messages),
      anyIndex,
      change,
      async (message, index, kind) => {
        const places = pathsOf(message);
        const payload = replaced(message, places[index % places.length]!, REPLACEMENTS[kind]!);
        const { statusCode, payload: text } = await server.app.inject({
          method: 'POST',
          url: '/mcp',
          headers: { ...account.headers, 'content-type': 'application/json' },
          payload: payload ?? '',
        });
        expect([200, 202, 400, 404, 413]).toContain(statusCode);
        expect(text).not.toMatch(/node_modules|\.ts\b/);
      },
    ),
    { numRuns: 300 },
  );
  expect((await post(server, account, ask('ping'))).status).toBe(200);
  expect(server.log.filter(({ level }) => level === 50)).toEqual([]);
});
