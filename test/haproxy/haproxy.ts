import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../support/eventually.ts';
import { findFreePort } from '../support/postgres-server.ts';

/** HAProxy on a free loopback port. */
export interface Haproxy {
  port: number;
  /** HAProxy's log messages so far. */
  readLog: () => string;
  stop: () => Promise<void>;
}

/** Starts HAProxy in front of two servers, with `changes` to the documented configuration. */
export async function startHaproxy(
  [firstPort, secondPort]: readonly [number, number],
  changes: [string, string][] = [],
): Promise<Haproxy> {
  const folder = await mkdtemp(join(tmpdir(), 'nameplate-haproxy-'));
  const port = await findFreePort();
  let config = await readFile('docs/haproxy/haproxy.cfg', 'utf8');
  for (const [documented, replacement] of [
    ['bind :8080', `bind 127.0.0.1:${port}`],
    ['10.0.0.1:3000', `127.0.0.1:${firstPort}`],
    ['10.0.0.2:3000', `127.0.0.1:${secondPort}`],
    // Only root can switch to another user.
    ...(process.getuid?.() === 0
      ? []
      : [['  user haproxy\n  group haproxy\n  chroot /var/lib/haproxy\n', '']]),
    ...changes,
  ] as [string, string][]) {
    if (!config.includes(documented)) throw new Error(`haproxy.cfg does not contain ${documented}`);
    config = config.replace(documented, replacement);
  }
  const file = join(folder, 'haproxy.cfg');
  await writeFile(file, config);
  const child = spawn('/usr/sbin/haproxy', ['-f', file], { stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const exited = once(child, 'exit');
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(`HAProxy did not start:\n${stderr}`);
    await connectOnce(port);
  });
  return {
    port,
    readLog: () => stdout,
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function connectOnce(port: number): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1' });
  await once(socket, 'connect');
  socket.destroy();
}
