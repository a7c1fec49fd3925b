import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { PageMetrics } from '#server/features/metrics/page-metrics.ts';
import { metricSweepJob, sweepMetrics } from '#server/features/metrics/sweep-metrics.ts';
import { runMaintenance } from '#server/process/maintenance.ts';
import { send } from '../support/call.ts';
import { eventually } from '../support/eventually.ts';
import { errorText, okBody } from '../support/expected-responses.ts';
import { runJobs } from '../support/run-jobs.ts';
import { useServer } from '../support/use-server.ts';
import { createMonthPartitions, insertMetrics } from './support/metrics.ts';

const { server, account } = useServer({ account: true });
beforeAll(async () => {
  await createMonthPartitions(server.db, '2024-01');
});

async function createProject(): Promise<string> {
  const project_id = await server.createProject(account);
  const rows = [1, 2, 3].map((day) => ({ at: Date.UTC(2024, 0, day, 12), payload: { day } }));
  await insertMetrics(server.db, project_id, rows);
  return project_id;
}

async function listDays(project_id: string): Promise<number[]> {
  const rows = await server.sql<{ day: number }>`
    SELECT (payload ->> 'day')::integer AS day FROM metrics WHERE project_id = ${project_id}
    ORDER BY received_at`;
  return rows.map(({ day }) => day);
}

async function post(endpoint: string, json: object, caller = account) {
  const { status, body } = await send(server, caller, `POST /owner/metrics/${endpoint}`, json);
  return { status, body };
}

async function readRetention(project_id: string, caller = account) {
  const path = `GET /owner/metrics/get-metric-retention?project_id=${project_id}` as const;
  const { status, body } = await send(server, caller, path);
  return { status, body };
}

async function runDeletionJobs(project_id: string): Promise<void> {
  expect((await readRetention(project_id)).body).toMatchObject({ deleting: true });
  await runJobs(server.database, metricSweepJob, { db: server.db });
  expect((await readRetention(project_id)).body).toMatchObject({ deleting: false });
}

it('delete-metrics deletes the metrics of a time range', async () => {
  const [project_id, other] = [await createProject(), await createProject()];
  const range = { since: '2024-01-02T00:00:00Z', until: '2024-01-03T12:00:00Z' };
  expect(await post('delete-metrics', { project_id, ...range })).toEqual(okBody({ success: true }));
  await runDeletionJobs(project_id);
  expect(await listDays(project_id)).toEqual([1, 3]);
  expect(await listDays(other)).toEqual([1, 2, 3]);
});

it('delete-metrics deletes all existing metrics, but not later ones', async () => {
  const project_id = await createProject();
  await post('delete-metrics', { project_id });
  await account.client.stats.ingestMetrics({ projectId: project_id, payload: { day: 9 } });
  await runDeletionJobs(project_id);
  expect(await listDays(project_id)).toEqual([9]);
});

it.each([
  ['untill', ' Did you mean until?'],
  ['before', ' Its fields: project_id, since, until.'],
])('delete-metrics refuses the misspelled filter %s and deletes nothing', async (name, hint) => {
  const project_id = await createProject();
  const filter = { [name]: '2024-01-02T00:00:00Z' };
  expect(await post('delete-metrics', { project_id, ...filter })).toMatchObject(
    errorText(400, `${name} is not a field of this operation, so nothing was changed.${hint}`),
  );
  expect((await readRetention(project_id)).body).toMatchObject({ deleting: false });
  await sweepMetrics(server.db);
  expect(await listDays(project_id)).toEqual([1, 2, 3]);
});

it('delete-metrics resumes after an interruption and does not block writes', async () => {
  const project_id = await createProject();
  const { db } = server;
  await server.sql`INSERT INTO metrics (project_id, received_at, payload)
      SELECT ${project_id}::uuid, '2024-01-01', '{}' FROM generate_series(1, 12000)`;
  await server.sql`INSERT INTO metric_deletions (project_id, since, until)
      VALUES (${project_id}, '-infinity', now())`;
  const abortController = new AbortController();
  abortController.abort();
  await expect(sweepMetrics(db, abortController.signal)).rejects.toThrow();
  expect(await listDays(project_id)).toHaveLength(12_003);
  const writeTransaction = await db.startTransaction().execute();
  await sql`SELECT FROM projects WHERE id = ${project_id} FOR KEY SHARE`.execute(writeTransaction);
  await Promise.all([sweepMetrics(db), sweepMetrics(db)]);
  expect(await listDays(project_id)).toEqual([]);
  expect(await readRetention(project_id)).toEqual(okBody({ days: 0, deleting: false }));
  await writeTransaction.commit().execute();
});

it('delete-metrics also changes the live numbers on pages', async () => {
  const project_id = await server.createProject(account);
  const hourAgo = Date.now() - 3_600_000;
  await createMonthPartitions(server.db, new Date(hourAgo).toISOString().slice(0, 7));
  await insertMetrics(server.db, project_id, [{ at: hourAgo, payload: { visits: 5 } }]);
  const pageMetrics = new PageMetrics(server.nameplate);
  const query = { projectId: project_id, path: ['visits'], aggregate: 'sum', days: 7 } as const;
  const readSum = async () =>
    (await pageMetrics.find(account.id, new Map([['x', query]]))).pageMetrics.get('x')?.value;
  await eventually(readSum, (sum) => sum === 5);
  await post('delete-metrics', { project_id });
  await runDeletionJobs(project_id);
  await eventually(readSum, (sum) => sum === undefined);
});

it('update-metric-retention deletes older metrics immediately and with each maintenance run', async () => {
  const project_id = await server.createProject(account);
  const rows = [1, 11, 21].map((day) => ({ at: Date.UTC(2024, 0, day, 12), payload: { day } }));
  await insertMetrics(server.db, project_id, rows);
  // None of these times is near midnight, so a date change during the test does not matter.
  const days = Math.floor((Date.now() - Date.parse('2024-01-06')) / 86_400_000);
  expect(await readRetention(project_id)).toEqual(okBody({ days: 0, deleting: false }));
  expect(await post('update-metric-retention', { project_id, days })).toMatchObject(
    okBody({ days }),
  );
  await runJobs(server.database, metricSweepJob, server.nameplate);
  expect(await listDays(project_id)).toEqual([11, 21]);
  await server.sql`UPDATE projects SET metric_retention_days = ${days - 10} WHERE id = ${project_id}`;
  await runMaintenance(server.nameplate);
  expect(server.log).not.toContainEqual(expect.objectContaining({ level: 50 }));
  expect(await listDays(project_id)).toEqual([21]);
  expect(await readRetention(project_id)).toEqual(okBody({ days: days - 10, deleting: false }));
});

it('update-metric-retention keeps everything with 0', async () => {
  const project_id = await createProject();
  await post('update-metric-retention', { project_id, days: 0 });
  await sweepMetrics(server.db);
  expect(await listDays(project_id)).toEqual([1, 2, 3]);
});
