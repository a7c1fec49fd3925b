import { type Driver, type Kysely, PostgresDriver } from 'kysely';
import pg from 'pg';
import { databaseOn } from './turn-driver.ts';
import { PreparingClient } from './preparing-client.ts';
import type { Database } from '../schema.ts';

export interface PostgresOptions {
  connectionString: string;
  max: number;
  /** Without limits for migrations and exports, which take long. */
  timeLimits?: TimeLimits | undefined;
  /** Called with errors of idle connections. */
  onError: (error: Error) => void;
  /**
   * Approximate time after which a connection is replaced, to find a new server behind the same address and new
   * server settings. 30 minutes by default.
   */
  lifetimeSeconds?: number | undefined;
}

/** Timeout for opening a connection, or for getting one from the pool. */
const CONNECT_MS = 2_000;

/** Milliseconds. */
export const REQUEST_LIMITS = {
  connectionTimeoutMillis: CONNECT_MS,
  statement_timeout: 5_000,
  lock_timeout: 2_000,
  idle_in_transaction_session_timeout: 10_000,
  // A client-side limit, for a server that no longer responds.
  query_timeout: 8_000,
};

export type TimeLimits = typeof REQUEST_LIMITS;

/** Random, so that connections do not all expire at once. */
function lifetimeMs({ lifetimeSeconds = 1_800 }: Pick<PostgresOptions, 'lifetimeSeconds'>): number {
  return 1_000 * lifetimeSeconds * (0.8 + 0.4 * Math.random());
}

/** Keep-alive and a limited lifetime replace dead connections. */
export function connectionOptions(
  options: Pick<PostgresOptions, 'timeLimits' | 'lifetimeSeconds'>,
) {
  return {
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    maxLifetimeSeconds: lifetimeMs(options) / 1_000,
    onConnect: turnJitOff,
    ...options.timeLimits,
  };
}

/**
 * JIT compilation takes 0.3 s or more; our statements take milliseconds. Not a startup parameter, because PgBouncer
 * would not pass it on.
 */
export async function turnJitOff(client: pg.ClientBase): Promise<void> {
  await client.query('SET jit = off');
}

export interface PoolUse {
  inUse: number;
  /** Open connections, in use or idle. */
  open: number;
  max: number;
  waiting: number;
}

/** Opens no connection before the first query. */
export function connectPostgres(options: PostgresOptions): Kysely<Database> {
  return connectPool(options).db;
}

export function connectPool(options: PostgresOptions): {
  db: Kysely<Database>;
  /** For other Kysely instances on the same pool. */
  driver: Driver;
  use: () => PoolUse;
} {
  const pool = new pg.Pool({
    connectionString: options.connectionString,
    max: options.max,
    ...connectionOptions(options),
  });
  const clients = new WeakMap<pg.PoolClient, PreparingClient>();
  let ending = false;
  // A stopping server may break connections that are being closed.
  const onError = (error: Error) => {
    if (!ending) options.onError(error);
  };
  pool.on('error', onError);
  pool.on('connect', (client) => {
    // @NOTE without a listener, a connection that breaks while in use would crash the process.
    client.on('error', onError);
    clients.set(client, new PreparingClient(client));
    // Lifetime of the next connection.
    pool.options.maxLifetimeSeconds = lifetimeMs(options) / 1_000;
  });
  const driver = new PostgresDriver({
    pool: {
      options: pool.options,
      Client: pg.Client,
      end: () => {
        ending = true;
        return pool.end();
      },
      connect: async () => clients.get(await pool.connect())!,
    },
  });
  return {
    db: databaseOn(driver),
    driver,
    use: () => ({
      inUse: pool.totalCount - pool.idleCount,
      open: pool.totalCount,
      max: options.max,
      // Waiting while the pool can still open connections is not overload.
      waiting: pool.totalCount < options.max ? 0 : pool.waitingCount,
    }),
  };
}
