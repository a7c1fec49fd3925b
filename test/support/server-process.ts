import { spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { findPostmaster } from '#db/embedded/postmaster.ts';
import { environment } from './environment.ts';
import { eventually } from './eventually.ts';
import { checkResponse } from './openapi-check.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The server as a process of its own, which does not outlive the test, or those that share it. */
export interface ServerProcess {
  pid: number;
  /** Messages for people so far. */
  said: () => string;
  /** Log so far. */
  logged: () => string;
  /** Waits until it says something; throws if it ends before. */
  waitFor: (pattern: RegExp) => Promise<RegExpExecArray>;
  signal: (signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL') => void;
  /** Its exit code, when it has ended; null after a signal. */
  exit: Promise<number | null>;
}

/** Whoever sees to it that something is done at the end: of a test, or of all that share a server. */
export type AtEnd = (end: () => Promise<void>) => void;

/** Starts `server/main.ts` with these environment variables and no others, `through` another program. */
export function spawnServer(
  settings: Record<string, string>,
  atEnd: AtEnd = onTestFinished,
  through: readonly string[] = [],
): ServerProcess {
  const [program, ...args] = [...through, process.execPath, 'server/main.ts'];
  const child = spawn(program, args, {
    cwd: ROOT,
    env: environment({ PORT: '0', ...settings }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  let logged = '';
  const waiting = new Set<() => void>();
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    for (const check of waiting) check();
  });
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    logged += text;
  });
  let ended = false;
  const exit = new Promise<number | null>((resolve) => {
    child.on('close', (code) => {
      ended = true;
      for (const check of waiting) check();
      resolve(code);
    });
  });
  atEnd(async () => {
    child.kill('SIGKILL');
    await exit;
    if (settings['DATA_DIR'] !== undefined) await endDatabase(settings['DATA_DIR']);
  });
  return {
    pid: child.pid ?? 0,
    said: () => said,
    logged: () => logged,
    waitFor: (pattern) =>
      new Promise((resolve, reject) => {
        const check = () => {
          const match = pattern.exec(said);
          if (match) resolve(match);
          else if (ended) reject(new Error(`ended without saying ${pattern.source}:\n${said}`));
          else return;
          waiting.delete(check);
        };
        waiting.add(check);
        check();
      }),
    signal: (signal) => void child.kill(signal),
    exit,
  };
}

/** Starts the server and waits until it is ready. */
export async function startServer(
  settings: Record<string, string>,
  atEnd?: AtEnd,
): Promise<ServerProcess & { url: string }> {
  const server = spawnServer(settings, atEnd);
  await server.waitFor(/^Ready\./m);
  const [, url = ''] = await server.waitFor(/listens on (http:\/\/\S+)/);
  return { ...server, url };
}

/** Calls a server; the answer's status and body. */
export async function fetchJson(
  url: string,
  {
    key,
    method = 'GET',
    json,
    headers,
  }: { key?: string; method?: string; json?: object; headers?: Record<string, string> } = {},
): Promise<{ status: number; body: unknown }> {
  const response = await fetch(url, {
    method,
    headers: {
      ...(key && { 'x-api-key': key }),
      ...(json && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(json && { body: JSON.stringify(json) }),
  });
  const text = await response.text();
  checkResponse(method, new URL(url).pathname, response.status, response.headers, text);
  return { status: response.status, body: JSON.parse(text) as unknown };
}

/** Waits until a server takes no more connections. */
export async function untilRefused(url: string): Promise<void> {
  await eventually(
    () => fetchJson(`${url}/healthz`).catch(() => 'refused'),
    (answer) => answer === 'refused',
  );
}

/** The process of the private database in a data folder, if one runs. */
export function databaseProcess(dataDir: string): Promise<number | undefined> {
  return findPostmaster({ database: join(dataDir, 'postgresql-18') });
}

/** Ends it as `kill -9` does, and waits until it is gone. */
export function killDatabase(dataDir: string): Promise<void> {
  return signalDatabase(dataDir, 'SIGKILL');
}

/** Ends it at once, without leaving shared memory behind. */
export function endDatabase(dataDir: string): Promise<void> {
  return signalDatabase(dataDir, 'SIGQUIT');
}

async function signalDatabase(dataDir: string, signal: NodeJS.Signals): Promise<void> {
  const pid = await databaseProcess(dataDir);
  if (pid === undefined) return;
  process.kill(pid, signal);
  await eventually(
    () => databaseProcess(dataDir),
    (process) => process !== pid,
  );
}

/** The key and the project that the first start on a data folder made. */
export async function firstOwner(dataDir: string): Promise<{ key: string; projectId: string }> {
  const line = await readFile(join(dataDir, 'first-key'), 'utf8');
  const [, key = '', projectId = ''] = /^export KEY=(np_\S+) PROJECT=(\S+)\n$/.exec(line) ?? [];
  return { key, projectId };
}

/** A folder that is gone after the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'test-'));
  // As root the private database runs as another user, who must get through.
  await chmod(folder, 0o711);
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
