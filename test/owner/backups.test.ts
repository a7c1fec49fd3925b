import { exec } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { promises as fs } from 'node:fs';
import { readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { expect, it, onTestFinished, vi } from 'vitest';
import { DAY_MS, utcDay } from '#contract/shared/durations.ts';
import { openArchive } from '#db/backup/archive.ts';
import { EMPTY_INSTANCE } from '#db/queries/instance.ts';
import { backupJob } from '#server/features/backups/backup-job.ts';
import { backupMail } from '#server/features/backups/backup-mail.ts';
import { backupErrorOf, Backups } from '#server/features/backups/backups.ts';
import { describeBackups } from '#server/features/backups/owner-routes.ts';
import { openDraft } from '#server/platform/draft-file.ts';
import { writeMail } from '#server/platform/mail/write-mail.ts';
import { translatorFor } from '#server/platform/text/language.ts';
import { call } from '../support/call.ts';
import { createOperator } from '../support/endpoints.ts';
import { runJobs } from '../support/run-jobs.ts';
import { createTempFolder } from '../support/server-process.ts';
import { logIn, postFromPage } from '../support/session.ts';
import { startTestApp } from '../support/test-app.ts';

const TODAY = `nameplate-${utcDay()}.zip`;
const PLENTY = 1e12;

async function startServer(options = {}) {
  const BACKUP_DIR = join(await createTempFolder(), 'backups');
  const server = await startTestApp({ BACKUP_DIR, mailEnabled: true, ...options });
  onTestFinished(() => server.close());
  const operator = await createOperator(server);
  const headers = await logIn(server, operator.id);
  const { database, outbox } = server;
  const get = (path: string) => call(server.app, { path: `/owner/${path}`, headers });
  return {
    server,
    operator,
    folder: BACKUP_DIR,
    get,
    start: () => postFromPage(server, '/owner/server/create-backup', {}, headers),
    readServer: async () =>
      (await get('server/get-server')).body as {
        backups: { is_running: boolean; files: { name: string; bytes: number }[] };
        setup: { code: string; text: string }[];
      },
    /** Runs the job without the queue, with `freeBytes` on the disk. */
    runJob: (freeBytes = PLENTY, signal = new AbortController().signal) => {
      const backups = new Backups(BACKUP_DIR, database.url, () => Promise.resolve(freeBytes));
      const app = { ...server.nameplate, backups, outbox };
      return backupJob.run(app, {}, { id: randomUUID(), signal });
    },
  };
}

it('a backup is made in the background, shown, downloaded, and replaced by one of the same day', async () => {
  const { server, folder, get, start, readServer } = await startServer();
  await server.jobs.open();
  for (let run = 0; run < 2; run += 1) {
    expect(await start()).toMatchObject({ status: 200 });
    expect((await readServer()).backups.is_running).toBe(true);
    await runJobs(server.database, backupJob, server.nameplate);
  }
  expect(await readdir(folder)).toEqual([TODAY]);
  const { backups, setup } = await readServer();
  const { length: bytes } = await readFile(join(folder, TODAY));
  expect(backups).toMatchObject({
    is_running: false,
    files: [{ name: TODAY, bytes }],
  });
  expect(setup.map(({ code }) => code)).toContain('backupSet');
  const download = await get(`server/export-backup?name=${TODAY}`);
  const headers = { 'content-disposition': `attachment; filename="${TODAY}"` };
  expect(download).toMatchObject({ status: 200, headers });
  using archive = await openArchive(join(folder, TODAY));
  expect((await archive.readSummary()).rows['accounts']).toBe(1);
  const { body } = await get('server/list-audit-entries');
  expect((body as { entries: { action: string }[] }).entries.map(({ action }) => action)).toEqual([
    'server.exportBackup',
    'server.createBackup',
    'server.createBackup',
  ]);
});

it('only the seven newest are kept, unless the clock has jumped, and fewer if they use more than a tenth of the disk', async () => {
  const { server, folder, runJob } = await startServer();
  await runJob();
  const { length: size } = await readFile(join(folder, TODAY));
  const addOld = async () => {
    for (let days = 1; days <= 8; days += 1) {
      const madeAt = new Date(Date.now() - days * DAY_MS);
      const file = join(folder, `nameplate-${utcDay(madeAt.getTime())}.zip`);
      await writeFile(file, Buffer.alloc(size));
      await utimes(file, madeAt, madeAt);
    }
  };
  await writeFile(join(folder, 'notes.txt'), 'not a backup');
  await addOld();
  await server.sql`INSERT INTO last_maintenance VALUES (true, now() - interval '25 hours', 0, 0)`;
  await runJob();
  expect(await readdir(folder)).toHaveLength(1 + 9);
  await server.sql`UPDATE last_maintenance SET finished_at = now()`;
  await runJob();
  expect(await readdir(folder)).toHaveLength(1 + 7);
  await addOld();
  // A tenth of the free space and of the nine files: three and a half.
  await runJob((35 - 9) * size);
  expect((await readdir(folder)).toSorted()).toEqual([
    ...[2, 1, 0].map((days) => `nameplate-${utcDay(Date.now() - days * DAY_MS)}.zip`),
    'notes.txt',
  ]);
  const { url } = server.database;
  const findShortage = (freeBytes: number) =>
    new Backups(folder, url, () => Promise.resolve(freeBytes)).findShortage();
  expect(await findShortage(PLENTY)).toBeUndefined();
  expect(await findShortage((69 - 3) * size)).toBe('days');
});

it('the newest backup of a day is the one that was made last', async () => {
  const folder = await createTempFolder();
  const makeFile = async (name: string, minutesAgo: number) => {
    await writeFile(join(folder, name), 'x');
    const madeAt = new Date(Date.now() - minutesAgo * 60_000);
    await utimes(join(folder, name), madeAt, madeAt);
  };
  await makeFile('nameplate-2026-11-28.zip', 60);
  await makeFile('nameplate-2026-11-28-without-metrics.zip', 10);
  // A copy has the time of the copying.
  await makeFile('nameplate-2026-11-27.zip', 1);
  // A clock that was ahead.
  await makeFile('nameplate-9999-11-28.zip', 0);
  const files = await new Backups(folder, 'postgres://nobody').list();
  expect(files.map(({ name }) => name)).toEqual([
    'nameplate-2026-11-28-without-metrics.zip',
    'nameplate-2026-11-28.zip',
    'nameplate-2026-11-27.zip',
    'nameplate-9999-11-28.zip',
  ]);
});

const fail = (code: string) => Promise.reject(Object.assign(new Error(code), { code }));
const pretend = (...spies: { mockRestore: () => void }[]) => {
  syncBuiltinESMExports();
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore();
    syncBuiltinESMExports();
  });
};

