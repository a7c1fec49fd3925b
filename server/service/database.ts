import type { PGlite } from '@electric-sql/pglite';
import type { FastifyBaseLogger } from 'fastify';
import type { Kysely } from 'kysely';
import { migrate } from '../../db/migrate.ts';
import { openPglite } from '../../db/pglite.ts';
import { connectPipelined } from '../../db/pipelined.ts';
import { connectPostgres } from '../../db/postgres.ts';
import type { Database } from '../../db/schema.ts';
import type { Config } from './config.ts';

/** Requests that wait for a connection at most, for each connection of the pool. */
const WAITING_PER_CONNECTION = 20;

/** Connections for single reading statements, which share them. */
const SHARED_CONNECTIONS = 2;
/** Reads that wait for their answer at most; more than that are refused. */
const MAX_READS = 1_000;

/** The database that the settings name. */
export interface OpenDatabase {
  db: Kysely<Database>;
  /** For single reading statements: connections of their own that are shared. */
  reads: Kysely<Database>;
  /** Where the data is, for people; without credentials. */
  place: string;
  embedded: boolean;
  /** The URL of the PostgreSQL server; undefined for the embedded engine. */
  url: string | undefined;
  /** The embedded engine itself; undefined on a PostgreSQL server. */
  pglite: PGlite | undefined;
  /** Brings the schema up to date; returns the names of the migrations that ran. */
  migrate: () => Promise<string[]>;
  close: () => Promise<void>;
}

/** Opens the PostgreSQL server of `DATABASE_URL`, or without it the embedded database in `DATA_DIR`. */
export async function openDatabase(
  config: Config,
  logger: Pick<FastifyBaseLogger, 'error'>,
  /** Whether statements are cut off as a request needs it. */
  { timeLimits = true } = {},
): Promise<OpenDatabase> {
  const { DATABASE_URL: connectionString, DATA_DIR, DATABASE_POOL_SIZE } = config;
  if (connectionString === undefined) {
    const { db, pglite, close } = await openPglite(DATA_DIR);
    const place = `the embedded database in ${DATA_DIR}`;
    return {
      db,
      reads: db,
      place,
      embedded: true,
      url: undefined,
      pglite,
      migrate: () => migrate(db),
      close,
    };
  }
  const onError = (error: Error) => logger.error({ err: error }, 'a database connection was lost');
  const db = connectPostgres({
    connectionString,
    max: DATABASE_POOL_SIZE,
    maxWaiting: DATABASE_POOL_SIZE * WAITING_PER_CONNECTION,
    timeLimits,
    onError,
  });
  const reads = connectPipelined({
    connectionString,
    max: SHARED_CONNECTIONS,
    maxWaiting: MAX_READS,
    onError,
  });
  return {
    db,
    reads,
    place: `PostgreSQL at ${new URL(connectionString).host || 'a local socket'}`,
    embedded: false,
    url: connectionString,
    pglite: undefined,
    migrate: () => migrateOnOwnConnection(connectionString, onError),
    close: async () => {
      await Promise.all([db.destroy(), reads.destroy()]);
    },
  };
}

async function migrateOnOwnConnection(
  connectionString: string,
  onError: (error: Error) => void,
): Promise<string[]> {
  const db = connectPostgres({
    connectionString,
    max: 1,
    maxWaiting: 1,
    timeLimits: false,
    onError,
  });
  try {
    return await migrate(db);
  } finally {
    await db.destroy();
  }
}
