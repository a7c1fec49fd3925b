import type { TestProject } from 'vitest/node';
import { DEBIAN_BINARIES } from '../support/postgres-15-setup.ts';
import setup from '../support/postgres-setup.ts';

/** Starts the oldest supported PostgreSQL. Every test app runs as two instances behind HAProxy. */
export default (project: TestProject) => {
  project.provide('isBehindHaproxy', true);
  return setup(project, { binaries: DEBIAN_BINARIES });
};
