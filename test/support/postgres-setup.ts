import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { migrate } from '../../db/migrate.ts';
import { connectPostgres } from '../../db/postgres.ts';
import './provided.ts';
import { type PostgresOptions, startPostgres } from './postgres-server.ts';

/** Starts a real PostgreSQL server with the migrated database that every test file copies. */
export default async function setup(
  project: TestProject,
  {
    through = (url) => Promise.resolve(url),
    ...options
  }: PostgresOptions & { through?: (url: string) => Promise<string> } = {},
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
  project.provide('postgresUrl', await through(server.url('postgres')));
  const folder = await mkdtemp(join(tmpdir(), 'nameplate-tests-'));
  // As root private databases run as another user, who must get through.
  await chmod(folder, 0o711);
  project.provide('folder', folder);
  return async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
}
