import type { TestProject } from 'vitest/node';
import setup from './postgres-setup.ts';

/** The same with the oldest PostgreSQL that Nameplate runs on, as Debian has it. */
export default (project: TestProject) => setup(project, { programs: '/usr/lib/postgresql/15/bin' });
