import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { findMemoryFolder } from '#test/support/memory-folder.ts';

// Tests start hundreds of Node.js processes, which share this compile cache.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(
  new URL('node_modules/.cache/compiled', import.meta.url),
);

const memoryFolder = findMemoryFolder();
if (memoryFolder) process.env['TMPDIR'] ??= memoryFolder;

const TESTS_WITH_FAKE_TIMERS = [
  'test/client/{retries,timeouts,metrics-buffer,metrics-buffer-outage}.test.ts',
];

/** Start or kill processes, fill disks, race, wait, or send thousands of generated requests. */
const SYSTEM_TESTS = [
  'test/{process,cli,faults,concurrency,wire}/*.test.ts',
  'test/client/{readme,webhook-examples}.test.ts',
  'test/endpoints/{chat-load,mutations}.test.ts',
  'test/forwarding/{job-queue,name-changes,server-crash,two-servers}.test.ts',
  'test/openapi/valid-requests.test.ts',
  'test/owner/login-flooding.test.ts',
];

export default defineConfig({
  test: {
    // So that `npx vitest run FILE` needs nothing else. `--project` replaces it. Missing in the type.
    ...({ project: ['suite', 'system', 'timers'] } as object),
    // Long, so that tests do not fail on slow machines. The timeouts only stop tests that hang.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    teardownTimeout: 60_000,
    expect: { poll: { timeout: 60_000 } },
    // Loading all modules again for each file would take longer than running its tests.
    isolate: false,
    // Node.js loads the modules, as in production. No module is mocked.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Tests sometimes wait. At most 8, to stay below the connection limit of the test database.
    maxWorkers: Math.min(availableParallelism() + 1, 8),
    execArgv: ['--max-old-space-size=512'],
    projects: [
      // `npm test`
      {
        extends: true,
        test: {
          name: 'suite',
          include: ['test/*/**/*.test.ts'],
          exclude: [
            'test/{browser,mail,backup,failover,pooler,previous,delivery,world}/**',
            ...SYSTEM_TESTS,
            ...TESTS_WITH_FAKE_TIMERS,
          ],
          globalSetup: ['test/support/postgres-setup.ts'],
        },
      },
      // `npm run test:system`
      {
        extends: true,
        test: {
          name: 'system',
          include: SYSTEM_TESTS,
          globalSetup: ['test/support/postgres-setup.ts'],
        },
      },
      // Each of these files counts all timers of its process, so others must leave none.
      {
        extends: true,
        test: { name: 'timers', include: TESTS_WITH_FAKE_TIMERS, isolate: true },
      },
      // The projects below need Debian packages.
      {
        extends: true,
        test: {
          name: 'postgres-15',
          include: [
            'test/endpoints/{account,email-forwarding,hooks,idempotency,keys,site,stats}.test.ts',
            'test/backup/*.test.ts',
            'test/cli/backup.test.ts',
          ],
          globalSetup: ['test/support/postgres-15-setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'pooler',
          include: [
            'test/endpoints/{idempotency,keys,stats}.test.ts',
            'test/pooler/*.test.ts',
            'test/concurrency/migrations.test.ts',
          ],
          globalSetup: ['test/pooler/setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'delivery',
          include: ['test/delivery/*.test.ts'],
          globalSetup: ['test/support/postgres-setup.ts'],
        },
      },
      // Starts its own PostgreSQL servers, because it kills them.
      {
        extends: true,
        test: {
          name: 'failover',
          include: ['test/failover/*.test.ts'],
          globalSetup: ['test/support/run-folder.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['test/browser/*.test.ts'],
          // One worker per CPU core, because browsers are CPU-bound.
          maxWorkers: availableParallelism(),
          globalSetup: ['test/support/postgres-setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'previous',
          include: ['test/previous/*.test.ts'],
          globalSetup: ['test/previous/setup.ts'],
        },
      },
      // `npm run check:world`: programs of others read what we write.
      {
        extends: true,
        test: {
          name: 'world',
          include: ['test/world/*.test.ts'],
          globalSetup: ['test/support/postgres-setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'mail',
          include: ['test/mail/*.test.ts'],
          globalSetup: ['test/support/postgres-setup.ts'],
        },
      },
    ],
  },
});
