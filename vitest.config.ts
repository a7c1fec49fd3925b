import { defineConfig } from 'vitest/config';

/** What every endpoint does is tested on both engines; all else, in folders of its own, runs once. */
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
          name: 'pglite',
          include: ['test/endpoints/*.test.ts'],
          globalSetup: ['test/support/pglite-setup.ts'],
          provide: { engine: 'pglite' },
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: ['test/endpoints/*.test.ts'],
          globalSetup: ['test/support/postgres-setup.ts'],
          provide: { engine: 'postgres' },
        },
      },
      {
        extends: true,
        test: {
          name: 'once',
          include: ['test/*/**/*.test.ts'],
          exclude: ['test/endpoints/**', 'test/mail/**', 'test/browser/**'],
          globalSetup: ['test/support/pglite-setup.ts', 'test/support/postgres-setup.ts'],
          provide: { engine: 'postgres' },
        },
      },
      // What needs a Debian package is not part of `npm test`.
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['test/browser/*.test.ts'],
          globalSetup: ['test/support/pglite-setup.ts'],
          provide: { engine: 'pglite' },
        },
      },
      {
        extends: true,
        test: {
          name: 'mail',
          include: ['test/mail/*.test.ts'],
          globalSetup: ['test/support/postgres-setup.ts'],
          provide: { engine: 'postgres' },
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
