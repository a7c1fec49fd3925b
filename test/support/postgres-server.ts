import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { type Binaries, findBinaries } from '#db/embedded/binaries.ts';
import { findSystemUser } from '#db/embedded/system-user.ts';

// These variables are defaults of `pg`, and may point to another server.
for (const name of Object.keys(process.env)) if (name.startsWith('PG')) delete process.env[name];

/** A PostgreSQL server on a free loopback port. */
export interface PostgresServer {
  /** All files of the server, including its data directory. */
  folder: string;
  url: (database: string) => string;
  createDatabase: (name: string) => Promise<void>;
  /** Stops the server but keeps its data for `ensureRunning`. */
  shutDown: () => Promise<void>;
  /** Sends SIGKILL to all processes of the server. */
  kill: () => Promise<void>;
  /** Starts the server unless it is running. */
  ensureRunning: () => Promise<void>;
  stop: () => Promise<void>;
}

export interface PostgresOptions {
  /** Enables fsync, autovacuum and the WAL settings of production, which would slow down tests. */
  durable?: boolean;
  /** Defaults to the binaries from npm. */
  binaries?: Pick<Binaries, 'initdb' | 'postgres'>;
  /** Server settings for the command line. */
  settings?: Record<string, string>;
  /** Mounts a file system on the folder, and returns a function that unmounts it. */
  mount?: (folder: string) => Promise<() => Promise<void>>;
}

/** Starts a server in a new temporary folder. Ctrl-C stops both this process and the server. */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'postgres-'));
  const unmount = await options.mount?.(folder);
  const user = await findSystemUser(folder);
  const [dataDir, passwordFile] = [join(folder, 'data'), join(folder, 'password')];
  await writeFile(passwordFile, 'postgres');
  if (user) for (const path of [folder, passwordFile]) await chown(path, user.uid, user.gid);
  const { initdb, postgres } = options.binaries ?? (await findBinaries(user, folder));
  const processOptions = { ...user, cwd: folder, env: { LC_ALL: 'C', TZ: 'UTC' } };
  await promisify(execFile)(
    initdb,
    [
      ...['--pgdata', dataDir, '--username', 'postgres', '--encoding', 'UTF8', '--no-sync'],
      // Not SCRAM, which needs 3 ms of CPU time per connection.
      ...['--auth', 'md5', '--pwfile', passwordFile],
    ],
    processOptions,
  );
  const port = await findFreePort();
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 300,
    ...(!options.durable && {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      wal_level: 'minimal',
      max_wal_senders: 0,
      // Autovacuum would slow down tests by vacuuming their databases.
      autovacuum: 'off',
    }),
    ...options.settings,
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const start = async () => {
    const child = spawn(postgres, ['-D', dataDir, ...flags], {
      ...processOptions,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    await waitUntilReady(child);
    return child;
  };
  let server = await start();
  const hasExited = () => server.exitCode !== null || server.signalCode !== null;
  const shutDown = async () => {
    if (hasExited()) return;
    server.kill('SIGINT');
    await once(server, 'exit');
  };
  const url = (database: string) => `postgres://postgres:postgres@127.0.0.1:${port}/${database}`;
  return {
    folder,
    url,
    createDatabase: async (name) => {
      const client = new pg.Client({ connectionString: url('postgres') });
      await client.connect();
      await client.query(`CREATE DATABASE ${name}`);
      await client.end();
    },
    shutDown,
    kill: () => killAll(server, dataDir),
    ensureRunning: async () => {
      if (hasExited()) server = await start();
    },
    stop: async () => {
      await shutDown();
      await unmount?.();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function waitUntilReady(child: ChildProcess): Promise<void> {
  let stderr = '';
  await new Promise<void>((resolve, reject) => {
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
      if (/ready to accept (?:read-only )?connections/.test(stderr)) resolve();
    });
    child.on('error', reject);
    child.on('exit', () => reject(new Error(`PostgreSQL did not start:\n${stderr}`)));
  });
  child.stderr?.removeAllListeners('data').resume();
}

/** Sends SIGKILL to a server's processes, and removes the shared memory that they leave behind. */
async function killAll(server: ChildProcess, dataDir: string): Promise<void> {
  const { pid } = server;
  const exited = once(server, 'exit');
  // While it is stopped, the server cannot fork new processes.
  server.kill('SIGSTOP');
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  for (const child of children.trim().split(' ')) process.kill(Number(child), 'SIGKILL');
  server.kill('SIGKILL');
  await exited;
  const lockFile = await readFile(join(dataDir, 'postmaster.pid'), 'utf8');
  const [, sharedMemoryId] = /^ *\d+ +(\d+)$/m.exec(lockFile) ?? [];
  if (sharedMemoryId) await promisify(execFile)('ipcrm', ['--shmem-id', sharedMemoryId]);
}

/** Below the ephemeral ports, which the OS assigns to other sockets. */
const PORT_RANGE = [20_000, 32_768] as const;

/**
 * Finds a free TCP port and reserves it until this process exits: later calls, even in other processes,
 * return different ports.
 */
export async function findFreePort(): Promise<number> {
  const port = randomInt(...PORT_RANGE);
  // Reserve the port with a UDP socket, because TCP has to stay free for the server.
  const reservation = createSocket('udp4').bind(port, '127.0.0.1');
  const probe = createServer();
  try {
    await once(reservation, 'listening');
    await once(probe.listen(port, '127.0.0.1'), 'listening');
  } catch (error) {
    reservation.close();
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return findFreePort();
    throw error;
  }
  reservation.unref();
  probe.close();
  await once(probe, 'close');
  return port;
}
