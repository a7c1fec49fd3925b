import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { jsonRpcRequest } from '../support/mcp.ts';
import { useServer } from '../support/use-server.ts';

const { server, account } = useServer({ account: true });
const COMMAND = ['bin/nameplate.js', 'mcp'];
let url: string;
beforeAll(async () => {
  await server.app.listen({ port: 0, host: '127.0.0.1' });
  url = `http://127.0.0.1:${(server.app.server.address() as AddressInfo).port}`;
});

async function runCommand(settings: Record<string, string>, input: string, args: string[] = []) {
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, [...COMMAND, ...args], { env: { PATH, ...settings } });
  child.stdin.end(input);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number]>,
  ]);
  return { out: stdout, err: stderr, code };
}

it.each(['legacy', 'auto'] as const)(
  'an MCP client starts the command and calls tools through it (%s)',
  async (mode) => {
    const client = new Client(
      { name: 'test', version: '1.0.0' },
      { versionNegotiation: { mode }, capabilities: {} },
    );
    const env = { NAMEPLATE_API_KEY: account.key, NAMEPLATE_BASE_URL: `${url}/` };
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: COMMAND, env }),
    );
    onTestFinished(() => client.close());
    expect((await client.listTools()).tools.length).toBeGreaterThan(10);
    const { structuredContent } = await client.callTool({ name: 'site_getSiteStatus' });
    expect(structuredContent).toEqual({ enabled: false });
  },
);

it('writes a JSON-RPC response for each request and error, and exits at the end of the input', async () => {
  const statusRequest = jsonRpcRequest('tools/call', { name: 'site_getSiteStatus' });
  const notification = { jsonrpc: '2.0', method: 'notifications/initialized' };
  const input = [JSON.stringify(statusRequest), JSON.stringify(notification), '', '{"broken'].join(
    '\n',
  );
  const readResponses = async (settings: Record<string, string>) => {
    const { out: stdout, err: stderr, code } = await runCommand(settings, input);
    expect([stderr, code]).toEqual(['', 0]);
    const lines = stdout.trimEnd().split('\n');
    return lines
      .map((line) => JSON.parse(line) as { id: unknown })
      .toSorted((a) => (a.id ? -1 : 1));
  };
  const NAMEPLATE_API_KEY = account.key;
  const errorResponse = (message: string) => ({ error: { code: -32_000, message } });
  expect(await readResponses({ NAMEPLATE_API_KEY, NAMEPLATE_BASE_URL: url })).toMatchObject([
    { id: 1, result: { structuredContent: { enabled: false } } },
    {
      id: null,
      ...errorResponse(
        expect.stringMatching(/^The request body is not valid JSON: error in line 1/) as string,
      ),
    },
  ]);
  const [response] = await readResponses({ NAMEPLATE_API_KEY: 'np_x.y', NAMEPLATE_BASE_URL: url });
  expect(response).toMatchObject({ id: 1, error: { message: expect.stringContaining('API key') } });
  const closedUrl = 'http://127.0.0.1:1';
  expect(
    (await readResponses({ NAMEPLATE_API_KEY, NAMEPLATE_BASE_URL: closedUrl }))[0],
  ).toMatchObject(errorResponse(`The server at ${closedUrl} could not be reached.`));
});

it('adds the tools of --tools, and prints the valid names for an unknown one', async () => {
  const settings = { NAMEPLATE_API_KEY: account.key, NAMEPLATE_BASE_URL: url };
  const input = JSON.stringify(jsonRpcRequest('tools/call', { name: 'keys_listKeys' }));
  const readResponse = async (...args: string[]) =>
    JSON.parse((await runCommand(settings, input, args)).out) as unknown;
  expect(await readResponse()).toMatchObject({ error: { code: -32602 } });
  expect(await readResponse('--tools', 'alerts,keys')).toMatchObject({
    result: { structuredContent: { keys: [expect.anything()] } },
  });
  expect(await readResponse('--tools', 'keyz')).toMatchObject({
    error: { message: expect.stringMatching(/called keyz\..* keys,/) },
  });
});

it('does not leak promises after it has responded', async () => {
  // A separate process has no other promises.
  const program = fileURLToPath(new URL('count-promises.ts', import.meta.url));
  const args = [program, `${url}/mcp`, account.key, JSON.stringify(jsonRpcRequest('ping'))];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(Number(stdout)).toBeLessThan(30);
});

it('prints an error for missing or invalid settings', async () => {
  expect(await runCommand({}, '')).toEqual({
    out: '',
    err: 'Set NAMEPLATE_API_KEY to an API key.\n',
    code: 1,
  });
  for (const NAMEPLATE_BASE_URL of ['names.example', 'file:///etc'])
    expect(await runCommand({ NAMEPLATE_API_KEY: 'np_x.y', NAMEPLATE_BASE_URL }, '')).toEqual({
      out: '',
      err: 'NAMEPLATE_BASE_URL must be an http or https address.\n',
      code: 1,
    });
});
