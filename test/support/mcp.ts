import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';
import { createInProcessFetch } from '#server/platform/http/in-process-fetch.ts';
import { call, type TestRequest, type TestResponse } from './call.ts';
import type { TestApp } from './test-app.ts';

/** `legacy` negotiates a protocol version with a handshake. Newer versions are stateless. */
export type NegotiationMode = 'legacy' | 'auto';

/** Connects an MCP client, which is closed after the test. */
export async function connectMcpClient(
  { app }: Pick<TestApp, 'app'>,
  { key }: { key: string },
  mode: NegotiationMode = 'auto',
  path = '/mcp',
): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { versionNegotiation: { mode }, capabilities: {} },
  );
  const transport = new StreamableHTTPClientTransport(new URL(path, 'http://localhost'), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
    fetch: createInProcessFetch(app) as typeof fetch,
  });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
}

export function postMcpMessage(
  { app }: Pick<TestApp, 'app'>,
  { key }: { key?: string },
  message: unknown,
  options: Partial<TestRequest> = {},
): Promise<TestResponse> {
  return call(app, { method: 'POST', path: '/mcp', key, json: message, ...options });
}

export function jsonRpcRequest(method: string, params: object = {}) {
  return { jsonrpc: '2.0', id: 1, method, params };
}

export interface ToolResponse {
  status: number;
  body: unknown;
  text: string;
  /** Error code, undefined if the call succeeded. */
  code: string | undefined;
}

/** Calls a tool of any area. A string as `args` is sent as raw JSON. */
export async function callTool(
  server: Pick<TestApp, 'app'>,
  account: { key: string },
  name: string,
  args: unknown = {},
): Promise<ToolResponse> {
  const json = typeof args === 'string' ? args : JSON.stringify(args);
  const message = JSON.stringify(jsonRpcRequest('tools/call', { name, arguments: 0 }));
  const payload = message.replace('"arguments":0', () => `"arguments":${json}`);
  const path = '/mcp?tools=all';
  const response = await postMcpMessage(server, account, undefined, { path, payload });
  const { result } = response.body as {
    result?: { isError?: boolean; content: { text: string }[] };
  };
  if (!result) return { ...response, code: response.headers['x-error-code'] };
  const [{ text }] = result.content as [{ text: string }];
  const { code, status, ...body } = JSON.parse(text) as { code: string; status: number };
  if (result.isError) return { status, body, text, code };
  return { status: 200, body: JSON.parse(text) as unknown, text, code: undefined };
}
