import { createHash } from 'node:crypto';
import { Kysely, PostgresDialect, type PostgresPoolClient, type PostgresQueryResult } from 'kysely';
import pg from 'pg';
import { sqlState } from './sql-state.ts';
import type { Database } from './schema.ts';

/** More requests wait for a connection than are worth accepting. */
export class PoolExhaustedError extends Error {}

export interface PostgresOptions {
  connectionString: string;
  /** Connections at most. */
  max: number;
  /** Requests that may wait for a connection at most. */
  maxWaiting: number;
  /** Whether statements are cut off as a request needs it; migrations and exports take their time. */
  timeLimits: boolean;
  /** Called with errors of connections that nobody is using. */
  onError: (error: Error) => void;
}

/** In milliseconds. */
const TIME_LIMITS = {
  statement_timeout: 5_000,
  lock_timeout: 2_000,
  idle_in_transaction_session_timeout: 10_000,
  // The client's own limit, for a server that no longer answers at all.
  query_timeout: 8_000,
};

/** Connects to a PostgreSQL server. No connection is made until the first query. */
export function connectPostgres(options: PostgresOptions): Kysely<Database> {
  const pool = new pg.Pool({
    connectionString: options.connectionString,
    max: options.max,
    connectionTimeoutMillis: 2_000,
    keepAlive: true,
    ...(options.timeLimits && TIME_LIMITS),
  });
  pool.on('error', options.onError);
  // @NOTE without it, a server that ends a connection in use ends this process.
  pool.on('connect', (client) => client.on('error', options.onError));
  return new Kysely<Database>({
    dialect: new PostgresDialect({
      pool: {
        options: pool.options,
        Client: pg.Client,
        end: () => pool.end(),
        connect: async () => {
          if (pool.waitingCount >= options.maxWaiting)
            throw new PoolExhaustedError('pool exhausted');
          return new PreparingClient(await pool.connect()) as unknown as PostgresPoolClient;
        },
      },
    }),
  });
}

/** Statements that a connection keeps prepared at most. */
const MAX_PREPARED = 500;

const statementNames = new Map<string, string>();

function statementName(text: string): string | undefined {
  let name = statementNames.get(text);
  if (name === undefined && statementNames.size < MAX_PREPARED) {
    name = createHash('sha256').update(text).digest('base64url').slice(0, 24);
    statementNames.set(text, name);
  }
  return name;
}

/**
 * A connection that prepares each statement once, so that PostgreSQL parses and plans it once, and
 * that leaves the pool when it can no longer be trusted: Kysely would put it back.
 */
class PreparingClient {
  readonly #client: pg.PoolClient;
  #broken = false;

  constructor(client: pg.PoolClient) {
    this.#client = client;
  }

  async query(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<any>> {
    try {
      const name = values.length > 0 ? statementName(text) : undefined;
      const query = { text, values: values as unknown[] };
      const result = await this.#client.query(name ? { name, ...query } : query);
      return result as PostgresQueryResult<any>;
    } catch (error) {
      const state = sqlState(error);
      if (!state || /^(?:08|57P|58|XX)/.test(state)) this.#broken = true;
      throw error;
    }
  }

  release(): void {
    this.#client.release(this.#broken);
  }
}
