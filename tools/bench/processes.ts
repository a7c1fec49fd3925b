import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import packageJson from '../../package.json' with { type: 'json' };

export interface RunningServer {
  child: ChildProcess;
  base: string;
}

/** The Node arguments of `npm start`, without loading `.env`. */
const [, , ...SERVICE_ARGS] = packageJson.scripts.start
  .replace(' --import ./server/process/env-file.ts', '')
  .split(' ');

const children: ChildProcess[] = [];

/** Starts the Nameplate in `folder`. */
export async function startService(
  settings: Record<string, string>,
  folder = '.',
): Promise<RunningServer & { milliseconds: number }> {
  const startedAt = performance.now();
  const env = { ...settings, PORT: '0' };
  const server = await startServer(SERVICE_ARGS, /listens on (http:\S+)[^]*Ready/, env, folder);
  return { ...server, milliseconds: Math.round(performance.now() - startedAt) };
}

/** Starts a process and waits until its address appears on standard error. */
export async function startServer(
  args: string[],
  addressPattern: RegExp,
  env: Record<string, string> = {},
  cwd = '.',
): Promise<RunningServer> {
  const child = spawn(process.execPath, args, {
    cwd,
    env: { PATH: process.env['PATH'], ...env },
    // Logs are written as in production, but discarded.
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  children.push(child);
  let stderr = '';
  for await (const chunk of child.stderr) {
    stderr += String(chunk);
    const base = addressPattern.exec(stderr)?.[1];
    if (base) {
      child.stderr.resume();
      return { child, base };
    }
  }
  throw new Error(`${args[0]} did not start: ${stderr}`);
}

export async function stopAllProcesses(): Promise<void> {
  await Promise.all(children.map(stopProcess));
}

export async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}
