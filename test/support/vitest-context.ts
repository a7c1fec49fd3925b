declare module 'vitest' {
  interface ProvidedContext {
    /** Superuser connection URL of this run's PostgreSQL server. */
    postgresUrl: string;
    /** Deleted after this run. */
    tempDir: string;
    /** Source code of the previous release, for `npm run test:previous`. */
    releaseFolder?: string;
  }
}

// oxlint-disable-next-line unicorn/require-module-specifiers -- makes this file a module, so that it augments vitest's types
export {};
