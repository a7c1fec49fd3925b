declare module 'vitest' {
  interface ProvidedContext {
    /** Superuser URL of this run's PostgreSQL server. */
    postgresUrl: string;
    /** Temporary folder, removed after this run. */
    tempDir: string;
    /** Each test app is two servers behind HAProxy. */
    isBehindHaproxy?: true;
  }
}

// oxlint-disable-next-line unicorn/require-module-specifiers -- makes this file a module, so that it extends vitest's types
export {};