it.each([
  ['EINVAL', true],
  ['EIO', false],
])(
  'on a file system that answers %s where a folder is synced, is a backup complete? %s',
  async (code, isDone) => {
    const { folder, runJob } = await startServer();
    const { open } = fs;
    pretend(
      vi.spyOn(fs, 'open').mockImplementation(async (...args) => {
        const file = await open(...args);
        if ((await file.stat()).isDirectory()) file.sync = () => fail(code);
        return file;
      }),
    );
    const result = await Promise.allSettled([runJob()]);
    expect(result).toMatchObject([{ status: isDone ? 'fulfilled' : 'rejected' }]);
    expect(await readdir(folder)).toEqual([TODAY]);
  },
);

it('on a file system without hard links a file is written, and none is replaced', async () => {
  const folder = await createTempFolder();
  const file = join(folder, 'file.zip');
  pretend(vi.spyOn(fs, 'link').mockImplementation(() => fail('EPERM')));
  const write = async (text: string) => {
    await using draft = await openDraft(file, { replace: false });
    return await draft.write(Readable.from([Buffer.from(text)]), async () => {
      if (text === 'later') await writeFile(file, 'meanwhile');
    });
  };
  expect(await write('first')).toBe(5);
  await expect(write('second')).rejects.toThrow('already exists');
  expect(await readFile(file, 'utf8')).toBe('first');
  await rm(file);
  await expect(write('later')).rejects.toThrow('already exists');
  expect(await readFile(file, 'utf8')).toBe('meanwhile');
  expect(await readdir(folder)).toEqual(['file.zip']);
});

it('metrics that do not fit are left out, and the server says so', async () => {
  const { server, operator, folder, readServer, runJob } = await startServer();
  await runJob();
  const { length: size } = await readFile(join(folder, TODAY));
  await rm(join(folder, TODAY));
  const projectId = await server.createProject(operator);
  const noise = randomBytes(200_000).toString('hex');
  await server.sql`INSERT INTO metrics (project_id, payload)
    VALUES (${projectId}, ${JSON.stringify({ noise })}::json)`;
  await runJob(10 * (size + 50_000));
  const name = TODAY.replace('.zip', '-without-metrics.zip');
  expect(await readdir(folder)).toEqual([name]);
  using archive = await openArchive(join(folder, name));
  expect((await archive.readSummary()).rows).toMatchObject({
    accounts: 1,
    projects: 1,
    metrics: 0,
  });
  const { backups, setup } = await readServer();
  expect(backups.files).toMatchObject([{ name }]);
  expect(setup).toContainEqual(
    expect.objectContaining({
      code: 'backupTooLarge',
      text: expect.stringContaining('no metrics') as string,
    }),
  );
});

