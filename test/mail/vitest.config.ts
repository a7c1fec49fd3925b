import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Mail through a real Postfix, which only root can start. */
export default defineConfig({
  root: fileURLToPath(new URL('../../', import.meta.url)),
  test: {
    include: ['test/mail/*.test.ts'],
    globalSetup: ['test/support/postgres-setup.ts'],
    provide: { engine: 'postgres' },
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
