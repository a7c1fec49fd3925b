import { promises as fs } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { expect, it, vi } from 'vitest';
import { jsonRpcRequest } from '../support/mcp.ts';
import { useServer } from '../support/use-server.ts';

const { server } = useServer();

const failToRead = () => vi.spyOn(fs, 'readFile').mockRejectedValueOnce(new Error('EMFILE'));

it.each([
  ['/openapi.json', failToRead],
  ['/mcp', failToRead],
])('%s works again after loading it failed once', async (url, startFailing) => {
  const { headers } = await server.createAccount();
  const readStatus = async () => {
    const request = url === '/mcp' && {
      method: 'POST' as const,
      payload: jsonRpcRequest('tools/list'),
    };
    return (await server.app.inject({ url, headers, ...request })).statusCode;
  };
  const failure = startFailing();
  syncBuiltinESMExports();
  try {
    expect(await readStatus()).toBe(500);
  } finally {
    failure.mockRestore();
    syncBuiltinESMExports();
  }
  expect(await readStatus()).toBe(200);
});
