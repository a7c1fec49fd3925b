import type { TestProject } from 'vitest/node';
import setup from './postgres-setup.ts';

const FOLDER = '/usr/lib/postgresql/15/bin';
/** PostgreSQL 15, the oldest supported version, from the Debian package. */
export const DEBIAN_BINARIES = {
  initdb: `${FOLDER}/initdb`,
  postgres: `${FOLDER}/postgres`,
  pg_basebackup: `${FOLDER}/pg_basebackup`,
};

export default (project: TestProject) => setup(project, { binaries: DEBIAN_BINARIES });
