import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

export interface ExampleServer {
  settings: Record<string, string>;
  /** Where it listens. */
  origin: string;
  /** Stops it and removes its data. */
  close: () => Promise<void>;
}

/**
 * Starts a server with an embedded database in a new temporary folder. In the foreground, its log is
 * printed.
 */
export async function startExampleServer(
  extraSettings: Record<string, string>,
  { isForeground = false } = {},
): Promise<ExampleServer> {
  const folder = await mkdtemp(join(tmpdir(), 'nameplate-demo-'));
  // When root runs this, the embedded database runs as another user, who needs access.
  await chmod(folder, 0o711);
  const settings = { DATA_DIR: join(folder, 'data'), ...extraSettings };
  const server = spawn(process.execPath, ['server/main.ts'], {
    env: { PATH: process.env['PATH'], ...settings },
    stdio: ['ignore', isForeground ? 'inherit' : 'ignore', 'pipe'],
    // A group of its own, so that Ctrl-C in a terminal reaches only the process that stops it.
    detached: !isForeground,
  });
  const close = async () => {
    server.kill('SIGTERM');
    if (server.exitCode === null)
      await new Promise((resolve) => void server.once('close', resolve));
    await rm(folder, { recursive: true, force: true });
  };
  try {
    return { settings, origin: await waitUntilListening(server), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Waits until the server is ready and returns its URL. Then its messages are dropped. */
async function waitUntilListening(server: ChildProcessByStdio<null, null, Readable>) {
  let text = '';
  server.stderr.setEncoding('utf8');
  return new Promise<string>((resolve, reject) => {
    server.once('close', () => reject(new Error(`the server ended:\n${text}`)));
    server.stderr.on('data', (chunk: string) => {
      text += chunk;
      const [, origin] = /listens on (http:\S+)[^]*^Ready\./m.exec(text) ?? [];
      if (origin === undefined) return;
      server.stderr.removeAllListeners('data').resume();
      resolve(origin);
    });
  });
}
