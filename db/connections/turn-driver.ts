import {
  type DatabaseConnection,
  type Driver,
  Kysely,
  type KyselyPlugin,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type TransactionSettings,
} from 'kysely';
import type { Database } from '../schema.ts';

/** Waits for a slot. Returns a function that releases it. */
type AcquireSlot = () => Promise<() => void>;

const [adapter, compiler] = [new PostgresAdapter(), new PostgresQueryCompiler()];

/** Several instances can share a driver and its pool. */
export function databaseOn(driver: Driver, plugins?: KyselyPlugin[]): Kysely<Database> {
  return new Kysely<Database>({
    dialect: {
      createDriver: () => driver,
      createAdapter: () => adapter,
      createQueryCompiler: () => compiler,
      createIntrospector: (db) => new PostgresIntrospector(db),
    },
    ...(plugins && { plugins }),
  });
}

/** A driver that acquires a slot before each connection, and releases it afterwards. */
export class TurnDriver implements Driver {
  readonly #driver: Driver;
  readonly #enter: AcquireSlot;
  readonly #leave = new WeakMap<DatabaseConnection, () => void>();

  constructor(driver: Driver, enter: AcquireSlot) {
    this.#driver = driver;
    this.#enter = enter;
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    const leave = await this.#enter();
    try {
      const connection = await this.#driver.acquireConnection();
      this.#leave.set(connection, leave);
      return connection;
    } catch (error) {
      leave();
      throw error;
    }
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    try {
      await this.#driver.releaseConnection(connection);
    } finally {
      this.#leave.get(connection)!();
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
