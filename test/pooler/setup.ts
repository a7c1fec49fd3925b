import type { TestProject } from 'vitest/node';
import { DEBIAN_BINARIES } from '../support/postgres-15-setup.ts';
import setup from '../support/postgres-setup.ts';
import { type PgBouncer, startPgBouncer } from './pgbouncer.ts';

/** Starts the oldest supported PostgreSQL behind PgBouncer. Tests get only the URL of PgBouncer. */
export default async (project: TestProject) => {
  let pooler: PgBouncer | undefined;
  const stop = await setup(project, {
    binaries: DEBIAN_BINARIES,
    startPooler: async (url) => {
      pooler = await startPgBouncer(url);
      return pooler.toPoolerUrl(url);
    },
  });
  return async () => {
    await pooler?.stop();
    await stop();
  };
};
