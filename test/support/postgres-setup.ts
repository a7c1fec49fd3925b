import type { TestProject } from 'vitest/node';
import { migrate } from '../../db/migrate.ts';
import { connectPostgres } from '../../db/postgres.ts';
import './provided.ts';
import { type PostgresOptions, startPostgres } from './postgres-server.ts';

/** Starts a real PostgreSQL server and migrates the database that every test file copies. */
export default async function setup(
  project: TestProject,
  options: PostgresOptions = {},
): Promise<() => Promise<void>> {
  const server = await startPostgres(options);
  await server.createDatabase('nameplate_template');
  const db = connectPostgres({
    connectionString: server.url('nameplate_template'),
    max: 1,
    maxWaiting: 1,
    onError: () => {},
  });
  await migrate(db);
  await db.destroy();
  project.provide('postgresUrl', server.url('postgres'));
  return server.stop;
}
