import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '../support/eventually.ts';
import { findFreePort } from '../support/postgres-server.ts';

const run = promisify(execFile);
/** Owner of the mailboxes. Any user except root works. */
const MAIL_UID = 5_000;

/** Postfix with the documented configuration. */
export interface Postfix {
  port: number;
  /** Messages delivered to this user so far. */
  readMailbox: (user: string) => Promise<string[]>;
  /** Whether the mail queue is empty. */
  isIdle: () => Promise<boolean>;
  log: () => Promise<string>;
  stop: () => Promise<void>;
}

/**
 * Starts Postfix on loopback. It refuses greetings other than host names, accepts mail for the
 * domain in the documented `main.cf`, and delivers mail for users of `mailbox.example.com` locally.
 */
export async function startPostfix(
  database: { host: string; name: string; password: string },
  users: readonly string[],
): Promise<Postfix> {
  const folder = await mkdtemp(join(tmpdir(), 'nameplate-postfix-'));
  await chmod(folder, 0o755);
  const [etc, queue, data, mail] = ['etc', 'queue', 'data', 'mail'].map((name) =>
    join(folder, name),
  ) as [string, string, string, string];
  for (const path of [etc, queue, data, mail]) await mkdir(path);
  const { stdout: postfixUid } = await run('id', ['-u', 'postfix']);
  await chown(data, Number(postfixUid), 0);
  await chown(mail, MAIL_UID, MAIL_UID);

  const port = await findFreePort();
  await writeFile(join(etc, 'master.cf'), masterCf(port));
  const mailboxes = users.map((user) => `${user}@mailbox.example.com ${user}/\n`);
  await writeFile(join(etc, 'mailboxes'), mailboxes.join(''));
  await writeFile(
    join(etc, 'pgsql-virtual.cf'),
    await readDocumentedConfig('pgsql-virtual.cf', database),
  );
  await writeFile(join(etc, 'no-address-literals'), '/^\\[/ REJECT\n');
  const documentedMain = await readDocumentedConfig('main.cf', database);
  const srs = await startPostsrsd(folder);
  const documentedSrs = await readDocumentedConfig('srs.cf', database);
  await writeFile(
    join(etc, 'main.cf'),
    mainCf({ folder, queue, data, mail, etc }) +
      documentedMain.replace('/etc/postfix/pgsql-virtual.cf', join(etc, 'pgsql-virtual.cf')) +
      documentedSrs.replace('10001', srs.forwardPort).replace('10002', srs.reversePort),
  );
  const postfix = (command: string) => run('/usr/sbin/postfix', ['-c', etc, command]);
  const log = () => readFile(join(folder, 'mail.log'), 'utf8').catch(() => '');
  try {
    await postfix('start');
  } catch (error) {
    throw new Error(`Postfix did not start: ${await log()}`, { cause: error });
  }
  const pid = Number(await readFile(join(queue, 'pid', 'master.pid'), 'utf8'));

  return {
    port,
    log,
    readMailbox: async (user) => {
      const files = await readdir(join(mail, user, 'new')).catch(() => []);
      return Promise.all(files.map((file) => readFile(join(mail, user, 'new', file), 'utf8')));
    },
    isIdle: async () => {
      const queues = ['maildrop', 'incoming', 'active', 'deferred'];
      const files = await Promise.all(
        queues.map((name) => readdir(join(queue, name), { recursive: true, withFileTypes: true })),
      );
      return files.flat().every((file) => !file.isFile());
    },
    stop: async () => {
      process.kill(pid, 'SIGTERM');
      await eventually(() => !isAlive(pid), Boolean);
      await srs.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function startPostsrsd(folder: string) {
  const [forwardPort, reversePort] = [String(await findFreePort()), String(await findFreePort())];
  const secret = join(folder, 'srs-secret');
  await writeFile(secret, 'secret\n');
  const ports = ['-l', '127.0.0.1', '-f', forwardPort, '-r', reversePort];
  const args = ['-d', 'nameplate.example', '-s', secret, ...ports];
  const child = spawn('/usr/sbin/postsrsd', args, { stdio: 'ignore' });
  const exited = once(child, 'exit');
  const stop = async () => {
    child.kill();
    await exited;
  };
  return { forwardPort, reversePort, stop };
}

/** Reads a documented file and replaces its example values. */
async function readDocumentedConfig(
  file: string,
  database: { host: string; name: string; password: string },
): Promise<string> {
  const text = await readFile(new URL(`../../deploy/postfix/${file}`, import.meta.url), 'utf8');
  return text
    .replace('127.0.0.1:5432', database.host)
    .replace('change-me', database.password)
    .replace('dbname = nameplate', `dbname = ${database.name}`);
}

function mainCf(paths: Record<'folder' | 'queue' | 'data' | 'mail' | 'etc', string>): string {
  return `compatibility_level = 3.6
queue_directory = ${paths.queue}
data_directory = ${paths.data}
command_directory = /usr/sbin
daemon_directory = /usr/lib/postfix/sbin
mail_owner = postfix
setgid_group = postdrop
maillog_file = ${join(paths.folder, 'mail.log')}
maillog_file_prefixes = ${paths.folder}
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = mail.nameplate.example
mydestination =
mynetworks =
recipient_delimiter = +
smtpd_relay_restrictions = reject_unauth_destination
smtpd_helo_required = yes
smtpd_helo_restrictions = reject_invalid_helo_hostname, reject_non_fqdn_helo_hostname, check_helo_access regexp:${join(paths.etc, 'no-address-literals')}
alias_maps =
alias_database =
local_recipient_maps =
default_transport = error:nothing leaves this test
virtual_mailbox_domains = mailbox.example.com
virtual_mailbox_base = ${paths.mail}
virtual_mailbox_maps = texthash:${join(paths.etc, 'mailboxes')}
virtual_uid_maps = static:${MAIL_UID}
virtual_gid_maps = static:${MAIL_UID}
`;
}

function masterCf(port: number): string {
  return `127.0.0.1:${port} inet n - n - - smtpd
cleanup   unix n - n - 0 cleanup
qmgr      unix n - n 300 1 qmgr
rewrite   unix - - n - - trivial-rewrite
bounce    unix - - n - 0 bounce
defer     unix - - n - 0 bounce
trace     unix - - n - 0 bounce
proxymap  unix - - n - - proxymap
proxywrite unix - - n - 1 proxymap
error     unix - - n - - error
retry     unix - - n - - error
virtual   unix - n n - - virtual
anvil     unix - - n - 1 anvil
postlog   unix-dgram n - n - 1 postlogd
`;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
