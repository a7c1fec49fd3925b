import { spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import { findPostmaster } from '#db/embedded/postmaster.ts';
import { childEnvironment } from './child-environment.ts';
import { eventually } from './eventually.ts';
import { checkResponse } from './openapi-check.ts';
import { insertTestAccount } from './test-app.ts';
import { connectPostgresDatabase, createPostgresDatabase } from './test-database.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A server in its own process, which is killed after the test or after all tests that share it. */
export interface ServerProcess {
  pid: number;
  /** Messages for the operator so far. */
  stderr: () => string;
  /** The JSON log so far. */
  stdout: () => string;
  /** Waits until stderr matches. Rejects if the process exits first. */
  waitFor: (pattern: RegExp) => Promise<RegExpExecArray>;
  signal: (signal: NodeJS.Signals) => void;
  /** Stops the server with SIGTERM. It must exit with 0. */
  stop: () => Promise<void>;
  /** Stops reading stdout, or both streams, as when a terminal is closed. */
  stopReading: (streams: 'stdout' | 'all') => void;
  /** Resolves to the exit code, or null if a signal ended the process. */
  exited: Promise<number | null>;
}

/** Registers a function to run after the test, or after all tests that share a value. */
export type RegisterCleanUp = (cleanUp: () => Promise<void>) => void;

/** Starts a server with only these settings. `wrapper` is a command line that runs the server. */
export function spawnServer(
  settings: Record<string, string>,
  onFinished: RegisterCleanUp = onTestFinished,
  wrapper: readonly string[] = [],
  folder = ROOT,
): ServerProcess {
  const [program, ...args] = [...wrapper, process.execPath, 'server/main.ts'];
  const child = spawn(program, args, {
    cwd: folder,
    env: childEnvironment({ PORT: '0', BACKUP_DIR: 'off', ...settings }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stderr = '';
  let stdout = '';
  const pendingChecks = new Set<() => void>();
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    for (const check of pendingChecks) check();
  });
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  let hasExited = false;
  const exited = new Promise<number | null>((resolve) => {
    child.on('close', (code) => {
      hasExited = true;
      for (const check of pendingChecks) check();
      resolve(code);
    });
  });
  onFinished(async () => {
    child.kill('SIGKILL');
    await exited;
    if (settings['DATA_DIR'] !== undefined) await stopDatabase(settings['DATA_DIR']);
  });
  return {
    pid: child.pid ?? 0,
    stderr: () => stderr,
    stdout: () => stdout,
    waitFor: (pattern) =>
      new Promise((resolve, reject) => {
        const check = () => {
          const match = pattern.exec(stderr);
          if (match) resolve(match);
          else if (hasExited)
            reject(new Error(`exited without printing ${pattern.source}:\n${stderr}`));
          else return;
          pendingChecks.delete(check);
        };
        pendingChecks.add(check);
        check();
      }),
    signal: (signal) => void child.kill(signal),
    stop: async () => {
      child.kill('SIGTERM');
      expect(await exited).toBe(0);
    },
    stopReading: (streams) => {
      child.stdout.destroy();
      if (streams === 'all') child.stderr.destroy();
    },
    exited,
  };
}

/** Starts the server, by default from this repository, and waits until it is ready. */
export async function startServer(
  settings: Record<string, string>,
  onFinished?: RegisterCleanUp,
  folder?: string,
): Promise<ServerProcess & { url: string }> {
  const server = spawnServer(settings, onFinished, [], folder);
  await server.waitFor(/^Ready\./m);
  const [, url = ''] = await server.waitFor(/listens on (http:\/\/\S+)/);
  return { ...server, url };
}

export async function startServerWithAccount(
  settings: Record<string, string> = {},
  onFinished: RegisterCleanUp = onTestFinished,
) {
  const DATABASE_URL = await createPostgresDatabase('nameplate_template');
  const database = connectPostgresDatabase(DATABASE_URL);
  onFinished(database.close);
  const { id, key } = await insertTestAccount(database.db);
  const server = await startServer({ DATABASE_URL, ...settings }, onFinished);
  return { server, url: server.url, DATABASE_URL, database, db: database.db, id, key };
}

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

/** Waits until the server no longer responds. */
export async function waitUntilUnreachable(url: string): Promise<void> {
  await eventually(
    () => fetchJson(`${url}/healthz`).catch(() => 'unreachable'),
    (result) => result === 'unreachable',
  );
}

/** Returns the process id of a data folder's embedded database, if it is running. */
export function findDatabasePid(dataDir: string): Promise<number | undefined> {
  return findPostmaster({ databaseFolder: join(dataDir, 'postgresql-18') });
}

export function killDatabase(dataDir: string): Promise<void> {
  return signalDatabase(dataDir, 'SIGKILL');
}

/** Stops the embedded database with SIGQUIT, which lets it remove its shared memory. */
export function stopDatabase(dataDir: string): Promise<void> {
  return signalDatabase(dataDir, 'SIGQUIT');
}

async function signalDatabase(dataDir: string, signal: NodeJS.Signals): Promise<void> {
  const pid = await findDatabasePid(dataDir);
  if (pid === undefined) return;
  process.kill(pid, signal);
  await eventually(
    () => findDatabasePid(dataDir),
    (current) => current !== pid,
  );
}

export async function readFirstKey(dataDir: string): Promise<{ key: string; projectId: string }> {
  const line = await readFile(join(dataDir, 'first-key'), 'utf8');
  const [, key = '', projectId = ''] =
    /^export NAMEPLATE_API_KEY=(np_\S+) PROJECT=(\S+)\n$/.exec(line) ?? [];
  return { key, projectId };
}

/** Creates a folder that is deleted after the test or after all tests that share it. */
export async function createTempFolder(
  onFinished: RegisterCleanUp = onTestFinished,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'test-'));
  // If tests run as root, the embedded database runs as another user, who needs access.
  await chmod(folder, 0o711);
  onFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
