import type { TestProject } from 'vitest/node';
import setup from './postgres-setup.ts';

const FOLDER = '/usr/lib/postgresql/15/bin';

/** The same with the oldest PostgreSQL that Nameplate runs on, as Debian has it. */
export default (project: TestProject) =>
  setup(project, {
    binaries: { initdb: `${FOLDER}/initdb`, postgres: `${FOLDER}/postgres` },
  });
