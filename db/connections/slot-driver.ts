import {
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type TransactionSettings,
} from 'kysely';
import type { Schema } from '../schema.ts';
import type { Database } from './handles.ts';

/** Resolves to a function that releases the slot. */
type AcquireSlot = () => Promise<() => void>;

const [adapter, compiler] = [new PostgresAdapter(), new PostgresQueryCompiler()];

/** Several Kysely instances can share a driver and its pool. */
export function createKysely(driver: Driver): Database {
  return new Kysely<Schema>({
    dialect: {
      createDriver: () => driver,
      createAdapter: () => adapter,
      createQueryCompiler: () => compiler,
      createIntrospector: (db) => new PostgresIntrospector(db),
    },
  }) as Database;
}

/** Waits for a slot before it takes a connection from a shared pool. */
export class SlotDriver implements Driver {
  readonly #driver: Driver;
  readonly #acquireSlot: AcquireSlot;
  readonly #releaseSlot = new WeakMap<DatabaseConnection, () => void>();

  constructor(driver: Driver, acquireSlot: AcquireSlot) {
    this.#driver = driver;
    this.#acquireSlot = acquireSlot;
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    const release = await this.#acquireSlot();
    try {
      const connection = await this.#driver.acquireConnection();
      this.#releaseSlot.set(connection, release);
      return connection;
    } catch (error) {
      release();
      throw error;
    }
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    try {
      await this.#driver.releaseConnection(connection);
    } finally {
      this.#releaseSlot.get(connection)!();
    }
  }

  init(): Promise<void> {
    return this.#driver.init();
  }

  beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    return this.#driver.beginTransaction(connection, settings);
  }

  commitTransaction(connection: DatabaseConnection): Promise<void> {
    return this.#driver.commitTransaction(connection);
  }

  rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    return this.#driver.rollbackTransaction(connection);
  }

  /** Does nothing: the pool is shared. */
  async destroy(): Promise<void> {}
}
