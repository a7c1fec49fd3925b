import type { FastifyBaseLogger } from 'fastify';
import type { Database, ReadDatabase } from '#db/connections/handles.ts';
import {
  connectPool,
  connectPostgres,
  type PoolUsage,
  REQUEST_TIME_LIMITS,
  type TimeLimits,
} from '#db/connections/postgres.ts';
import { type EmbeddedDatabase, runEmbeddedDatabase } from '#db/embedded/embedded-database.ts';
import { migrate } from '#db/migrating/migrate.ts';
import { JOB_QUEUE_CONNECTIONS } from './platform/jobs/job-queue.ts';
import {
  type DatabaseQueues,
  METRIC_READ_CONNECTIONS,
  createDatabaseQueues,
  READ_CONNECTIONS,
  SLOW_READ_CONNECTIONS,
} from './platform/limits/database-queues.ts';
import type { Config } from './platform/settings/config.ts';
import { secureDatabaseUrl } from './platform/settings/database-url.ts';

/** One for the migration, and one for finding the sessions that block it. */
const MIGRATING_CONNECTIONS = 2;

/**
 * Connections that a server opens in addition to DATABASE_POOL_SIZE. docs/limits.md has this number.
 */
export const EXTRA_CONNECTIONS =
  READ_CONNECTIONS +
  METRIC_READ_CONNECTIONS +
  SLOW_READ_CONNECTIONS +
  JOB_QUEUE_CONNECTIONS +
  MIGRATING_CONNECTIONS;

export interface OpenDatabase {
  db: Database;
  /** For single SELECT statements, so that slow writes do not delay them. */
  readDb: ReadDatabase;
  queues: DatabaseQueues;
  pools: () => Record<string, PoolUsage>;
  /** Connection string for `pg`, with credentials. */
  url: string;
  description: string;
  isEmbedded: boolean;
  /** Undefined if `DATABASE_URL` is set. */
  dataDir: string | undefined;
  migrate: () => Promise<string[]>;
  close: () => Promise<void>;
}

export interface OpenOptions {
  logger: Pick<FastifyBaseLogger, 'error' | 'warn'>;
  /** Called with human-readable messages. */
  onMessage: (message: string) => void;
}

/** Opens the database of `DATABASE_URL`, or runs the embedded database, which is created if it is missing. */
export async function openServerDatabase(
  config: Config,
  options: OpenOptions & {
    /** Returns the URL of the server, once it listens. */
    findAddress: () => string | undefined;
  },
): Promise<OpenDatabase> {
  const { logger } = options;
  const embedded =
    config.DATABASE_URL === undefined
      ? await runEmbeddedDatabase(config.DATA_DIR, {
          ...options,
          onLog: ({ sqlState, severity, message }) => {
            const line = { state: sqlState, severity, problem: message };
            if (severity === 'WARNING') logger.warn(line, 'database');
            else logger.error(line, 'database');
          },
          onRestart: (error) => {
            if (error) logger.error({ err: error }, 'the database stopped and cannot be restarted');
            else logger.error('the database stopped and was restarted');
          },
        })
      : undefined;
  return connect(config, embedded, { ...options, writeTimeLimits: REQUEST_TIME_LIMITS });
}

/** Connects to the embedded database, or without one to `DATABASE_URL`. */
export function connect(
  { DATABASE_URL, DATABASE_POOL_SIZE: poolSize }: Config,
  embedded: EmbeddedDatabase | undefined,
  { logger, onMessage, writeTimeLimits }: OpenOptions & { writeTimeLimits: TimeLimits | undefined },
): OpenDatabase {
  const { url, description } = embedded
    ? { url: embedded.url, description: `its own PostgreSQL in ${embedded.path}` }
    : describeExternal(DATABASE_URL!);
  const onError = (error: Error) => logger.error({ err: error }, 'a database connection was lost');
  const onWait = (holder: string) => {
    logger.warn({ holder }, 'a migration waits for a lock');
    onMessage(`The database migration is waiting for a lock that ${holder} holds.`);
  };
  const connectReads = (max: number) =>
    connectPool({ connectionString: url, max, timeLimits: REQUEST_TIME_LIMITS, onError });
  const pools = {
    writes: connectPool({
      connectionString: url,
      max: poolSize,
      timeLimits: writeTimeLimits,
      onError,
    }),
    reads: connectReads(READ_CONNECTIONS),
    metricReads: connectReads(METRIC_READ_CONNECTIONS),
    slowReads: connectReads(SLOW_READ_CONNECTIONS),
  };
  const { writes, reads } = pools;
  const queues = createDatabaseQueues(pools, {
    writeConnections: poolSize,
    waitTimeoutMs: REQUEST_TIME_LIMITS.connectionTimeoutMillis,
  });
  return {
    db: writes.db,
    readDb: reads.db,
    queues,
    pools: () => ({
      writes: withQueuedRequests(writes, queues.writes),
      reads: withQueuedRequests(reads, queues.reads),
      metric_reads: withQueuedRequests(pools.metricReads, queues.metricReads),
      slow_reads: withQueuedRequests(pools.slowReads, queues.slowReads),
    }),
    url,
    description,
    isEmbedded: embedded !== undefined,
    dataDir: embedded?.path,
    migrate: () => migrateOnOwnConnections(url, onError, onWait),
    close: async () => {
      await Promise.all(Object.values(pools).map(({ db }) => db.destroy()));
      await embedded?.close();
    },
  };
}

function describeExternal(databaseUrl: string): { url: string; description: string } {
  const { url, isUnencrypted } = secureDatabaseUrl(databaseUrl);
  const { host, pathname } = new URL(url);
  const description = `PostgreSQL at ${host || 'a local socket'}${pathname}${isUnencrypted ? ', not encrypted' : ''}`;
  return { url, description };
}

/** Counts queued requests as waiting, because they need a connection, too. */
function withQueuedRequests(
  pool: { usage: () => PoolUsage },
  queue: { waitingCount: number },
): PoolUsage {
  const usage = pool.usage();
  return { ...usage, waiting: usage.waiting + queue.waitingCount };
}

async function migrateOnOwnConnections(
  connectionString: string,
  onError: (error: Error) => void,
  onWait: (holder: string) => void,
): Promise<string[]> {
  const db = connectPostgres({
    connectionString,
    max: MIGRATING_CONNECTIONS,
    onError,
  });
  try {
    return await migrate(db, { onWait });
  } finally {
    await db.destroy();
  }
}
