import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findSystemUser } from '#db/embedded/system-user.ts';
import { findFreePort } from '../support/postgres-server.ts';

/** PgBouncer on a free loopback port. */
export interface PgBouncer {
  /** Converts a PostgreSQL URL into one that connects through PgBouncer. */
  toPoolerUrl: (url: string) => string;
  stop: () => Promise<void>;
}

/**
 * Starts PgBouncer for all databases of a PostgreSQL server, with the documented configuration and
 * additional settings.
 */
export async function startPgBouncer(
  serverUrl: string,
  settings: Record<string, string> = {},
): Promise<PgBouncer> {
  const { hostname, port, username, password } = new URL(serverUrl);
  const folder = await mkdtemp(join(tmpdir(), 'nameplate-pgbouncer-'));
  const user = await findSystemUser(folder);
  const [ini, users] = [join(folder, 'pgbouncer.ini'), join(folder, 'userlist.txt')];
  const freePort = await findFreePort();
  await writeFile(users, `"${username}" "${password}"\n`);
  const documented = await readFile('deploy/pgbouncer/pgbouncer.ini', 'utf8');
  await writeFile(
    ini,
    documented
      .replace('nameplate = host=127.0.0.1 port=5432', `* = host=${hostname} port=${port}`)
      .replace('= 6432', `= ${freePort}`)
      .replace('/etc/pgbouncer/userlist.txt', users)
      .concat('unix_socket_dir =\n')
      .concat(...Object.entries(settings).map(([name, value]) => `${name} = ${value}\n`)),
  );
  if (user) for (const path of [folder, ini, users]) await chown(path, user.uid, user.gid);
  // Debian installs PgBouncer in /usr/sbin, which is not on every user's PATH.
  const child = spawn('pgbouncer', [ini], {
    ...user,
    env: { PATH: `${process.env['PATH']}:/usr/sbin` },
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = once(child, 'exit');
  await new Promise<void>((resolve, reject) => {
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
      if (stderr.includes('process up')) resolve();
    });
    child.on('error', reject);
    child.on('exit', () => reject(new Error(`PgBouncer did not start:\n${stderr}`)));
  });
  return {
    toPoolerUrl: (url) => {
      const poolerUrl = new URL(url);
      poolerUrl.port = String(freePort);
      return poolerUrl.href;
    },
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
