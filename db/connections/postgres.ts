import { PostgresDriver, sql } from 'kysely';
import pg from 'pg';
import { createKysely, type Pool } from './create-kysely.ts';
import type { Database, ReadDatabase } from './handles.ts';
import { PreparedStatementClient } from './prepared-statement-client.ts';

export interface PostgresOptions {
  connectionString: string;
  max: number;
  /** Omit for migrations and exports, which take a long time. */
  timeLimits?: TimeLimits | undefined;
  onError: (error: Error) => void;
  /**
   * Approximate lifetime of a connection (default: 30 minutes). New connections pick up DNS changes
   * and new server settings.
   */
  lifetimeSeconds?: number | undefined;
}

/** Applies to opening a connection and to waiting for one from the pool. */
const CONNECT_TIMEOUT_MS = 2_000;

/** Milliseconds. */
export const REQUEST_TIME_LIMITS = {
  connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  statement_timeout: 5_000,
  lock_timeout: 2_000,
  idle_in_transaction_session_timeout: 10_000,
  // A client-side limit, for a server that no longer responds.
  query_timeout: 8_000,
};

export type TimeLimits = typeof REQUEST_TIME_LIMITS;

/** Varies by ±20%, so that connections do not all expire at once. */
function randomLifetimeMs({
  lifetimeSeconds = 1_800,
}: Pick<PostgresOptions, 'lifetimeSeconds'>): number {
  return 1_000 * lifetimeSeconds * (0.8 + 0.4 * Math.random());
}

export function connectionOptions(
  options: Pick<PostgresOptions, 'timeLimits' | 'lifetimeSeconds'>,
) {
  return {
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    maxLifetimeSeconds: randomLifetimeMs(options) / 1_000,
    onConnect: prepareSession,
    ...options.timeLimits,
  };
}

/**
 * Settings of a role, database or server that would change results or break connections. Not among
 * them: those that operators choose for Nameplate, such as `search_path`, `role` and
 * `default_transaction_read_only`.
 */
const SESSION_SETTINGS = {
  array_nulls: 'on',
  bytea_output: 'hex',
  client_encoding: 'UTF8',
  datestyle: 'ISO',
  default_transaction_isolation: 'read committed',
  exit_on_error: 'off',
  extra_float_digits: '1',
  // Closes connections that a pool is about to use.
  idle_session_timeout: '0',
  intervalstyle: 'postgres',
  // Compilation takes 0.3 s or more, while our statements take milliseconds.
  jit: 'off',
  standard_conforming_strings: 'on',
  timezone: 'UTC',
  transform_null_equals: 'off',
};

const SET_SESSION = Object.entries(SESSION_SETTINGS)
  .map(([name, value]) => `SET ${name} = '${value}'`)
  .join(';');

/** Uses statements, because PgBouncer would refuse most startup parameters. */
export async function prepareSession(client: pg.ClientBase): Promise<void> {
  await client.query(SET_SESSION);
}

export interface PoolUsage {
  inUse: number;
  /** Open connections, in use or idle. */
  open: number;
  max: number;
  waiting: number;
}

export function connectPostgres(options: PostgresOptions): Database {
  return connectPool(options).db;
}

export function connectPool(options: PostgresOptions): Pool & { usage: () => PoolUsage } {
  const pool = new pg.Pool({
    connectionString: options.connectionString,
    max: options.max,
    ...connectionOptions(options),
  });
  const clients = new WeakMap<pg.PoolClient, PreparedStatementClient>();
  let isEnding = false;
  // Ignore errors of connections that are being closed, for example when the server stops.
  const onError = (error: Error) => {
    if (!isEnding) options.onError(error);
  };
  pool.on('error', onError);
  pool.on('connect', (client) => {
    // Without a listener, a connection that breaks while in use would crash the process.
    client.on('error', onError);
    clients.set(client, new PreparedStatementClient(client));
    pool.options.maxLifetimeSeconds = randomLifetimeMs(options) / 1_000;
  });
  const driver = new PostgresDriver({
    pool: {
      options: pool.options,
      Client: pg.Client,
      end: () => {
        isEnding = true;
        return pool.end();
      },
      connect: async () => clients.get(await pool.connect())!,
    },
  });
  return {
    db: createKysely(driver),
    driver,
    usage: () => ({
      inUse: pool.totalCount - pool.idleCount,
      open: pool.totalCount,
      max: options.max,
      // Requests that wait for a new connection to open are not a sign of overload.
      waiting: pool.totalCount < options.max ? 0 : pool.waitingCount,
    }),
  };
}

const SERVER_LIMITS = [
  'statement_timeout',
  'lock_timeout',
  'idle_in_transaction_session_timeout',
] as const satisfies (keyof TimeLimits)[];

/** Returns the limits that are off, for example because a pooler dropped them. */
export async function findMissingLimits(db: ReadDatabase): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT name FROM pg_settings WHERE name = ANY(${SERVER_LIMITS}) AND setting = '0'
    ORDER BY name`.execute(db);
  return rows.map(({ name }) => name);
}
