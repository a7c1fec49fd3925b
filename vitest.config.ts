import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
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

/** By default, the files of the folder with its name, and a PostgreSQL for all of them. */
function project(
  name: string,
  include = [`test/${name}/*.test.ts`],
  options: TestProjectInlineConfiguration['test'] = {},
): TestProjectInlineConfiguration {
  const globalSetup = ['test/support/postgres-setup.ts'];
  return { extends: true, test: { name, include, globalSetup, ...options } };
}

export default defineConfig({
  test: {
    // So that `npx vitest run FILE` needs nothing else. `--project` replaces it. Missing in the type.
    ...({ project: ['suite', 'system', 'timers'] } as object),
    // Long, so that tests do not fail on slow machines. The timeouts only stop tests that hang.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    teardownTimeout: 60_000,
    setupFiles: ['test/support/property-seed.ts', 'test/support/restore-timers.ts'],
    expect: { poll: { timeout: 60_000 } },
    // Loading all modules again for each file would take longer than running its tests.
    isolate: false,
    // Fakes of a failed test must not reach the tests and files after it.
    ...{ restoreMocks: true, unstubEnvs: true, unstubGlobals: true },
    // Node.js loads the modules, as in production. No module is mocked.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Tests sometimes wait. At most 8, to stay below the connection limit of the test database.
    maxWorkers: Math.min(availableParallelism() + 1, 8),
    execArgv: [
      // A worker runs about a hundred files, which keep their modules and results.
      '--max-old-space-size=1024',
      // What a test creates is freed after it, rather than copied several times before.
      ...['--min-semi-space-size=64', '--max-semi-space-size=64'],
    ],
    projects: [
      // `npm test`
      project('suite', ['test/*/**/*.test.ts'], {
        exclude: [
          'test/{browser,engines,mail,backup,pooler,previous,delivery,world}/**',
          ...SYSTEM_TESTS,
          ...TESTS_WITH_FAKE_TIMERS,
        ],
      }),
      // `npm run test:system`
      project('system', SYSTEM_TESTS),
      // Each of these files counts all timers of its process, so others must leave none.
      project('timers', TESTS_WITH_FAKE_TIMERS, { isolate: true, globalSetup: [] }),
      // The projects below need Debian packages.
      project(
        'postgres-15',
        [
          'test/endpoints/{account,email-forwarding,hooks,idempotency,keys,site,stats}.test.ts',
          'test/backup/*.test.ts',
          'test/cli/backup.test.ts',
        ],
        { globalSetup: ['test/support/postgres-15-setup.ts'] },
      ),
      project(
        'pooler',
        [
          'test/endpoints/{idempotency,keys,stats}.test.ts',
          'test/pooler/*.test.ts',
          'test/concurrency/migrations.test.ts',
        ],
        { globalSetup: ['test/pooler/setup.ts'] },
      ),
      project('delivery'),
      // One worker per CPU core, because browsers are CPU-bound.
      project('browser', undefined, { maxWorkers: availableParallelism() }),
      // Starts its own server.
      project('engines', undefined, { globalSetup: ['test/support/run-folder.ts'] }),
      project('previous', undefined, { globalSetup: ['test/previous/setup.ts'] }),
      // `npm run check:world`: programs of others read what we write.
      project('world'),
      project('mail'),
    ],
  },
});
