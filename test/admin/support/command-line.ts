import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** How a command ended. */
export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** The settings of a command, and what it is given to read. */
export type Settings = Record<string, string>;

/** Runs a command of the command line as a process of its own, with these settings and no others. */
export function runCommand(settings: Settings, ...args: string[]): Promise<Outcome> {
  return run(settings, process.execPath, 'server/admin/cli.ts', ...args);
}

/** Runs any program in the project's folder, without a terminal. */
export async function run(settings: Settings, file: string, ...args: string[]): Promise<Outcome> {
  const child = spawn(file, args, {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  return { code, stdout, stderr };
}

/** Runs a command with `--json`, which must succeed in silence, and returns the one value it printed. */
export async function runJson(settings: Settings, ...args: string[]): Promise<unknown> {
  const { code, stdout, stderr } = await runCommand(settings, ...args, '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}
