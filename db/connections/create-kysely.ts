import {
  type ConnectionProvider,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';
import type { Schema } from '../schema.ts';
import type { Database } from './handles.ts';

export function createKysely(driver: Driver): Database {
  return new Kysely<Schema>({ dialect: createDialect(driver) }) as Database;
}

function createDialect(driver: Driver) {
  return {
    createDriver: () => driver,
    createAdapter: () => new PostgresAdapter(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: (db: Kysely<any>) => new PostgresIntrospector(db),
  };
}

/** A pool, with the driver of `db`. */
export interface Pool {
  db: Database;
  driver: Driver;
}

/** Resolves to a function that releases the slot. */
type AcquireSlot = () => Promise<() => void>;

/**
 * Returns a function that creates a database on the connections of the pool. It waits for a slot
 * before it takes one of them. Each request creates one, so they share all parts but that.
 */
export function createSlotDatabases({ db, driver }: Pool): (acquireSlot: AcquireSlot) => Database {
  const executor = db.getExecutor();
  const dialect = createDialect(driver);
  const parts = { config: { dialect }, dialect, driver };
  return (acquireSlot) => {
    const connections: ConnectionProvider = {
      provideConnection: async (consumer, options) => {
        const release = await acquireSlot();
        try {
          return await executor.provideConnection(consumer, options);
        } finally {
          release();
        }
      },
    };
    return new Kysely<Schema>({
      ...parts,
      executor: executor.withConnectionProvider(connections),
    }) as Database;
  };
}
