import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { CommandFailedError } from '../command-failed.ts';
import { examples, type Program } from '../output.ts';

const DEFAULT_BASE_URL = 'http://127.0.0.1:3000';

export function addMcpCommand(program: Program): void {
  program
    .command('mcp')
    .description('connect an AI client to a running server; the client starts this command')
    .option('--tools <names>', 'add tools: areas or names, separated by commas, or all')
    .addHelpText(
      'after',
      `${examples('mcp')}

The client writes messages to standard input and reads responses from standard output.
NAMEPLATE_API_KEY is the API key; it decides what the client can do. NAMEPLATE_BASE_URL is the
address of the server. Default: ${DEFAULT_BASE_URL}. The command does not use the database.`,
    )
    .action(async ({ tools }) => {
      const { NAMEPLATE_API_KEY: key, NAMEPLATE_BASE_URL: base = DEFAULT_BASE_URL } = process.env;
      if (!key) throw new CommandFailedError('Set NAMEPLATE_API_KEY to an API key.');
      const url = URL.parse(`${base.replace(/\/+$/, '')}/mcp`);
      if (!url || !/^https?:$/.test(url.protocol))
        throw new CommandFailedError('NAMEPLATE_BASE_URL must be an http or https address.');
      if (tools !== undefined) url.searchParams.set('tools', tools);
      await bridge(process.stdin, process.stdout, { url, key });
    });
}

const MAX_CONCURRENT = 8;
const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
/** First error code that JSON-RPC reserves for servers. */
const SERVER_ERROR = -32_000;

interface Target {
  url: URL;
  key: string;
}

interface Message {
  id?: string | number;
  method?: string;
  params?: { _meta?: Record<string, string>; name?: string; uri?: string };
}

export async function bridge(input: Readable, output: Writable, target: Target): Promise<void> {
  const lines = createInterface({ input, crlfDelay: Infinity })[Symbol.asyncIterator]();
  const forwardNext = async () => {
    for await (const line of lines) {
      const text = line.trim() === '' ? '' : await forwardMessage(line, target);
      if (text !== '') output.write(`${text}\n`);
    }
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT }, forwardNext));
}

/** Returns an empty string for a notification, which has no response. */
async function forwardMessage(line: string, { url, key }: Target): Promise<string> {
  const message = parseMessage(line);
  const headers = { 'content-type': 'application/json', 'x-api-key': key, ...headersFor(message) };
  let problem = `The server at ${url.origin} could not be reached.`;
  try {
    const response = await fetch(url, { method: 'POST', headers, body: line, redirect: 'error' });
    const text = await response.text();
    const { error, jsonrpc } = (parseMessage(text) as { error?: unknown; jsonrpc?: string }) ?? {};
    if (text === '' || jsonrpc !== undefined) return text;
    problem =
      typeof error === 'string' ? error : `The server responded with status ${response.status}.`;
  } catch {
    // Drop the reason: it may contain the key.
  }
  if (message?.id === undefined && message?.method !== undefined) return '';
  const error = { code: SERVER_ERROR, message: problem };
  return JSON.stringify({ jsonrpc: '2.0', id: message?.id ?? null, error });
}

/** The newest protocol revision requires headers that repeat fields of the message. */
function headersFor(message: Message | undefined): Record<string, string> {
  const { method, params } = message ?? {};
  const { _meta: meta } = params ?? {};
  const version = meta?.[VERSION_KEY];
  if (version === undefined || method === undefined) return {};
  const name = params?.name ?? params?.uri;
  return {
    'mcp-protocol-version': version,
    'mcp-method': method,
    ...(name !== undefined && { 'mcp-name': name }),
  };
}

function parseMessage(text: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Message) : undefined;
  } catch {
    return undefined;
  }
}
