import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { createTempFolder } from '../support/server-process.ts';
import { insertTestAccount } from '../support/test-app.ts';
import { connectPostgresDatabase, createPostgresDatabase } from '../support/test-database.ts';
import { runCommand, runJson } from './support/command-line.ts';

const PUBLIC_URL = 'https://np.example.org';

async function createDatabaseAndFile(content: string | Buffer) {
  const settings = {
    DATABASE_URL: await createPostgresDatabase('nameplate_template'),
    PUBLIC_URL,
    MAIL_DOMAIN: 'np.example.org',
  };
  const { db, close } = connectPostgresDatabase(settings.DATABASE_URL);
  await insertTestAccount(db);
  await close();
  const file = join(await createTempFolder(), 'members.csv');
  await writeFile(file, content);
  return { settings, file };
}

const CSV = 'name;email\nAda Lovelace;ada@example.com\nGrace;grace@example\n';

it('`members import --dry-run` shows each line with its problem, and invites nobody', async () => {
  const { settings, file } = await createDatabaseAndFile(CSV);
  const result = await runCommand(settings, 'members', 'import', file, '--dry-run');
  expect(result).toMatchObject({ code: 1, stderr: '1 line has a problem.\n' });
  expect(result.stdout).toMatch(/^2 +Ada Lovelace +ada@example\.com +ada-lovelace/m);
  expect(result.stdout).toMatch(/^3 +Grace .*This is not an email address\./m);
  expect(await runJson(settings, 'members', 'list')).toEqual([]);
});

it('`members import` prints links; `list`, `resend` and `revoke` manage them', async () => {
  const { settings, file } = await createDatabaseAndFile(CSV);
  const { code, stdout, stderr } = await runCommand(settings, 'members', 'import', file);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^Not invited:\n.*\n3 +Grace .*\n1 line has a problem\.\n$/s);
  const link =
    /^"Ada Lovelace","ada@example\.com","ada-lovelace","(https:\/\/np\.example\.org\/dashboard\/invitation#[\w-]{43})"/m;
  const [, firstLink] = link.exec(stdout)!;
  const [{ id, ...invitation } = { id: '' }, ...others] = (await runJson(
    settings,
    ...['members', 'list', '--state', 'open'],
  )) as { id: string }[];
  expect(others).toEqual([]);
  expect(invitation).toMatchObject({ email: 'ada@example.com', state: 'open' });
  expect((await runCommand(settings, 'members', 'list')).stdout).toContain('ada@example.com');
  const resent = await runCommand(settings, 'members', 'resend', id);
  expect(link.exec(resent.stdout)![1]).not.toBe(firstLink);
  // Importing the file again invites nobody twice.
  const again = await runCommand(settings, 'members', 'import', file, '--json');
  expect(JSON.parse(again.stdout)).toMatchObject({ invited: 0 });
  expect((await runCommand(settings, 'members', 'revoke', id)).code).toBe(0);
  expect(await runCommand(settings, 'members', 'revoke', id)).toMatchObject({
    code: 1,
    stderr: 'There is no such invitation.\n',
  });
  const trail = (await runCommand(settings, 'audit', 'list')).stdout;
  expect(trail).toContain('members import');
  expect(trail).not.toContain('ada@example.com');
});

it('`members import --mail` queues a mail for each person, if there is a mail server', async () => {
  const { settings, file } = await createDatabaseAndFile('email\nada@example.com\n');
  const mail = ['members', 'import', file, '--mail'];
  expect(await runCommand(settings, ...mail)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('sends no mail') as string,
  });
  const SMTP_URL = 'smtp://127.0.0.1:9';
  expect(await runJson({ ...settings, SMTP_URL }, ...mail, '--language', 'de')).toMatchObject({
    invited: 1,
    skipped: [],
    links: null,
  });
  expect(await runJson(settings, 'members', 'list')).toMatchObject([{ state: 'waiting' }]);
  const { db, close } = connectPostgresDatabase(settings.DATABASE_URL);
  const { rows } = await sql`SELECT data->>'language' AS language FROM pgboss.job`.execute(db);
  await close();
  expect(rows).toEqual([{ language: 'de' }]);
});

it.each([
  ['UTF-8', Buffer.from('\uFEFFname,email\nJosé,jose@example.com')],
  ['Windows-1252', Buffer.from('name,email\nJosé,jose@example.com', 'latin1')],
  ['UTF-16LE', Buffer.from('\uFEFFname\temail\nJosé\tjose@example.com', 'utf16le')],
  ['UTF-16BE', Buffer.from('\uFEFFname\temail\nJosé\tjose@example.com', 'utf16le').swap16()],
])('`members import` reads %s', async (_encoding, content) => {
  const { settings, file } = await createDatabaseAndFile(content);
  expect(await runJson(settings, 'members', 'import', file, '--dry-run')).toMatchObject([
    { name: 'José', email: 'jose@example.com' },
  ]);
});

it('`members import` refuses a file that is missing or no text', async () => {
  const { settings, file } = await createDatabaseAndFile(Buffer.from('PK\u0003\u0004\0\0'));
  const read = async (path: string) =>
    (await runCommand(settings, 'members', 'import', path)).stderr;
  expect(await read(file)).toContain('is not a text file');
  expect(await read(`${file}.missing`)).toContain('The file cannot be read: ENOENT');
});

it('`invite --people` prints a link for several people', async () => {
  const { settings } = await createDatabaseAndFile('');
  const { stdout } = await runCommand(settings, 'invite', '--people', '30', '--days', '3');
  expect(stdout).toContain('Anyone with the link can use it, up to 30 people.');
  expect(await runJson(settings, 'members', 'list')).toMatchObject([{ max_uses: 30, uses: 0 }]);
});
