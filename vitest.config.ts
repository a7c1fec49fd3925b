import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { InterleavedSequencer } from '#test/support/interleaved-sequencer.ts';
import { findMemoryFolder } from '#test/support/memory-folder.ts';

// Tests start hundreds of programs, which share compiled code in this cache.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(
  new URL('node_modules/.cache/compiled', import.meta.url),
);

const temporary = findMemoryFolder();
if (temporary) process.env['TMPDIR'] ??= temporary;

export default defineConfig({
  test: {
    // Long, because slow machines must not fail tests. They only stop tests that hang.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    // Loading modules again for each file would take longer than its tests.
    isolate: false,
    // Node loads the files as in production. Nothing is mocked.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    sequence: { sequencer: InterleavedSequencer },
    // More workers than processors, because tests mostly wait. The limit of 8 is for the
    // connections of the test server.
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
      // The projects below are not part of `npm test`. Some need a Debian package.
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
      // Installs the documented OpenTelemetry SDK.
      {
        extends: true,
        test: {
          name: 'tracing',
          include: ['test/tracing/*.test.ts'],
          globalSetup: ['test/support/postgres-setup.ts'],
        },
      },
      // Starts the servers that it kills.
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
          // Browsers need the processor, so there is no point in more workers.
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
