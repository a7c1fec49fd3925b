import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import type { DataFolder } from './data-folder.ts';

/** Name of the database and of its role, which is not a superuser. */
export const DATABASE_NAME = 'nameplate';

const SOCKET_PORT = 5432;

/**
 * `socket`: a Unix socket in the data folder, protected by the folder's mode. `loopback`: TCP with
 * a password, because Node does not support Unix sockets on Windows.
 */
export type Access = 'socket' | 'loopback';
export const DEFAULT_ACCESS: Access = process.platform === 'win32' ? 'loopback' : 'socket';

interface Loopback {
  port: number;
  password: string;
}

/** With `loopback`, undefined until `prepareAccess` has stored the port and the password. */
export async function findDatabaseUrl(
  { path }: DataFolder,
  access: Access,
  socketFolder: string,
): Promise<string | undefined> {
  if (access === 'socket') return buildUrl('', SOCKET_PORT, { host: socketFolder });
  const content = await readFile(loopbackFile(path), 'utf8').catch(() => undefined);
  if (content === undefined) return undefined;
  const { port, password } = JSON.parse(content) as Loopback;
  return buildUrl(password, port, {});
}

/**
 * Sets every parameter that `pg` would otherwise read from `PG*` variables, which are meant for
 * other databases. Values must be truthy, or `pg` still reads the variable. `PGAPPNAME` is only a
 * label, so it may still apply.
 */
function buildUrl(password: string, port: number, extraParams: Record<string, string>): string {
  const url = new URL(`postgres://${DATABASE_NAME}@127.0.0.1/${DATABASE_NAME}`);
  url.password = password;
  url.port = String(port);
  url.search = new URLSearchParams({
    ...extraParams,
    sslmode: 'disable',
    sslnegotiation: 'postgres',
    options: ' ',
    replication: 'false',
  }).toString();
  return url.href;
}

/** Returns the initdb arguments, the settings and the CREATE ROLE statement. `cleanUp` removes temporary files. */
export async function prepareAccess({ path, user }: DataFolder, access: Access) {
  if (access === 'socket')
    return {
      settings: INITIAL_SETTINGS,
      initdbArgs: ['--auth-local', 'trust', '--auth-host', 'reject'],
      createRoleSql: `CREATE ROLE ${DATABASE_NAME} LOGIN`,
      cleanUp: () => Promise.resolve(),
    };
  const loopback: Loopback = { port: await findFreePort(), password: randomPassword() };
  // initdb requires a superuser password. It is never used again.
  const passwordFile = join(path, 'password.making');
  await writeFile(passwordFile, randomPassword(), { mode: user ? 0o644 : 0o600 });
  await writeFile(loopbackFile(path), JSON.stringify(loopback), { mode: 0o600 });
  return {
    settings: {
      ...INITIAL_SETTINGS,
      listen_addresses: '127.0.0.1',
      port: String(loopback.port),
      unix_socket_directories: '',
    },
    initdbArgs: [
      '--auth-local',
      'reject',
      '--auth-host',
      'scram-sha-256',
      '--pwfile',
      passwordFile,
    ],
    createRoleSql: `CREATE ROLE ${DATABASE_NAME} LOGIN PASSWORD '${loopback.password}'`,
    cleanUp: () => rm(passwordFile, { force: true }),
  };
}

function loopbackFile(folder: string): string {
  return join(folder, 'loopback.json');
}

function randomPassword(): string {
  return randomBytes(24).toString('hex');
}

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  return port;
}

/** Written to `postgresql.conf` when the database is created. Operators may change them there. */
const INITIAL_SETTINGS = {
  // Points to the data folder. Relative, because socket paths must be short.
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
