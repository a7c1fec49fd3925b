import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toolName } from '#server/mcp/operations.ts';
import { jsonEndpoints, createValidBody } from '../support/endpoints.ts';
import { jsonRpcRequest, callTool, postMcpMessage } from '../support/mcp.ts';
import { listPaths, REPLACEMENTS, replaceAt } from '../support/mutations.ts';
import { useServer } from '../support/use-server.ts';

const { server, account } = useServer({
  account: true,
  chat: { send: () => Promise.resolve('1'), edit: () => Promise.resolve('1') },
});
const replacementName = fc.constantFrom(...Object.keys(REPLACEMENTS));
const anyIndex = fc.nat();

it('every tool responds to mutated arguments with a status that its endpoint declares', async () => {
  const endpoints = new Map(
    jsonEndpoints
      .filter(({ body }) => body)
      .map((endpoint) => [toolName(endpoint.area, endpoint.name), endpoint]),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...endpoints.keys()),
      anyIndex,
      replacementName,
      async (tool, index, replacement) => {
        const owner = await server.createAccount();
        const endpoint = endpoints.get(tool)!;
        const fields = await createValidBody(server, owner, endpoint);
        const paths = listPaths(fields);
        const path = paths[index % paths.length]!;
        const json = replaceAt(fields, path, REPLACEMENTS[replacement]!) ?? '{}';
        const { status } = await callTool(server, owner, tool, json);
        // Arguments that are not an object do not reach the endpoint. The status is then 200.
        expect([200, ...Object.keys(endpoint.responses).map(Number)]).toContain(status);
        expect(({} as { x?: unknown }).x).toBeUndefined();
      },
    ),
    { numRuns: 150 },
  );
});

it('every mutated protocol message gets a response', async () => {
  const messages = [
    jsonRpcRequest('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    }),
    jsonRpcRequest('tools/call', {
      name: 'site_getSiteStatus',
      arguments: {},
      _meta: { progressToken: 1 },
    }),
    jsonRpcRequest('resources/read', { uri: 'nameplate://page' }),
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
    { jsonrpc: '2.0', id: 1, result: {} },
  ];
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...messages),
      anyIndex,
      replacementName,
      async (message, index, replacement) => {
        const paths = listPaths(message);
        const payload = replaceAt(
          message,
          paths[index % paths.length]!,
          REPLACEMENTS[replacement]!,
        );
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
  expect((await postMcpMessage(server, account, jsonRpcRequest('ping'))).status).toBe(200);
  expect(server.log.filter(({ level }) => level === 50)).toEqual([]);
});
