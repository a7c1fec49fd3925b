import type { TestProject } from 'vitest/node';
import setup from './postgres-setup.ts';

const FOLDER = '/usr/lib/postgresql/15/bin';
/** The oldest PostgreSQL that Nameplate runs on, as Debian has it. */
export const DEBIANS = {
  initdb: `${FOLDER}/initdb`,
  postgres: `${FOLDER}/postgres`,
  pg_basebackup: `${FOLDER}/pg_basebackup`,
};

/** Starts the oldest supported PostgreSQL. */
export default (project: TestProject) => setup(project, { binaries: DEBIANS });
