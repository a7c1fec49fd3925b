import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { EvenlyWaiting } from '#test/support/evenly-waiting.ts';
import { memoryFolder } from '#test/support/memory-folder.ts';

// The programs that tests start by the hundred need not compile the same files again.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(
  new URL('node_modules/.cache/compiled', import.meta.url),
);

const temporary = memoryFolder();
if (temporary) process.env['TMPDIR'] ??= temporary;

/** All tests run on a PostgreSQL server of their own. */
export default defineConfig({
  test: {
    // No test is about time: this ends what hangs, also on a machine with other things to do.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    // Files share their modules: loading them anew for each would take longer than its tests.
    isolate: false,
    // Node reads the files as it does when the service runs; nothing here is mocked.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    sequence: { sequencer: EvenlyWaiting },
    // Tests wait more than they compute; a server for the tests takes so many connections.
    maxWorkers: Math.min(4 * availableParallelism(), 8),
    projects: [
      {
        extends: true,
        test: {
          name: 'suite',
          include: ['test/*/**/*.test.ts'],
          exclude: [
            'test/{browser,mail,backup,failover,pooler,postgres-15,haproxy,delivery,tracing}/**',
          ],
          globalSetup: ['test/support/postgres-setup.ts'],
        },
      },
      // Projects that need a Debian package are not part of `npm test`.
      {
        extends: true,
        test: {
          name: 'postgres-15',
          include: [
            'test/endpoints/{account,email-forwarding,hooks,idempotency,keys,model,site,stats}.test.ts',
            'test/backup/*.test.ts',
            'test/postgres-15/*.test.ts',
            'test/cli/{backup,move}.test.ts',
          ],
          globalSetup: ['test/support/postgres-15-setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'pooler',
          include: [
            'test/endpoints/{idempotency,keys,model,stats}.test.ts',
            'test/pooler/*.test.ts',
            'test/concurrency/migrations.test.ts',
          ],
          globalSetup: ['test/pooler/setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'haproxy',
          include: [
            'test/endpoints/{account,idempotency,keys,model,site,stats}.test.ts',
            'test/haproxy/*.test.ts',
          ],
          globalSetup: ['test/haproxy/setup.ts'],
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
      // It installs the SDK that is documented.
      {
        extends: true,
        test: {
          name: 'tracing',
          include: ['test/tracing/*.test.ts'],
          globalSetup: ['test/support/postgres-setup.ts'],
        },
      },
      // It starts the servers that it kills.
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
          // A browser computes more than it waits.
          maxWorkers: availableParallelism(),
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
