import { type Driver, type Kysely, PostgresDriver } from 'kysely';
import pg from 'pg';
import { databaseOn } from './in-turns.ts';
import { PreparingClient } from './preparing-client.ts';
import type { Database } from '../schema.ts';

export interface PostgresOptions {
  connectionString: string;
  /** Connections at most. */
  max: number;
  /** Without them statements take their time, as those of migrations and exports do. */
  timeLimits?: TimeLimits | undefined;
  /** Called with errors of connections that nobody is using. */
  onError: (error: Error) => void;
  /**
   * Approximate time after which a connection is replaced by a new one, which finds the server that is
   * there now and its settings; half an hour by default.
   */
  lifetimeSeconds?: number | undefined;
}

/** How long a connection may take to be made, or to be free. */
const CONNECT_MS = 2_000;

/** Limits of what a request needs, in milliseconds. */
export const REQUEST_LIMITS = {
  connectionTimeoutMillis: CONNECT_MS,
  statement_timeout: 5_000,
  lock_timeout: 2_000,
  idle_in_transaction_session_timeout: 10_000,
  // The client's own limit, for a server that no longer answers at all.
  query_timeout: 8_000,
};

export type TimeLimits = typeof REQUEST_LIMITS;

/** How long one connection lives: not as long as the others, or all would end at once. */
function lifetimeMs({ lifetimeSeconds = 1_800 }: Pick<PostgresOptions, 'lifetimeSeconds'>): number {
  return 1_000 * lifetimeSeconds * (0.8 + 0.4 * Math.random());
}

/** Pool options. New connections turn JIT off; keep-alive and a limited lifetime replace dead ones. */
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
 * Compiling a statement takes 0.3 s or more; ours take milliseconds. PgBouncer would not pass on a
 * startup parameter.
 */
export async function turnJitOff(client: pg.ClientBase): Promise<void> {
  await client.query('SET jit = off');
}

/** Use of a pool at a moment. */
export interface PoolUse {
  inUse: number;
  /** Connections, in use or not. */
  open: number;
  max: number;
  /** Requests that wait for a connection. */
  waiting: number;
}

/** Connects to a PostgreSQL server. No connection is made until the first query. */
export function connectPostgres(options: PostgresOptions): Kysely<Database> {
  return connectPool(options).db;
}

/** Connects a pool that tells its use. */
export function connectPool(options: PostgresOptions): {
  db: Kysely<Database>;
  /** For another Kysely on the same pool. */
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
  // A server that stops may end what is saying goodbye to it.
  const onError = (error: Error) => {
    if (!ending) options.onError(error);
  };
  pool.on('error', onError);
  pool.on('connect', (client) => {
    // @NOTE without it, a server that ends a connection in use ends this process.
    client.on('error', onError);
    clients.set(client, new PreparingClient(client));
    // The next connection's.
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
