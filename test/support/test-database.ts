import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import type { Database } from '#db/connections/handles.ts';
import { connectPool, type PostgresOptions, type TimeLimits } from '#db/connections/postgres.ts';
import { attachToEmbeddedDatabase } from '#db/embedded/embedded-database.ts';
import {
  type DatabaseQueues,
  createDatabaseQueues,
  READ_CONNECTIONS,
} from '#server/platform/limits/database-queues.ts';
import './vitest-context.ts';

export interface TestDatabase {
  db: Database;
  readDb: Database;
  queues: DatabaseQueues;
  createQueues: () => DatabaseQueues;
  url: string;
  close: () => Promise<void>;
}

/** Creates a migrated database and connects to it. */
export async function openTestDatabase(): Promise<TestDatabase> {
  return connectPostgresDatabase(await createPostgresDatabase('nameplate_template'));
}

/** Long, so that tests do not fail on slow machines. */
export const LONG_TIME_LIMITS: TimeLimits = {
  connectionTimeoutMillis: 200_000,
  statement_timeout: 200_000,
  lock_timeout: 200_000,
  idle_in_transaction_session_timeout: 200_000,
  query_timeout: 200_000,
};

/** Connects to an existing database, like another server instance. */
export function connectPostgresDatabase(
  url: string,
  {
    max = 10,
    timeLimits = LONG_TIME_LIMITS,
    onError = () => {},
    ...options
  }: Partial<PostgresOptions> = {},
  limits: { maxWaitingWrites?: number; maxWaitingReads?: number } = { maxWaitingWrites: 2_000 },
): TestDatabase {
  const pool = connectPool({
    connectionString: url,
    max,
    timeLimits,
    onError,
    ...options,
  });
  const readPool = connectPool({
    connectionString: url,
    max: READ_CONNECTIONS,
    timeLimits,
    onError,
    lifetimeSeconds: options.lifetimeSeconds,
  });
  const { db } = pool;
  const readDb = readPool.db;
  const createQueues = () =>
    createDatabaseQueues(
      { writes: pool, reads: readPool, metricReads: pool, slowReads: readPool },
      {
        writeConnections: max,
        ...limits,
        waitTimeoutMs: timeLimits.connectionTimeoutMillis,
      },
    );
  return {
    db,
    readDb,
    queues: createQueues(),
    createQueues,
    url,
    close: async () => {
      await Promise.all([db.destroy(), readDb.destroy()]);
    },
  };
}

/** Creates a database, empty or from a template, and returns its URL. */
export async function createPostgresDatabase(template?: string): Promise<string> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  const client = new pg.Client({ connectionString: inject('postgresUrl') });
  await client.connect();
  try {
    // PostgreSQL cannot copy a template twice at the same time.
    await client.query('SELECT pg_advisory_lock(1)');
    // The default strategy, wal_log, needs several times as much CPU time.
    await client.query(
      `CREATE DATABASE ${name}${template ? ` TEMPLATE ${template} STRATEGY file_copy` : ''}`,
    );
  } finally {
    await client.end();
  }
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${name}`;
  return url.href;
}

/** Connects to the embedded database of a data folder, like a CLI command. */
export async function openEmbeddedTestDatabase(dataDir: string): Promise<TestDatabase> {
  const embedded = await attachToEmbeddedDatabase(dataDir);
  const database = connectPostgresDatabase(embedded.url);
  return {
    ...database,
    close: async () => {
      await database.close();
      await embedded.close();
    },
  };
}
