import { defineConfig } from 'vitest/config';

/** All tests run on a PostgreSQL server of their own. */
export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
    reporters: ['default'],
    maxWorkers: 3,
    projects: [
      {
        extends: true,
        test: {
          name: 'suite',
          include: ['test/*/**/*.test.ts'],
          exclude: ['test/browser/**', 'test/mail/**'],
          globalSetup: ['test/support/postgres-setup.ts'],
        },
      },
      // What needs a Debian package is not part of `npm test`.
      {
        extends: true,
        test: {
          name: 'postgres-15',
          include: ['test/endpoints/*.test.ts'],
          globalSetup: ['test/support/postgres-15-setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['test/browser/*.test.ts'],
          globalSetup: ['test/support/postgres-setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'mail',
          include: ['test/mail/*.test.ts'],
          globalSetup: ['test/support/postgres-setup.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
