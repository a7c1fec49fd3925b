import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';
import { call, type Call, type Reply } from './call.ts';
import { injectingFetch } from './injecting-fetch.ts';
import type { TestApp } from './test-app.ts';

/** Revisions of the protocol: with a handshake, and with everything in each message. */
export type Revision = 'legacy' | 'auto';

/** An AI client of the protocol's own SDK, connected with a key until the test is over. */
export async function connectClient(
  { app }: Pick<TestApp, 'app'>,
  { key }: { key: string },
  mode: Revision = 'auto',
): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { versionNegotiation: { mode }, capabilities: {} },
  );
  const transport = new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
    fetch: injectingFetch(app) as typeof fetch,
  });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
}

/** Sends one message, as any program may. */
export function post(
  { app }: Pick<TestApp, 'app'>,
  { key }: { key?: string },
  message: unknown,
  more: Partial<Call> = {},
): Promise<Reply> {
  return call(app, { method: 'POST', path: '/mcp', key, json: message, ...more });
}

/** A message that asks for something. */
export function ask(method: string, params: object = {}) {
  return { jsonrpc: '2.0', id: 1, method, params };
}

/** Answer of an endpoint through its tool. */
export interface ToolReply {
  status: number;
  body: unknown;
  text: string;
  /** The name of the error, if it is one. */
  code: string | undefined;
}

/** Calls a tool with arguments, given as a value or as the JSON of one. */
export async function callTool(
  server: Pick<TestApp, 'app'>,
  account: { key: string },
  name: string,
  fields: unknown = {},
): Promise<ToolReply> {
  const json = typeof fields === 'string' ? fields : JSON.stringify(fields);
  const message = JSON.stringify(ask('tools/call', { name, arguments: 0 }));
  const payload = message.replace('"arguments":0', () => `"arguments":${json}`);
  const reply = await post(server, account, undefined, { payload });
  const { result } = reply.body as { result?: { isError?: boolean; content: { text: string }[] } };
  if (!result) return { ...reply, code: reply.headers['x-error-code'] };
  const [{ text }] = result.content as [{ text: string }];
  const { code, status, ...body } = JSON.parse(text) as { code: string; status: number };
  if (result.isError) return { status, body, text, code };
  return { status: 200, body: JSON.parse(text) as unknown, text, code: undefined };
}
