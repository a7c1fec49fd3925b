import { assertOwnSessions } from '#db/connections/own-sessions.ts';
import { findMissingLimits } from '#db/connections/postgres.ts';
import { readServerState } from '#db/database-state.ts';
import { compareMigrations } from '#db/migrating/migrate.ts';
import { listMetricPartitions } from '#db/partitions.ts';
import { readQueueStates } from '#db/queries/jobs.ts';
import { EXTRA_CONNECTIONS, type OpenDatabase } from '#server/database.ts';
import type { Config } from '#server/platform/settings/config.ts';
import { secureDatabaseUrl } from '#server/platform/settings/database-url.ts';
import { explainMissingLimits } from '#server/platform/settings/start-failure.ts';
import { type Problem, toProblems } from '#server/platform/text/problem.ts';

const MIN_VERSION = 15;

export async function checkDatabase(
  { DATABASE_POOL_SIZE, DATABASE_URL: url }: Config,
  { db, readDb, dataDir }: OpenDatabase,
): Promise<{ version: string; isUsable: boolean; problems: Problem[] }> {
  if (dataDir === undefined) await assertOwnSessions(db, readDb);
  const server = await readServerState(db);
  const { version, connections, encoding, may_create_tables: mayMigrate } = server;
  const { due, unknown, canServe } = await compareMigrations(db);
  const isUsable = due.length === 0 && unknown.length === 0;
  // Commands set time limits only on the connections for reads, so check those.
  const missingLimits = dataDir === undefined ? await findMissingLimits(readDb) : [];
  const neededConnections = DATABASE_POOL_SIZE + EXTRA_CONNECTIONS;
  const isDue = canServe && due.length > 0;
  const pending = `Migrations are pending: ${due.join(', ')}.`;
  const problems = [
    ...toProblems('error', {
      [`PostgreSQL ${version} is too old. Use version ${MIN_VERSION} or newer.`]:
        server.version_number < MIN_VERSION * 10_000,
      [`The database encoding is ${encoding}, which cannot store all characters. Create a database with createdb --encoding UTF8 --template template0.`]:
        encoding !== 'UTF8',
      'The database is read-only. It may be a standby. Point DATABASE_URL to the primary.':
        server.read_only,
      'The database was set up by a newer version of Nameplate. Run that version, or restore a backup from before the upgrade.':
        !canServe,
      [`${pending} The user of DATABASE_URL may not create tables. Run nameplate migrate as the role that owns the tables.`]:
        isDue && !mayMigrate,
      'The metrics partition for next month is missing. Run nameplate migrate as the role that owns the tables, and once a month from then on.':
        isUsable && !(await hasPartition(db, startOfNextMonth())),
      'The user of DATABASE_URL can neither use nor create the job queue (schema pgboss). Grant CREATE on the database to that user. Or run nameplate migrate as the role that owns the tables, then apply the grants in deploy/postgres/server-role.sql.':
        isUsable && !server.may_create_schemas && (await readQueueStates(db)) === undefined,
    }),
    ...toProblems('warning', {
      'The connection to the database is not encrypted. Remove ?sslmode=disable from DATABASE_URL, unless the network is private.':
        url !== undefined && secureDatabaseUrl(url).isUnencrypted,
      [`The server may open ${neededConnections} connections, but PostgreSQL allows only ${connections}. Lower DATABASE_POOL_SIZE, or raise max_connections in PostgreSQL.`]:
        neededConnections > connections,
      [`${pending} Back up, then run nameplate migrate or restart the server.`]:
        isDue && mayMigrate,
      [explainMissingLimits(missingLimits)]: missingLimits.length > 0,
    }),
  ];
  return { version, isUsable, problems };
}

async function hasPartition(db: OpenDatabase['db'], time: string): Promise<boolean> {
  const partitions = await listMetricPartitions(db);
  return partitions.some(({ from, to }) => from <= time && time < to);
}

function startOfNextMonth(): string {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString();
}
