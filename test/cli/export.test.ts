import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApiKey } from '#server/features/keys/manage-keys.ts';
import { insertAccount } from '#db/queries/accounts.ts';
import { insertProject } from '#db/queries/projects.ts';
import { childEnvironment } from '../support/child-environment.ts';
import { createTempFolder } from '../support/server-process.ts';
import { openTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { countLines } from './support/count-lines.ts';
import { runCommand, runJson } from './support/command-line.ts';

const ROW_COUNT = 2_500;

let database: TestDatabase;
let settings: { DATABASE_URL: string };
beforeAll(async () => {
  database = await openTestDatabase();
  settings = { DATABASE_URL: database.url ?? '' };
});
afterAll(() => database.close());

async function createProject(): Promise<string> {
  return database.db.transaction().execute(async (trx) => {
    const accountId = await insertAccount(trx);
    await createApiKey(trx, { accountId, label: null });
    return (await insertProject(trx, accountId, 'Shop')).id;
  });
}

/** Stores a metric without validation. */
async function storeMetric(projectId: string, receivedAt: string, payload: string): Promise<void> {
  await sql`INSERT INTO metrics (project_id, received_at, payload)
    VALUES (${projectId}, ${receivedAt}::timestamptz, ${payload})`.execute(database.db);
}

async function runExport(projectId: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runCommand(
    settings,
    ...['metrics', 'export', '--project', projectId, ...args],
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

const MONTH = new Date().toISOString().slice(0, 7);

describe('metrics export', () => {
  let project: string;
  let otherProject: string;
  beforeAll(async () => {
    project = await createProject();
    otherProject = await createProject();
    await storeMetric(otherProject, `${MONTH}-01T00:00:01Z`, '{"project":"another"}');
    // 1,000 metrics per timestamp, so that pages end between metrics with the same time.
    await sql`INSERT INTO metrics (project_id, received_at, payload)
      SELECT ${project}::uuid, ${`${MONTH}-01T00:00:00Z`}::timestamptz + (n / 1000) * interval '1 microsecond',
        json_build_object('n', n)
      FROM generate_series(1, ${ROW_COUNT}::int) AS n`.execute(database.db);
  });

  it('writes every record once and in order, one per line, as ndjson', async () => {
    const lines = (await runExport(project)).split('\n');
    expect(lines.pop()).toBe('');
    const records = lines.map(
      (line) => JSON.parse(line) as { received_at: string; payload: { n: number } },
    );
    expect(records.map(({ payload }) => payload.n)).toEqual(
      Array.from({ length: ROW_COUNT }, (_, index) => index + 1),
    );
    expect(records.at(-1)).toEqual({
      id: expect.stringMatching(/^\d+$/),
      received_at: `${MONTH}-01T00:00:00.000002Z`,
      payload: { n: ROW_COUNT },
    });
  });

  it('writes the same as CSV, with a header', async () => {
    const lines = (await runExport(project, '--format', 'csv')).split('\r\n');
    expect(lines.pop()).toBe('');
    expect(lines.shift()).toBe('id,received_at,payload');
    expect(lines).toHaveLength(ROW_COUNT);
    expect(lines[0]).toMatch(/^\d+,\d{4}-\d\d-01T00:00:00\.000000Z,"\{""n"" : 1\}"$/);
  });

  it('writes the same as one JSON value with --json', async () => {
    const records = await runJson(settings, 'metrics', 'export', '--project', project);
    expect(records).toHaveLength(ROW_COUNT);
  });

  it('includes --since and excludes --until, to the microsecond', async () => {
    const since = ['--since', `${MONTH}-01T00:00:00.000001Z`];
    const until = ['--until', `${MONTH}-01T00:00:00.000002Z`];
    const count = async (...args: string[]) =>
      (await runExport(project, ...args)).split('\n').length - 1;
    expect(await count(...since)).toBe(1_501);
    expect(await count(...until)).toBe(1_999);
    expect(await count(...since, ...until)).toBe(1_000);
  });

  it('treats a date as midnight UTC, and accepts other time zones', async () => {
    const count = async (...args: string[]) =>
      (await runExport(project, ...args)).split('\n').length - 1;
    expect(await count('--since', `${MONTH}-01`)).toBe(ROW_COUNT);
    expect(await count('--until', `${MONTH}-01`)).toBe(0);
    expect(await count('--since', `${MONTH}-01T01:00:00+01:00`)).toBe(ROW_COUNT);
    expect(await count('--since', `${MONTH}-01T00:00:00-01:00`)).toBe(0);
  });

  it('writes an empty export for a project without metrics', async () => {
    const emptyProject = await createProject();
    expect(await runExport(emptyProject)).toBe('');
    expect(await runExport(emptyProject, '--format', 'csv')).toBe('id,received_at,payload\r\n');
    expect(await runExport(emptyProject, '--format', 'json')).toBe('[]\n');
  });

  it('writes payloads exactly as they are stored', async () => {
    const projectId = await createProject();
    const payloads = [
      '{"big":12345678901234567890,"exp":1e3,"a":1,"a":2}',
      '{"quote":"\\"","comma":",","text":"grüße, 世界 \u2028 😀","escape":"\\u0041\\n"}',
      '{ "spaced" :  [ 1 , 2 ] }',
    ];
    for (const [index, payload] of payloads.entries())
      await storeMetric(projectId, `${MONTH}-01T00:00:0${index}Z`, payload);
    await storeMetric(projectId, `${MONTH}-01T00:00:09Z`, '{\r\n"lines":\n1}');
    const lines = (await runExport(projectId)).split('\n').slice(0, -1);
    expect(lines.map((line) => /"payload":(.*)\}$/s.exec(line)?.[1])).toEqual([
      ...payloads,
      '{ "lines": 1}',
    ]);
    const csvLines = (await runExport(projectId, '--format', 'csv')).split('\r\n').slice(1, -1);
    const cells = csvLines.map((line) => /^\d+,[^,]+,"(.*)"$/s.exec(line)?.[1]);
    expect(cells.map((cell) => cell?.replaceAll('""', '"'))).toEqual([
      ...payloads,
      '{ "lines": 1}',
    ]);
  });

  it('writes the same to a file with --output, and nothing else', async () => {
    const file = join(await createTempFolder(), 'metrics.csv');
    expect(await runExport(project, '--format', 'csv', '--output', file)).toBe('');
    expect(await readFile(file, 'utf8')).toBe(await runExport(project, '--format', 'csv'));
  });

  it('does not change the file if it is refused', async () => {
    const file = join(await createTempFolder(), 'metrics.json');
    await writeFile(file, 'before');
    const unknownId = '3f0c6a0e-6b57-4f0b-9a51-8a2d1f0e7c11';
    expect(
      await runCommand(settings, 'metrics', 'export', '--project', unknownId, '--output', file),
    ).toEqual({ code: 1, stdout: '', stderr: `There is no project ${unknownId}.\n` });
    expect(await readFile(file, 'utf8')).toBe('before');
  });

  it('says why it cannot write to the file', async () => {
    const file = join(await createTempFolder(), 'missing', 'metrics.json');
    expect(
      await runCommand(settings, 'metrics', 'export', '--project', project, '--output', file),
    ).toEqual({
      code: 1,
      stdout: '',
      stderr: `The metrics could not be exported. (ENOENT: no such file or directory, open '${file}')\n`,
    });
  });

  it.each([
    ['large', 80, 1_000_000],
    ['many', 100_000, 10],
  ])('uses little memory for %s payloads', async (_kind, count, characters) => {
    const projectId = await createProject();
    await sql`INSERT INTO metrics (project_id, payload)
      SELECT ${projectId}::uuid, json_build_object('text', repeat('x', ${characters}::int))
      FROM generate_series(1, ${count}::int)`.execute(database.db);
    const child = spawn(
      process.execPath,
      [
        '--max-old-space-size=64',
        ...['server/cli/cli.ts', 'metrics', 'export', '--project', projectId],
      ],
      { env: childEnvironment(settings), stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const exited = new Promise((resolve) => child.on('close', resolve));
    const lines = await countLines(child.stdout);
    expect({ code: await exited, lines }).toEqual({ code: 0, lines: count });
  });
});
