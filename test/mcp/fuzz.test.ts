import fc from 'fast-check';
import { expect, it } from 'vitest';
import { jsonRpcRequest, postMcpMessage } from '../support/mcp.ts';
import { listPaths, REPLACEMENTS, replaceAt } from '../support/mutations.ts';
import { useServer } from '../support/use-server.ts';

const { server, account } = useServer({ account: true });
const replacementName = fc.constantFrom(...Object.keys(REPLACEMENTS));
const anyIndex = fc.nat();

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
