import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import type { DataFolder } from './data-folder.ts';

/** The database, and the role that owns it and is no superuser. */
export const DATABASE_NAME = 'nameplate';

/** Part of the name of the socket. */
const SOCKET_PORT = 5432;

/**
 * How the database is reached: through a socket in its folder, where the folder's mode decides who may;
 * or on loopback with a password, since Node knows no such sockets on Windows.
 */
export type Access = 'socket' | 'loopback';
export const DEFAULT_ACCESS: Access = process.platform === 'win32' ? 'loopback' : 'socket';

interface Loopback {
  port: number;
  password: string;
}

/** The URL for `pg`; undefined as long as there is no database. */
export async function urlOf(
  { path }: DataFolder,
  access: Access,
  socketFolder: string,
): Promise<string | undefined> {
  if (access === 'socket') return completeUrl('', SOCKET_PORT, { host: socketFolder });
  const content = await readFile(fileOf(path), 'utf8').catch(() => undefined);
  if (content === undefined) return undefined;
  const { port, password } = JSON.parse(content) as Loopback;
  return completeUrl(password, port, {});
}

/**
 * Names everything that `pg` would otherwise take from `PG*` variables, which are meant for other
 * databases. Each value has to be truthy, or `pg` looks at the variable all the same; `PGAPPNAME` is
 * left out, because it is only a label.
 */
function completeUrl(password: string, port: number, more: Record<string, string>): string {
  const url = new URL(`postgres://${DATABASE_NAME}@127.0.0.1/${DATABASE_NAME}`);
  url.password = password;
  url.port = String(port);
  url.search = new URLSearchParams({
    ...more,
    sslmode: 'disable',
    sslnegotiation: 'postgres',
    options: ' ',
    replication: 'false',
  }).toString();
  return url.href;
}

/**
 * Prepares a new database to be reached in this way, and returns how to remove what is needed only while it
 * is made.
 */
export async function prepareAccess({ path, user }: DataFolder, access: Access) {
  if (access === 'socket')
    return {
      settings: INITIAL_SETTINGS,
      initdb: ['--auth-local', 'trust', '--auth-host', 'reject'],
      role: `CREATE ROLE ${DATABASE_NAME} LOGIN`,
      done: () => Promise.resolve(),
    };
  const loopback: Loopback = { port: await freePort(), password: randomPassword() };
  // The superuser's is never used again.
  const passwordFile = join(path, 'password.making');
  await writeFile(passwordFile, randomPassword(), { mode: user ? 0o644 : 0o600 });
  await writeFile(fileOf(path), JSON.stringify(loopback), { mode: 0o600 });
  return {
    settings: {
      ...INITIAL_SETTINGS,
      listen_addresses: '127.0.0.1',
      port: String(loopback.port),
      unix_socket_directories: '',
    },
    initdb: ['--auth-local', 'reject', '--auth-host', 'scram-sha-256', '--pwfile', passwordFile],
    role: `CREATE ROLE ${DATABASE_NAME} LOGIN PASSWORD '${loopback.password}'`,
    done: () => rm(passwordFile, { force: true }),
  };
}

function fileOf(folder: string): string {
  return join(folder, 'loopback.json');
}

function randomPassword(): string {
  return randomBytes(24).toString('hex');
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  return port;
}

/** Initial lines of `postgresql.conf`: durable and small. Operators may change the file. */
const INITIAL_SETTINGS = {
  // The data folder, relative to the database folder: socket paths must be short.
  unix_socket_directories: '..',
  unix_socket_permissions: '0700',
  listen_addresses: '',
  max_connections: '50',
  shared_buffers: '64MB',
  min_wal_size: '32MB',
  max_wal_size: '512MB',
  wal_level: 'minimal',
  max_wal_senders: '0',
  io_method: 'sync',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Log lines are `SQLSTATE|SEVERITY:  message`, without values from requests.
  log_line_prefix: '%e|',
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
};
