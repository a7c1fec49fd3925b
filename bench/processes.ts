import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import packageJson from '../package.json' with { type: 'json' };

export interface RunningServer {
  child: ChildProcess;
  base: string;
}

/** The Node arguments of `npm start`, without loading `.env`. */
const [, , ...START] = packageJson.scripts.start
  .replace(' --import ./server/process/env-file.ts', '')
  .split(' ');

const children: ChildProcess[] = [];

/** Starts the service as `npm start` does. */
export async function startService(
  settings: Record<string, string>,
): Promise<RunningServer & { milliseconds: number }> {
  const startedAt = performance.now();
  const env = { ...settings, PORT: '0' };
  const started = await start(START, /listens on (http:\S+)[^]*Ready/, env);
  return { ...started, milliseconds: Math.round(performance.now() - startedAt) };
}

/** Starts a process and waits until its address appears on standard error. */
export async function start(
  args: string[],
  pattern: RegExp,
  env: Record<string, string> = {},
): Promise<RunningServer> {
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env['PATH'], ...env },
    // Logs are written as in production, but discarded.
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  children.push(child);
  let text = '';
  for await (const chunk of child.stderr) {
    text += String(chunk);
    const base = pattern.exec(text)?.[1];
    if (base) {
      child.stderr.resume();
      return { child, base };
    }
  }
  throw new Error(`${args[0]} did not start: ${text}`);
}

export async function stopAll(): Promise<void> {
  await Promise.all(children.map(stop));
}

export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
