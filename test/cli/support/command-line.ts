import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, onTestFinished, vi } from 'vitest';
import { runCommandLine } from '#server/entry/cli/program.ts';
import { childEnvironment } from '#test/support/child-environment.ts';
import { connectPostgresDatabase, createPostgresDatabase } from '#test/support/test-database.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

export interface CommandResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

export const failure = (message: unknown, code = 1) => ({
  code,
  stdout: '',
  stderr:
    typeof message === 'string'
      ? `${message}\n`
      : message instanceof RegExp
        ? (expect.stringMatching(message) as string)
        : message,
});

export type Settings = Record<string, string>;

/** A running process. The test must read its stdout. */
export interface RunningCommand {
  child: ChildProcessByStdio<null, Readable, Readable>;
  /** Resolves when the process has exited and its output has been read. */
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null; stderr: string }>;
}

let lastRun: Promise<unknown> = Promise.resolve();

/** Runs a command in this process. `settings` replaces the environment variables. */
export function runCommand(settings: Settings, ...args: string[]): Promise<CommandResult> {
  const run = lastRun.then(async () => {
    const { env } = process;
    const [stdout, stderr] = [captureStream(process.stdout), captureStream(process.stderr)];
    process.env = childEnvironment(settings);
    try {
      const code = await runCommandLine(args);
      return { code, stdout: stdout.text(), stderr: stderr.text() };
    } finally {
      process.env = env;
      stdout.restore();
      stderr.restore();
    }
  });
  lastRun = run.catch(() => {});
  return run;
}

function captureStream(stream: NodeJS.WriteStream) {
  const chunks: Buffer[] = [];
  const spy = vi.spyOn(stream, 'write').mockImplementation((chunk, encoding, written) => {
    chunks.push(Buffer.from(chunk as string));
    const callback = typeof encoding === 'function' ? encoding : written;
    if (callback) queueMicrotask(callback);
    return true;
  });
  return { text: () => Buffer.concat(chunks).toString(), restore: () => spy.mockRestore() };
}

export async function runInTerminal(settings: Settings, args: string[], answer = '') {
  const command = [process.execPath, 'server/entry/cli/cli.ts', ...args].join(' ');
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    cwd: ROOT,
    env: childEnvironment({ TERM: 'xterm-256color', ...settings }),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    if (output.endsWith('[y/N] ')) child.stdin.write(answer);
  });
  const code = await new Promise((resolve) => child.on('close', resolve));
  return { code, output: output.replaceAll('\r\n', '\n') };
}

export function runCommandProcess(settings: Settings, ...args: string[]): Promise<CommandResult> {
  return runProgram(settings, process.execPath, 'server/entry/cli/cli.ts', ...args);
}

export function spawnCommand(settings: Settings, ...args: string[]): RunningCommand {
  return spawnProgram(settings, process.execPath, 'server/entry/cli/cli.ts', ...args);
}

/** Runs a program in the project's folder, without a terminal. */
export async function runProgram(
  settings: Settings,
  file: string,
  ...args: string[]
): Promise<CommandResult> {
  const { child, exited } = spawnProgram(settings, file, ...args);
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  const { code, stderr } = await exited;
  return { code, stdout, stderr };
}

function spawnProgram(settings: Settings, file: string, ...args: string[]): RunningCommand {
  const child = spawn(file, args, {
    cwd: ROOT,
    env: childEnvironment(settings),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const exited = new Promise<Awaited<RunningCommand['exited']>>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, stderr }));
  });
  return { child, exited };
}

export async function countAccounts(settings: Settings): Promise<number> {
  const { members } = (await runJson(settings, 'members.listMembers')) as { members: unknown[] };
  return members.length;
}

export const deprecationOnly = expect.stringMatching(/^(?:Deprecated: .*\n)?$/) as string;

/**
 * Runs a command with `--json`, which must succeed and print at most that it is deprecated. Returns the parsed output.
 */
export async function runJson(settings: Settings, ...args: string[]): Promise<unknown> {
  const { code, stdout, stderr } = await runCommand(settings, ...args, '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: deprecationOnly });
  return JSON.parse(stdout);
}

/** Creates a migrated database, or one like `template`, and connects to it until the test or file ends. */
export async function createDatabase(
  template = 'nameplate_template',
  onFinished: (close: () => Promise<void>) => void = onTestFinished,
) {
  const url = await createPostgresDatabase(template);
  const database = connectPostgresDatabase(url);
  onFinished(database.close);
  const name = new URL(url).pathname.slice(1);
  return { url, settings: { DATABASE_URL: url }, database, db: database.db, name };
}

/** Creates a migrated database for all tests of a file. */
export function useDatabase() {
  const shared = {} as Awaited<ReturnType<typeof createDatabase>>;
  let close: () => Promise<void>;
  beforeAll(async () => {
    Object.assign(
      shared,
      await createDatabase(undefined, (closeDatabase) => (close = closeDatabase)),
    );
  });
  afterAll(() => close());
  return shared;
}
