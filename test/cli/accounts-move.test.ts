import { createWriteStream } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { ZipFile } from 'yazl';
import { listAuditEntries } from '#db/queries/audit-log.ts';
import { addPicture } from '../support/pictures.ts';
import { createTempFolder } from '../support/server-process.ts';
import { unzip } from '../support/unzip.ts';
import { useServer } from '../support/use-server.ts';
import { failure, runCommand, runInTerminal, runJson } from './support/command-line.ts';

const { server } = useServer();

interface Imported {
  account_id: string;
  display_name: string;
  login_link: string;
}

const PROJECT_ID = '3f0c6a0e-6b57-4f0b-9a51-8a2d1f0e7c11';
const METRICS = `metrics/${PROJECT_ID}.ndjson`;

let folder: string;
beforeEach(async () => {
  folder = await createTempFolder();
});

const getSettings = () => ({
  DATABASE_URL: server.database.url,
  PUBLIC_URL: 'https://names.example',
});
const run = (...args: string[]) => runCommand(getSettings(), 'accounts', ...args);
const runForJson = (...args: string[]) => runJson(getSettings(), 'accounts', ...args);

/** Creates an account with a name, a visible page with a picture and a number, and two metrics. */
async function createFullAccount(name: string) {
  const account = await server.createAccount();
  const { client } = account;
  await client.account.updateDisplayName({ display_name: name });
  const project = await server.createProject(account);
  for (const visitors of [1, 2])
    await client.stats.ingestMetrics({ projectId: project, payload: { visitors } });
  const picture = await addPicture(server, account);
  await client.site.updateSiteConfiguration({
    bio: `I am ${name}.`,
    avatar_url: picture.url,
    blocks: [
      { type: 'page', enabled: true, pronouns: 'she/her' },
      { type: 'metric', enabled: true, project, field: 'visitors', aggregate: 'sum' },
    ],
  });
  await client.site.toggleSiteVisibility();
  return { ...account, project, picture: picture.picture_id };
}

async function exportFiles(name: string, file: string): Promise<Map<string, string>> {
  await runForJson('export', name, file);
  return unzip(await readFile(file));
}

/** Writes a valid archive of an account `name`, with some files replaced. */
async function writeArchive(name: string, replaced: Record<string, unknown> = {}): Promise<string> {
  const project = { id: PROJECT_ID, name: 'Shop' };
  const files: Record<string, unknown> = {
    'account.json': { display_name: name },
    'site.json': { enabled: true, counts_visits: false, site: { bio: 'Hi' }, blocks: [] },
    'projects.json': [project],
    [METRICS]: '',
    ...replaced,
  };
  const zip = new ZipFile();
  for (const [file, content] of Object.entries(files))
    zip.addBuffer(
      Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)),
      file,
    );
  zip.end();
  const path = join(folder, `${name}.zip`);
  await pipeline(zip.outputStream, createWriteStream(path));
  return path;
}

/** Runs an import that must fail without creating an account. */
async function expectRefusal(message: unknown, ...args: string[]): Promise<void> {
  const listAccounts = () =>
    server.database.db.selectFrom('accounts').select('id').orderBy('id').execute();
  const before = await listAccounts();
  expect(await run('import', ...args)).toEqual(failure(message));
  expect(await listAccounts()).toEqual(before);
}

describe('accounts export', () => {
  it('writes all data to a new file that only its owner can read', async () => {
    await createFullAccount('export-me');
    const file = join(folder, 'export-me.zip');
    const files = await exportFiles('export-me', file);
    expect(files.get('account.json')).toContain('"display_name": "export-me"');
    if (process.platform !== 'win32') expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await run('export', 'export-me', file)).toMatchObject(
      failure(expect.stringContaining('already exists')),
    );
    expect(await run('export', 'export-me', file, '--force')).toMatchObject({ code: 0 });
  });

  it('refuses an account that does not exist, and leaves no file', async () => {
    const file = join(folder, 'nobody.zip');
    expect((await run('export', 'nobody', file)).code).toBe(1);
    await expect(stat(file)).rejects.toThrow('ENOENT');
  });
});