it('a failure leaves earlier backups alone, warns, mails operators once a day, and ends with a success', async () => {
  const { server, folder, readServer, runJob } = await startServer();
  await server.sql`UPDATE forwarding_settings SET login_email = 'op@example.com', email_scope = 'operator'`;
  await runJob();
  const before = await readFile(join(folder, TODAY));
  const readMails = async () =>
    await server.sql`SELECT data->>'error' AS error FROM pgboss.job WHERE name = 'mail'`;
  await expect(runJob(0)).rejects.toThrow('too large');
  await expect(runJob(0)).rejects.toThrow('too large');
  expect(await readMails()).toEqual([{ error: 'space' }]);
  expect(await readdir(folder)).toEqual([TODAY]);
  expect(await readFile(join(folder, TODAY))).toEqual(before);
  const text = expect.stringContaining('too little space') as string;
  const { setup } = await readServer();
  expect(setup.filter(({ code }) => code.startsWith('backup'))).toMatchObject([
    { code: 'backupFailed', text },
  ]);
  await server.sql`UPDATE last_backup SET failed_at = now() - interval '1 day'`;
  await expect(runJob(0)).rejects.toThrow('too large');
  expect(await readMails()).toHaveLength(2);
  await runJob();
  expect((await readServer()).setup.map(({ code }) => code)).not.toContain('backupFailed');
});

it('a server that stops in the middle of a backup leaves nothing, and does not count it as failed', async () => {
  const { server, folder, runJob } = await startServer();
  await server.jobs.open();
  await expect(runJob(PLENTY, AbortSignal.abort())).rejects.toThrow('aborted');
  expect(await readdir(folder)).toEqual([]);
  const rows = await server.sql`SELECT FROM last_backup`;
  expect(rows).toEqual([]);
});

it('a file in place of the folder is named, with the lines that replace it', async () => {
  const { folder, readServer, runJob } = await startServer();
  await writeFile(folder, 'a file');
  await expect(runJob()).rejects.toThrow('ENOTDIR');
  const fix = [
    '# as root',
    `mv ${folder} ${folder}.old`,
    `mkdir -p ${folder}`,
    `chown ${process.getuid!()} ${folder}`,
    `chmod 700 ${folder}`,
  ].join('\n');
  const text = `A file is in the way: ${folder} must be a folder.`;
  expect((await readServer()).setup).toContainEqual(
    expect.objectContaining({ code: 'backupFailed', text, fix }),
  );
  const mail = { address: 'op@example.com', name: 'op', error: 'file' } as const;
  const owner = { accountId: '', language: 'en', requestedAt: '' } as const;
  const { intro } = writeMail(
    backupMail,
    { ...mail, ...owner, folder },
    { publicUrl: 'https://club.example', instance: EMPTY_INSTANCE, t: translatorFor('en') },
  );
  expect(intro.join('\n')).toContain(`${text}\nHow to fix it:\n${fix}`);
  await promisify(exec)(fix);
  await runJob();
  expect(await readdir(folder)).toEqual([TODAY]);
});

it.each([
  ['EACCES', 'mkdir', 'missing'],
  ['ENOENT', 'mkdir', 'missing'],
  ['EACCES', 'open', 'denied'],
  ['EPERM', 'open', 'denied'],
  ['EROFS', 'mkdir', 'readonly'],
  ['ENOTDIR', 'mkdir', 'file'],
  ['ENOSPC', 'write', 'space'],
  ['ENOENT', 'connect', 'other'],
])('%s of %s means: %s', (code, syscall, cause) => {
  expect(backupErrorOf(Object.assign(new Error(code), { code, syscall }))).toBe(cause);
});

it.runIf(process.platform === 'linux')('a folder that cannot exist ends the backup', async () => {
  const backups = new Backups('/proc/nameplate/backups', '');
  await expect(backups.create(AbortSignal.timeout(60_000))).rejects.toThrow('ENOENT');
});

it('files that no backup contains are listed with their paths', async () => {
  const { server, folder } = await startServer();
  const listFiles = async (ENCRYPTION_KEY?: string) => {
    const config = { ...server.nameplate.config, ENCRYPTION_KEY };
    const backups = new Backups(folder, server.database.url);
    const described = await describeBackups({ config, dataDir: '/data' }, backups, []);
    return described.separate_files;
  };
  const settings = expect.stringMatching(/\.env$/) as string;
  expect(await listFiles()).toEqual([settings, '/data/encryption.key']);
  expect(await listFiles('0'.repeat(64))).toEqual([settings]);
});

it.each([
  [{ BACKUP_DIR: 'off' }, TODAY, 409, 'backupsOff'],
  [{}, 'nameplate-2020-01-01.zip', 404, 'backupNotFound'],
  [{}, '../nameplate-2020-01-01.zip', 400, 'nameInvalid'],
  [{}, 'notes.txt', 400, 'nameInvalid'],
])('%j: %s is refused with %i', async (settings, name, status, code) => {
  const { get } = await startServer(settings);
  expect(await get(`server/export-backup?name=${encodeURIComponent(name)}`)).toMatchObject({
    status,
    headers: { 'x-error-code': code },
  });
});
