import type { UserWorkspaceConfig } from 'vitest/config';
import suite from '../../vitest.config.ts';

const projects = suite.test?.projects as UserWorkspaceConfig[];

/** The suite's configuration, with the tests in this folder instead of the projects' tests. */
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
