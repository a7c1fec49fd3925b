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

// The driver takes what a URL leaves out from variables that are meant for other servers.
for (const name of Object.keys(process.env)) if (name.startsWith('PG')) delete process.env[name];

/** A real PostgreSQL server of our own on a free loopback port. */
export interface PostgresServer {
  /** Holds all that is its own. */
  folder: string;
  url: (database: string) => string;
  createDatabase: (name: string) => Promise<void>;
  /** Stops it in a way that keeps its data for `resume`. */
  pause: () => Promise<void>;
  /** Ends all its processes as `kill -9` does. */
  kill: () => Promise<void>;
  /** Starts it if it does not run. */
  resume: () => Promise<void>;
  stop: () => Promise<void>;
}

export interface PostgresOptions {
  /** Keeps its writes safe as in production; else it is faster. */
  durable?: boolean;
  /** PostgreSQL's programs; without them those from npm. */
  binaries?: Pick<Binaries, 'initdb' | 'postgres'>;
  /** More for its command line. */
  settings?: Record<string, string>;
  /** Gives its folder, which is empty, a file system of its own; what it returns takes that away. */
  mount?: (folder: string) => Promise<() => Promise<void>>;
  /** Makes its data, in place of `initdb`. */
  fill?: (data: string, as: ProgramOptions) => Promise<void>;
}

/** As whom and where PostgreSQL's programs run. */
interface ProgramOptions {
  uid?: number;
  gid?: number;
  cwd: string;
  env: Record<string, string>;
}

/** Starts one that has its data in the temporary folder, and is stopped by a Ctrl-C as this process is. */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'postgres-'));
  const unmount = await options.mount?.(folder);
  const user = await findSystemUser(folder);
  const [data, passwordFile] = [join(folder, 'data'), join(folder, 'password')];
  await writeFile(passwordFile, 'postgres');
  if (user) for (const path of [folder, passwordFile]) await chown(path, user.uid, user.gid);
  const { initdb, postgres } = options.binaries ?? (await findBinaries(user, folder));
  const asUser = { ...user, cwd: folder, env: { LC_ALL: 'C', TZ: 'UTC' } };
  if (options.fill) await options.fill(data, asUser);
  else
    await promisify(execFile)(
      initdb,
      [
        ...['--pgdata', data, '--username', 'postgres', '--encoding', 'UTF8', '--no-sync'],
        // PostgreSQL takes 3 ms of processor time per connection to check a SCRAM password.
        ...['--auth', 'md5', '--pwfile', passwordFile],
      ],
      asUser,
    );
  const port = await freePort();
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
      // It would go round all the databases of the tests.
      autovacuum: 'off',
    }),
    ...options.settings,
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const start = async () => {
    const child = spawn(postgres, ['-D', data, ...flags], {
      ...asUser,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    await ready(child);
    return child;
  };
  let running = await start();
  const hasEnded = () => running.exitCode !== null || running.signalCode !== null;
  const pause = async () => {
    if (hasEnded()) return;
    running.kill('SIGINT');
    await once(running, 'exit');
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
    pause,
    kill: () => killAll(running, data),
    resume: async () => {
      if (hasEnded()) running = await start();
    },
    stop: async () => {
      await pause();
      await unmount?.();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function ready(child: ChildProcess): Promise<void> {
  let said = '';
  await new Promise<void>((resolve, reject) => {
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (/ready to accept (?:read-only )?connections/.test(said)) resolve();
    });
    child.on('error', reject);
    child.on('exit', () => reject(new Error(`PostgreSQL did not start:\n${said}`)));
  });
  child.stderr?.removeAllListeners('data').resume();
}

/** Ends a server's processes at once, and removes the shared memory that it can no longer remove. */
async function killAll(server: ChildProcess, data: string): Promise<void> {
  const { pid } = server;
  const ended = once(server, 'exit');
  // It starts no more of them.
  server.kill('SIGSTOP');
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  for (const child of children.trim().split(' ')) process.kill(Number(child), 'SIGKILL');
  server.kill('SIGKILL');
  await ended;
  const lock = await readFile(join(data, 'postmaster.pid'), 'utf8');
  const [, memory] = /^ *\d+ +(\d+)$/m.exec(lock) ?? [];
  if (memory) await promisify(execFile)('ipcrm', ['--shmem-id', memory]);
}

/** Below the ports that systems give to whoever asks for any. */
const PORTS = [20_000, 32_768] as const;

/** A port for what is started later: until this process ends, nobody else gets it. */
export async function freePort(): Promise<number> {
  const port = randomInt(...PORTS);
  // A UDP socket keeps the port from others who look for one, and from nobody else.
  const claim = createSocket('udp4').bind(port, '127.0.0.1');
  const probe = createServer();
  try {
    await once(claim, 'listening');
    await once(probe.listen(port, '127.0.0.1'), 'listening');
  } catch (error) {
    claim.close();
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return freePort();
    throw error;
  }
  claim.unref();
  probe.close();
  await once(probe, 'close');
  return port;
}
