import type { TestProject } from 'vitest/node';
import setup from './postgres-setup.ts';

const BINARIES_DIR = '/usr/lib/postgresql/15/bin';
/** Binaries of the Debian package of PostgreSQL 15, the oldest supported version. */
export const DEBIAN_BINARIES = {
  initdb: `${BINARIES_DIR}/initdb`,
  postgres: `${BINARIES_DIR}/postgres`,
  pg_basebackup: `${BINARIES_DIR}/pg_basebackup`,
};

export default (project: TestProject) => setup(project, { binaries: DEBIAN_BINARIES });
