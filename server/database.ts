import type { FastifyBaseLogger } from 'fastify';
import type { Kysely } from 'kysely';
import { migrate } from '#db/migrating/migrate.ts';
import {
  type DatabaseQueues,
  METRIC_CONNECTIONS,
  openDatabaseQueues,
  READ_CONNECTIONS,
} from './limits/database-queues.ts';
import {
  connectPool,
  connectPostgres,
  type PoolUse,
  REQUEST_LIMITS,
} from '#db/connections/postgres.ts';
import {
  type RunDatabase,
  runPrivateDatabase,
  type UsedDatabase,
  usePrivateDatabase,
} from '#db/embedded/private-database.ts';
import type { Database } from '#db/schema.ts';
import type { Config } from './settings/config.ts';
import { secureDatabaseUrl } from './settings/database-url.ts';

/** For a migration, indexes that it builds, and a look at whom they wait for. */
const MIGRATING_CONNECTIONS = 3;

/** Connections that each process may open besides its pool, two of them for the job queue. */
const CONNECTIONS_OF_PROCESS = READ_CONNECTIONS + METRIC_CONNECTIONS + 2;
/** Connections beside those: a migration's, and of a supervisor of workers its own. */
const CONNECTIONS_OF_SERVER = MIGRATING_CONNECTIONS + 2;

/** Maximum number of connections of a server with all its processes, as docs/sizing.md has it for operators. */
export function connectionsOf(config: Pick<Config, 'DATABASE_POOL_SIZE' | 'WORKERS'>): number {
  const { DATABASE_POOL_SIZE: poolSize, WORKERS: workers } = config;
  // Each worker has one connection of the pool at least.
  return Math.max(poolSize, workers) + CONNECTIONS_OF_PROCESS * workers + CONNECTIONS_OF_SERVER;
}

/** The database that the settings name. */
export interface OpenDatabase {
  db: Kysely<Database>;
  /** For single SELECT statements, so that slow writes do not delay them. */
  reads: Kysely<Database>;
  queues: DatabaseQueues;
  pools: () => Record<string, PoolUse>;
  /** For `pg`; with credentials. */
  url: string;
  /** Where the data is, for people; without credentials. */
  place: string;
  /** The data folder of the private database; undefined on a PostgreSQL server of the operator's. */
  folder: string | undefined;
  /** Where the server that runs the private database is found, for a command; undefined if that is not known. */
  serverAddress: string | undefined;
  /** Tells commands on the private database where this server is found. */
  announce: (address: string) => void;
  /** Brings the schema up to date; returns the names of the migrations that ran. */
  migrate: () => Promise<string[]>;
  close: () => Promise<void>;
  /** Closes it, and takes away a private database that a command has just made. */
  discard: () => Promise<void>;
}

export interface OpenOptions {
  logger: Pick<FastifyBaseLogger, 'error' | 'warn'>;
  /** Told what people who wait should know. */
  say: (sentence: string) => void;
  /**
   * A server runs the private database as long as it lives, makes it if there is none, and has time
   * limits on its statements. A command uses it for the moment and takes its time; `make` says whether
   * it may make one, and `restores` that it is to restore into it.
   */
  user: { kind: 'server' } | { kind: 'command'; make: boolean; restores?: boolean };
}

/** Opens the PostgreSQL server of `DATABASE_URL`, or without it the private database in `DATA_DIR`. */
export async function openDatabase(config: Config, options: OpenOptions): Promise<OpenDatabase> {
  const { DATABASE_URL: given, DATABASE_POOL_SIZE: poolSize } = config;
  if (given !== undefined) {
    const { url, isPlain } = secureDatabaseUrl(given);
    const { host, pathname } = new URL(url);
    const place = `PostgreSQL at ${host || 'a local socket'}${pathname}${isPlain ? ', not encrypted' : ''}`;
    const connected = connect(url, poolSize, options);
    return {
      ...connected,
      place,
      folder: undefined,
      serverAddress: undefined,
      announce: () => {},
      discard: connected.close,
    };
  }
  const running = await openPrivate(config.DATA_DIR, options);
  const connected = connect(running.url, poolSize, options);
  return {
    ...connected,
    place: `its own PostgreSQL in ${running.path}`,
    folder: running.path,
    serverAddress: running.serverAddress,
    announce: running.announce,
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

async function openPrivate(
  dataDir: string,
  { logger, say, user }: OpenOptions,
): Promise<UsedDatabase & RunDatabase> {
  if (user.kind === 'command')
    return { ...(await usePrivateDatabase({ ...user, dataDir, say })), announce: () => {} };
  const running = await runPrivateDatabase({
    dataDir,
    say,
    make: true,
    purpose: 'server',
    onLog: ({ state, severity, message }) => {
      const line = { state, severity, problem: message };
      if (severity === 'WARNING') logger.warn(line, 'database');
      else logger.error(line, 'database');
    },
    onRestart: (error) => {
      if (error) logger.error({ err: error }, 'the database ended and does not start again');
      else logger.error('the database had ended and was started again');
    },
  });
  return { ...running, serverAddress: undefined, discard: running.close };
}

function connect(url: string, poolSize: number, { logger, say, user }: OpenOptions) {
  const onError = (error: Error) => logger.error({ err: error }, 'a database connection was lost');
  const onWait = (holder: string) => {
    logger.warn({ holder }, 'a migration waits for a lock');
    say(
      `The database has to be migrated, and ${holder} has a lock that this needs: waiting for it.`,
    );
  };
  const writes = connectPool({
    connectionString: url,
    max: poolSize,
    timeLimits: user.kind === 'server' ? REQUEST_LIMITS : undefined,
    onError,
  });
  const reads = connectPool({
    connectionString: url,
    max: READ_CONNECTIONS,
    timeLimits: REQUEST_LIMITS,
    onError,
  });
  const metricReads = connectPool({
    connectionString: url,
    max: METRIC_CONNECTIONS,
    timeLimits: REQUEST_LIMITS,
    onError,
  });
  const queues = openDatabaseQueues(
    { writes: writes.driver, reads: reads.driver, metricReads: metricReads.driver },
    { connections: poolSize, patienceMs: REQUEST_LIMITS.connectionTimeoutMillis },
  );
  const pools = [writes, reads, metricReads];
  return {
    db: writes.db,
    reads: reads.db,
    queues,
    pools: () => ({
      writes: withTurns(writes, queues.writes),
      reads: withTurns(reads, queues.reads),
      metric_reads: withTurns(metricReads, queues.metricReads),
    }),
    url,
    migrate: () => migrateOnOwnConnections(url, onError, onWait),
    close: async () => {
      await Promise.all(pools.map(({ db }) => db.destroy()));
    },
  };
}

/** Who waits for the turn of their account waits for the pool, too. */
function withTurns(pool: { use: () => PoolUse }, turns: { waiting: number }): PoolUse {
  const use = pool.use();
  return { ...use, waiting: use.waiting + turns.waiting };
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
