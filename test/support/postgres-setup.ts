import { rm } from 'node:fs/promises';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { connectPostgres } from '#db/connections/postgres.ts';
import { migrate } from '#db/migrating/migrate.ts';
import { ALL_FEATURES } from '#server/features/call-features.ts';
import { JobQueue } from '#server/platform/jobs/job-queue.ts';
import { listJobs } from '#server/process/jobs.ts';
import './vitest-context.ts';
import { type PostgresOptions, startPostgres } from './postgres-server.ts';
import { createRunFolder } from './run-folder.ts';

/** Starts a PostgreSQL server with a migrated template database. Tests copy the template. */
export default async function setup(
  project: TestProject,
  {
    startPooler = (url) => Promise.resolve(url),
    roleSettings = {},
    ...options
  }: PostgresOptions & {
    startPooler?: (url: string) => Promise<string>;
    roleSettings?: Record<string, string>;
  } = {},
): Promise<() => Promise<void>> {
  const folder = await createRunFolder();
  const server = await startPostgres(options);
  await server.createDatabase('nameplate_template');
  const client = new pg.Client({ connectionString: server.url('postgres') });
  await client.connect();
  for (const [name, value] of Object.entries(roleSettings))
    await client.query(`ALTER ROLE postgres SET ${name} = '${value}'`);
  await client.end();
  const db = connectPostgres({
    connectionString: server.url('nameplate_template'),
    max: 1,
    onError: () => {},
  });
  await migrate(db);
  await db.destroy();
  const jobs = new JobQueue({
    url: server.url('nameplate_template'),
    logger: { warn: (value: unknown) => console.warn(value) },
  });
  for (const job of listJobs(ALL_FEATURES)) jobs.register(job);
  await jobs.open();
  await jobs.close();
  project.provide('postgresUrl', await startPooler(server.url('postgres')));
  project.provide('tempDir', folder);
  return async () => {
    await server.stop();
    // Browsers that are closing may still write to their profiles.
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  };
}
