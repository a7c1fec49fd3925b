declare module 'vitest' {
  interface ProvidedContext {
    /** The engine that `openTestDatabase` opens. */
    engine: 'pglite' | 'postgres';
    /** A superuser's URL of the PostgreSQL server of this run. */
    postgresUrl: string;
    /** File of a migrated, empty embedded database. */
    pgliteSnapshot: string;
  }
}

export {};
