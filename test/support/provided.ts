declare module 'vitest' {
  interface ProvidedContext {
    /** A superuser's URL of the PostgreSQL server of this run. */
    postgresUrl: string;
    /** A folder that is gone after this run. */
    folder: string;
    /** Whether each application of the tests is two, behind HAProxy. */
    isBehindHaproxy?: true;
  }
}

// oxlint-disable-next-line unicorn/require-module-specifiers -- a module, so that it adds to another
export {};
