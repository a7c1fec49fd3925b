declare module 'vitest' {
  interface ProvidedContext {
    /** A superuser's URL of the PostgreSQL server of this run. */
    postgresUrl: string;
  }
}

export {};
