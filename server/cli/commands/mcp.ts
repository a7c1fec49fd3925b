import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import pLimit from 'p-limit';
import { CommandFailedError } from '../command-failed.ts';
import { examples, type Program } from '../output.ts';

/** Address of a server as it starts without settings. */
const LOCAL = 'http://127.0.0.1:3000';

export function addMcpCommand(program: Program): void {
  program
    .command('mcp')
    .description('connect an AI client, which starts this command, to a running server')
    .addHelpText(
      'after',
      `${examples('mcp')}

The client writes messages to standard input and reads answers from standard output.
NAMEPLATE_API_KEY is the key whose operations the client may call; NAMEPLATE_BASE_URL the address
of the server, ${LOCAL} if it is not set. The database is not used.`,
    )
    .action(async () => {
      const { NAMEPLATE_API_KEY: key, NAMEPLATE_BASE_URL: base = LOCAL } = process.env;
      if (!key) throw new CommandFailedError('Set NAMEPLATE_API_KEY to an API key.');
      const url = URL.parse(`${base.replace(/\/+$/, '')}/mcp`);
      if (!url || !/^https?:$/.test(url.protocol))
        throw new CommandFailedError('NAMEPLATE_BASE_URL must be an http or https address.');
      await bridge(process.stdin, process.stdout, { url, key });
    });
}

/** Messages that are answered at the same time; further ones wait. */
const AT_ONCE = 8;
const VERSION = 'io.modelcontextprotocol/protocolVersion';
/** JSON-RPC error code for errors that the protocol does not define. */
const SERVER_ERROR = -32_000;

/** A running server, and the key that it is called with. */
interface Target {
  url: URL;
  key: string;
}

interface Message {
  id?: string | number;
  method?: string;
  params?: { _meta?: Record<string, string>; name?: string; uri?: string };
}

/**
 * Connects an AI client to a running server until the input ends: a line of the input is a message, a line
 * of the output its answer.
 */
export async function bridge(input: Readable, output: Writable, target: Target): Promise<void> {
  const limit = pLimit(AT_ONCE);
  const answers = new Set<Promise<void>>();
  for await (const line of createInterface({ input, crlfDelay: Infinity })) {
    if (line.trim() === '') continue;
    const answer = limit(() => answerTo(line, target)).then((text) => {
      if (text !== '') output.write(`${text}\n`);
      answers.delete(answer);
    });
    answers.add(answer);
  }
  await Promise.all(answers);
}

/** The answer to a message in JSON-RPC; empty if it needs none. */
async function answerTo(line: string, { url, key }: Target): Promise<string> {
  const message = read(line);
  const headers = { 'content-type': 'application/json', 'x-api-key': key, ...about(message) };
  let problem = `The server at ${url.origin} could not be reached.`;
  try {
    const answer = await fetch(url, { method: 'POST', headers, body: line, redirect: 'error' });
    const text = await answer.text();
    const { error, jsonrpc } = (read(text) as { error?: unknown; jsonrpc?: string }) ?? {};
    if (text === '' || jsonrpc !== undefined) return text;
    problem = typeof error === 'string' ? error : `The server answered ${answer.status}.`;
  } catch {
    // The reason may hold the key.
  }
  if (message?.id === undefined && message?.method !== undefined) return '';
  const error = { code: SERVER_ERROR, message: problem };
  return JSON.stringify({ jsonrpc: '2.0', id: message?.id ?? null, error });
}

/** Headers that repeat what a message of the newest revision says. */
function about(message: Message | undefined): Record<string, string> {
  const { method, params } = message ?? {};
  const { _meta: meta } = params ?? {};
  const version = meta?.[VERSION];
  if (version === undefined || method === undefined) return {};
  const name = params?.name ?? params?.uri;
  return {
    'mcp-protocol-version': version,
    'mcp-method': method,
    ...(name !== undefined && { 'mcp-name': name }),
  };
}

function read(text: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Message) : undefined;
  } catch {
    return undefined;
  }
}
