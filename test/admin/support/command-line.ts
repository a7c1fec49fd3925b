import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { environment } from '../../support/environment.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** How a command ended. */
export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** The settings of a command. */
export type Settings = Record<string, string>;

/** A process that runs, whose output is for the test to read. */
export interface Running {
  child: ChildProcessByStdio<null, Readable, Readable>;
  /** How it ended; only after its output was read. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null; stderr: string }>;
}

/** Runs a command of the command line as a process of its own, with these settings and no others. */
export function runCommand(settings: Settings, ...args: string[]): Promise<Outcome> {
  return run(settings, process.execPath, 'server/admin/cli.ts', ...args);
}

/** Starts one. */
export function spawnCommand(settings: Settings, ...args: string[]): Running {
  return start(settings, process.execPath, 'server/admin/cli.ts', ...args);
}

/** Runs any program in the project's folder, without a terminal. */
export async function run(settings: Settings, file: string, ...args: string[]): Promise<Outcome> {
  const { child, ended } = start(settings, file, ...args);
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  const { code, stderr } = await ended;
  return { code, stdout, stderr };
}

function start(settings: Settings, file: string, ...args: string[]): Running {
  const child = spawn(file, args, {
    cwd: ROOT,
    env: environment(settings),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = new Promise<Awaited<Running['ended']>>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, stderr }));
  });
  return { child, ended };
}

/** Runs a command with `--json`, which must succeed in silence, and returns the one value it printed. */
export async function runJson(settings: Settings, ...args: string[]): Promise<unknown> {
  const { code, stdout, stderr } = await runCommand(settings, ...args, '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}