describe('accounts import', () => {
  it('creates the same account again, with new ids', async () => {
    const { project, picture } = await createFullAccount('move-me');
    await sql`UPDATE projects SET metric_retention_days = 400 WHERE id = ${project}`.execute(
      server.database.db,
    );
    await sql`UPDATE accounts SET language = 'de' WHERE id =
      (SELECT account_id FROM projects WHERE id = ${project})`.execute(server.database.db);
    const before = await exportFiles('move-me', join(folder, 'move-me.zip'));
    const imported = (await runForJson(
      ...['import', join(folder, 'move-me.zip'), '--display-name', 'moved'],
    )) as Imported;
    expect(imported).toMatchObject({
      display_name: 'moved',
      pictures: 1,
      projects: 1,
      metrics: 2,
      login_link: expect.stringMatching(/^https:\/\/names\.example\/dashboard\/login#/) as string,
    });
    const after = await exportFiles('moved', join(folder, 'moved.zip'));
    const [{ id: newProject }] = JSON.parse(after.get('projects.json')!) as [{ id: string }];
    const [{ id: newPicture }] = JSON.parse(after.get('pictures.json')!) as [{ id: string }];
    expect(newProject).not.toBe(project);
    expect(newPicture).not.toBe(picture);
    const withOldIds = (name: string) =>
      after.get(name)!.replaceAll(newProject, project).replaceAll(newPicture, picture);
    expect(JSON.parse(withOldIds('site.json'))).toEqual(JSON.parse(before.get('site.json')!));
    expect(JSON.parse(withOldIds('projects.json'))).toMatchObject([
      { name: 'Shop', retention_days: 400 },
    ]);
    expect(JSON.parse(after.get('account.json')!)).toMatchObject({
      developer_tools: true,
      language: 'de',
    });
    const metricsOf = (files: Map<string, string>, id: string) =>
      files.get(`metrics/${id}.ndjson`)!.replaceAll(/"id":"\d+",/g, '');
    expect(metricsOf(after, newProject)).toBe(metricsOf(before, project));
    const page = await server.app.inject({ url: '/@moved' });
    expect(page.statusCode).toBe(200);
    expect(page.body).toContain(newPicture);
    const entries = await listAuditEntries(server.database.db, { limit: 2 });
    expect(entries.find(({ action }) => action === 'accounts import')).toMatchObject({
      account_id: imported.account_id,
      name: 'moved',
    });
  });

  it('creates the metric partitions of earlier months', async () => {
    const line = { id: '1', received_at: '2025-03-04T05:06:07.123456Z', payload: { n: 1 } };
    const file = await writeArchive('old-metrics', { [METRICS]: `${JSON.stringify(line)}\n` });
    expect(await runForJson('import', file)).toMatchObject({ metrics: 1 });
    const files = await exportFiles('old-metrics', join(folder, 'old-metrics-again.zip'));
    const [metrics] = [...files].find(([name]) => name.startsWith('metrics/'))!.slice(1);
    expect(metrics).toContain('"received_at":"2025-03-04T05:06:07.123456Z","payload":{"n":1}');
  });

  it.runIf(process.platform === 'linux')(
    'imports the largest metrics, a few at a time',
    async () => {
      const account = await server.createAccount();
      await account.client.account.updateDisplayName({ display_name: 'large-metrics' });
      const project = await server.createProject(account);
      // The request has 10,000 keys and values, the most that it can have.
      const payload = { values: Array.from({ length: 9_993 }, () => 'x'.repeat(100)) };
      await account.client.stats.ingestMetrics({ projectId: project, payload });
      await sql`INSERT INTO metrics (project_id, payload)
      SELECT project_id, payload FROM metrics, generate_series(2, 10)
      WHERE project_id = ${project}`.execute(server.database.db);
      const file = join(folder, 'large-metrics.zip');
      await runForJson('export', 'large-metrics', file);
      const args = ['accounts', 'import', file, '--display-name', 'large-metrics-2'];
      const { output } = await runInTerminal(getSettings(), args);
      expect(output.match(/\d+ metrics/g)).toEqual(['5 metrics', '10 metrics']);
    },
  );

  it('refuses an archive with more data than allowed, before it reads the data', async () => {
    const file = await writeArchive('too-large', { 'visitors.csv': ' '.repeat(2_000_000) });
    await expectRefusal(
      'The archive unpacks to 3 MB, and the limit is 2 MB. If you trust it, add --max-megabytes 3',
      ...[file, '--max-megabytes', '2'],
    );
    expect(await runForJson('import', file, '--max-megabytes', '3')).toMatchObject({ metrics: 0 });
  });

  it('asks for another name if the one in the file is taken', async () => {
    await createFullAccount('taken-name');
    const file = await writeArchive('taken-name');
    await expectRefusal(/Choose another one with --display-name\./, file);
  });

  it.each([
    [
      'site.json',
      'bio is no text',
      { enabled: true, counts_visits: true, site: { bio: 7 }, blocks: [] },
    ],
    [
      'site.json',
      'invalid block',
      { enabled: true, counts_visits: true, site: {}, blocks: [{ type: 'link' }] },
    ],
    ['site.json', 'no JSON', '{'],
    ['projects.json', 'invalid id', [{ id: 'x', name: 'Shop' }]],
    [
      'projects.json',
      'repeated id',
      ['Shop', 'Shop again'].map((name) => ({ id: PROJECT_ID, name })),
    ],
    [METRICS, 'future', '{"received_at":"2999-01-01T00:00:00Z","payload":{}}\n'],
    [METRICS, 'too old', '{"received_at":"1970-01-01T00:00:00Z","payload":{}}\n'],
    [METRICS, 'no object', '{"received_at":"2026-01-01T00:00:00Z","payload":[]}\n'],
    [METRICS, 'NUL', '{"received_at":"2026-01-01T00:00:00Z","payload":{"a":"\\u0000"}}\n'],
    [METRICS, 'long line', 'x'.repeat(3_000_000)],
  ])('refuses an archive with a bad %s (%s), and creates nothing', async (name, _why, content) => {
    const file = await writeArchive('broken', { [name]: content });
    const message = `${name} in the archive cannot be imported: `;
    await expectRefusal(expect.stringContaining(message), file);
  });

  it('refuses a picture that is none, and a file that is no archive', async () => {
    const picture = `pictures/${'a'.repeat(22)}-10x10.webp`;
    const broken = await writeArchive('no-picture', { [picture]: 'not a picture' });
    expect((await run('import', broken)).code).toBe(1);
    const text = join(folder, 'text.zip');
    await writeFile(text, 'hello');
    expect(await run('import', text)).toMatchObject(
      failure(`${text} is not a ZIP file, or is incomplete.`),
    );
  });
});
