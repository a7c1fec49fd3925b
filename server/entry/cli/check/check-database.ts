import { readServerState, type ServerState } from '#db/database-state.ts';
import { readQueueStates } from '#db/queries/jobs.ts';
import { compareMigrations } from '#db/migrating/migrate.ts';
import { assertOwnSessions } from '#db/connections/own-sessions.ts';
import { listMetricPartitions } from '#db/partitions.ts';
import { findMissingLimits } from '#db/connections/postgres.ts';
import type { Config } from '#server/platform/settings/config.ts';
import { EXTRA_CONNECTIONS, type OpenDatabase } from '#server/database.ts';
import { secureDatabaseUrl } from '#server/platform/settings/database-url.ts';
import {
  errorFinding,
  type Finding,
  warningFinding,
} from '#server/features/forwarding/forwarding-provider.ts';
import { explainMissingLimits } from '#server/platform/settings/start-failure.ts';
import type { CheckResult } from './check-result.ts';

const MIN_VERSION = 15;

export interface DatabaseCheckResult extends CheckResult {
  isUsable: boolean;
}

export async function checkDatabase(
  config: Config,
  { db, readDb, description, dataDir }: OpenDatabase,
): Promise<DatabaseCheckResult> {
  if (dataDir === undefined) await assertOwnSessions(db, readDb);
  const server = await readServerState(db);
  const migrations = await compareMigrations(db);
  const isUsable = migrations.due.length === 0 && migrations.unknown.length === 0;
  const findings = [...checkServer(config, server), ...checkMigrations(server, migrations)];
  // Commands set time limits only on the connections for reads, so check those.
  const missingLimits = dataDir === undefined ? await findMissingLimits(readDb) : [];
  if (missingLimits.length > 0) {
    const { problem, fix } = explainMissingLimits(missingLimits);
    findings.push(warningFinding(problem, fix));
  }
  if (isUsable) {
    const nextMonth = startOfNextMonth();
    const partitions = await listMetricPartitions(db);
    if (!partitions.some(({ from, to }) => from <= nextMonth && nextMonth < to))
      findings.push(
        errorFinding(
          'The metrics partition for next month is missing.',
          'Run nameplate migrate as the role that owns the tables, and once a month from then on.',
        ),
      );
    if (!server.may_create_schemas && (await readQueueStates(db)) === undefined)
      findings.push(
        errorFinding(
          'The user of DATABASE_URL can neither use nor create the job queue (schema pgboss).',
          'Grant CREATE on the database to that user. Or run nameplate migrate as the role that owns the tables, then apply the grants in deploy/postgres/server-role.sql.',
        ),
      );
  }
  return { summary: `${description}, version ${server.version}`, findings, isUsable };
}

function checkServer(config: Config, server: ServerState): Finding[] {
  const findings: Finding[] = [];
  const { version, version_number, encoding, read_only, connections } = server;
  const { DATABASE_URL: url } = config;
  const neededConnections = config.DATABASE_POOL_SIZE + EXTRA_CONNECTIONS;
  if (version_number < MIN_VERSION * 10_000)
    findings.push(
      errorFinding(`PostgreSQL ${version} is too old.`, `Use version ${MIN_VERSION} or newer.`),
    );
  if (encoding !== 'UTF8')
    findings.push(
      errorFinding(
        `The database encoding is ${encoding}, which cannot store all characters.`,
        'Create a database with createdb --encoding UTF8 --template template0.',
      ),
    );
  if (read_only)
    findings.push(
      errorFinding(
        'The database is read-only. It may be a standby.',
        'Point DATABASE_URL to the primary.',
      ),
    );
  if (url !== undefined && secureDatabaseUrl(url).isPlain)
    findings.push(
      warningFinding(
        'The connection to the database is not encrypted.',
        'Remove ?sslmode=disable from DATABASE_URL, unless the network is private.',
      ),
    );
  if (neededConnections > connections)
    findings.push(
      warningFinding(
        `The server may open ${neededConnections} connections, but PostgreSQL allows only ${connections}.`,
        'Lower DATABASE_POOL_SIZE, or raise max_connections in PostgreSQL.',
      ),
    );
  return findings;
}

function checkMigrations(
  { may_create_tables }: ServerState,
  { due, canServe }: { due: string[]; canServe: boolean },
): Finding[] {
  if (!canServe)
    return [
      errorFinding(
        'The database was set up by a newer version of Nameplate.',
        'Run that version, or restore a backup from before the upgrade.',
      ),
    ];
  if (due.length === 0) return [];
  const problem = `Migrations are pending: ${due.join(', ')}.`;
  if (may_create_tables)
    return [warningFinding(problem, 'Back up, then run nameplate migrate or restart the server.')];
  return [
    errorFinding(
      `${problem} The user of DATABASE_URL may not create tables.`,
      'Run nameplate migrate as the role that owns the tables.',
    ),
  ];
}

function startOfNextMonth(): string {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString();
}
