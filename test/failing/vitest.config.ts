import type { UserWorkspaceConfig } from 'vitest/config';
import suite from '../../vitest.config.ts';

const projects = suite.test?.projects as UserWorkspaceConfig[];

/** The suite's own configuration, with the tests of this folder in place of every project's. */
export default {
  ...suite,
  test: {
    ...suite.test,
    projects: projects.map((project) => ({
      ...project,
      test: { ...project.test, include: ['test/failing/*.fixture.ts'], exclude: [] },
    })),
  },
};
