import type { FastifyBaseLogger } from 'fastify';
import type { Kysely } from 'kysely';
import { migrate } from '#db/migrating/migrate.ts';
import {
  type DatabaseQueues,
  METRIC_READ_CONNECTIONS,
  createDatabaseQueues,
  READ_CONNECTIONS,
} from './limits/database-queues.ts';
import {
  connectPool,
  connectPostgres,
  type PoolUsage,
  REQUEST_TIME_LIMITS,
} from '#db/connections/postgres.ts';
import {
  type RunningDatabase,
  runEmbeddedDatabase,
  type CommandDatabase,
  useEmbeddedDatabase,
} from '#db/embedded/embedded-database.ts';
import type { Database } from '#db/schema.ts';
import { JOB_QUEUE_CONNECTIONS } from './jobs/job-queue.ts';
import type { Config } from './settings/config.ts';
import { secureDatabaseUrl } from './settings/database-url.ts';

/**
 * One each for the migration, for building indexes, and for finding the sessions that block them.
 */
const MIGRATING_CONNECTIONS = 3;

/**
 * Connections that a server opens in addition to DATABASE_POOL_SIZE. docs/sizing.md has this number.
 */
export const EXTRA_CONNECTIONS =
  READ_CONNECTIONS + METRIC_READ_CONNECTIONS + JOB_QUEUE_CONNECTIONS + MIGRATING_CONNECTIONS;

export interface OpenDatabase {
  db: Kysely<Database>;
  /** For single SELECT statements, so that slow writes do not delay them. */
  readDb: Kysely<Database>;
  queues: DatabaseQueues;
  pools: () => Record<string, PoolUsage>;
  /** Connection string for `pg`, with credentials. */
  url: string;
  description: string;
  isEmbedded: boolean;
  /** Undefined if `DATABASE_URL` is set. */
  dataDir: string | undefined;
  /** Only for commands: the URL of the server that runs the embedded database, if known. */
  serverAddress: string | undefined;
  announceAddress: (address: string) => void;
  migrate: () => Promise<string[]>;
  close: () => Promise<void>;
  /** Closes the database, and deletes an embedded database that this command created. */
  discard: () => Promise<void>;
}

export interface OpenOptions {
  logger: Pick<FastifyBaseLogger, 'error' | 'warn'>;
  onMessage: (message: string) => void;
  /**
   * A server's writes have time limits, and it creates a missing embedded database. A command's
   * writes have none, and it creates the database only if `createIfMissing` is set. `isRestore`
   * marks a new embedded database as the target of a restore.
   */
  user: { kind: 'server' } | { kind: 'command'; createIfMissing: boolean; isRestore?: boolean };
}

export async function openDatabase(config: Config, options: OpenOptions): Promise<OpenDatabase> {
  const { DATABASE_URL: configuredUrl, DATABASE_POOL_SIZE: poolSize } = config;
  if (configuredUrl !== undefined) {
    const { url, isPlain } = secureDatabaseUrl(configuredUrl);
    const { host, pathname } = new URL(url);
    const description = `PostgreSQL at ${host || 'a local socket'}${pathname}${isPlain ? ', not encrypted' : ''}`;
    const connected = connect(url, poolSize, options);
    return {
      ...connected,
      description,
      isEmbedded: false,
      dataDir: undefined,
      serverAddress: undefined,
      announceAddress: () => {},
      discard: connected.close,
    };
  }
  const running = await openEmbedded(config.DATA_DIR, options);
  const connected = connect(running.url, poolSize, options);
  return {
    ...connected,
    description: `its own PostgreSQL in ${running.path}`,
    isEmbedded: true,
    dataDir: running.path,
    serverAddress: running.serverAddress,
    announceAddress: running.announce,
    close: async () => {
      await connected.close();
      await running.close();
    },
    discard: async () => {
      await connected.close();
      await running.discard();
    },
  };
}

async function openEmbedded(
  dataDir: string,
  { logger, onMessage, user }: OpenOptions,
): Promise<CommandDatabase & RunningDatabase> {
  if (user.kind === 'command')
    return { ...(await useEmbeddedDatabase({ ...user, dataDir, onMessage })), announce: () => {} };
  const running = await runEmbeddedDatabase({
    dataDir,
    onMessage,
    createIfMissing: true,
    purpose: 'server',
    onLog: ({ sqlState, severity, message }) => {
      const line = { state: sqlState, severity, problem: message };
      if (severity === 'WARNING') logger.warn(line, 'database');
      else logger.error(line, 'database');
    },
    onRestart: (error) => {
      if (error) logger.error({ err: error }, 'the database stopped and cannot be restarted');
      else logger.error('the database stopped and was restarted');
    },
  });
  return { ...running, serverAddress: undefined, discard: running.close };
}

function connect(url: string, poolSize: number, { logger, onMessage, user }: OpenOptions) {
  const onError = (error: Error) => logger.error({ err: error }, 'a database connection was lost');
  const onWait = (holder: string) => {
    logger.warn({ holder }, 'a migration waits for a lock');
    onMessage(`The database migration is waiting for a lock that ${holder} holds.`);
  };
  const writes = connectPool({
    connectionString: url,
    max: poolSize,
    timeLimits: user.kind === 'server' ? REQUEST_TIME_LIMITS : undefined,
    onError,
  });
  const reads = connectPool({
    connectionString: url,
    max: READ_CONNECTIONS,
    timeLimits: REQUEST_TIME_LIMITS,
    onError,
  });
  const metricReads = connectPool({
    connectionString: url,
    max: METRIC_READ_CONNECTIONS,
    timeLimits: REQUEST_TIME_LIMITS,
    onError,
  });
  const queues = createDatabaseQueues(
    { writes: writes.driver, reads: reads.driver, metricReads: metricReads.driver },
    { writeConnections: poolSize, waitTimeoutMs: REQUEST_TIME_LIMITS.connectionTimeoutMillis },
  );
  const pools = [writes, reads, metricReads];
  return {
    db: writes.db,
    readDb: reads.db,
    queues,
    pools: () => ({
      writes: withQueuedRequests(writes, queues.writes),
      reads: withQueuedRequests(reads, queues.reads),
      metric_reads: withQueuedRequests(metricReads, queues.metricReads),
    }),
    url,
    migrate: () => migrateOnOwnConnections(url, onError, onWait),
    close: async () => {
      await Promise.all(pools.map(({ db }) => db.destroy()));
    },
  };
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
