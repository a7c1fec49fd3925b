import { readServerState, type ServerState } from '#db/database-state.ts';
import { readQueue } from '#db/queries/jobs.ts';
import { compareMigrations } from '#db/migrating/migrate.ts';
import { findMissingColumns } from '#db/migrating/missing-columns.ts';
import { assertOwnSessions } from '#db/connections/own-sessions.ts';
import { listMetricPartitions } from '#db/partitions.ts';
import { findMissingLimits } from '#db/connections/time-limits.ts';
import type { Config } from '#server/settings/config.ts';
import { connectionsOf, type OpenDatabase } from '#server/database.ts';
import { secureDatabaseUrl } from '#server/settings/database-url.ts';
import type { Finding } from '#server/features/forwarding/provider.ts';
import { explainMissingColumns, explainMissingLimits } from '#server/settings/start-failure.ts';
import { type Checked, error, warning } from './finding.ts';

const OLDEST = 15;

/** Result of the check of the database, and whether this version's queries work there. */
export interface CheckedDatabase extends Checked {
  isUsable: boolean;
}

/** Looks at a database as it is: its version, what the role may do, what is due. */
export async function checkDatabase(
  config: Config,
  { db, reads, place, folder }: OpenDatabase,
): Promise<CheckedDatabase> {
  if (folder === undefined) await assertOwnSessions(db, reads);
  const server = await readServerState(db);
  const migrations = await compareMigrations(db);
  const isUsable = migrations.due.length === 0 && migrations.unknown.length === 0;
  const findings = [...checkServer(config, server), ...checkMigrations(server, migrations)];
  // Connections for reads ask for time limits, those of commands do not.
  const missing = folder === undefined ? await findMissingLimits(reads) : [];
  if (missing.length > 0) {
    const { problem, fix } = explainMissingLimits(missing);
    findings.push(warning(problem, fix));
  }
  if (isUsable) {
    const absent = await findMissingColumns(db);
    if (absent.length > 0) {
      const { problem, fix } = explainMissingColumns(absent);
      findings.push(error(problem, fix));
    }
    const nextMonth = startOfNextMonth();
    const partitions = await listMetricPartitions(db);
    if (!partitions.some(({ from, to }) => from <= nextMonth && nextMonth < to))
      findings.push(
        error(
          'There is no partition for the metrics of the next month.',
          'Run nameplate migrate as the role that owns the tables, and once a month from then on.',
        ),
      );
    if (!server.may_create_schemas && (await readQueue(db)) === undefined)
      findings.push(
        error(
          'The user of DATABASE_URL can neither use nor create the job queue (schema pgboss).',
          'Grant it CREATE on the database; or run nameplate migrate as the role that owns the tables, and grant what docs/postgres/server-role.sql does.',
        ),
      );
  }
  return { found: `${place}, version ${server.version}`, findings, isUsable };
}

function checkServer(config: Config, server: ServerState): Finding[] {
  const findings: Finding[] = [];
  const { version, version_number, encoding, read_only, connections } = server;
  const { DATABASE_URL: url } = config;
  const needed = connectionsOf(config);
  if (version_number < OLDEST * 10_000)
    findings.push(error(`PostgreSQL ${version} is too old.`, `Use version ${OLDEST} or newer.`));
  if (encoding !== 'UTF8')
    findings.push(
      error(
        `The database holds text as ${encoding}, which cannot store all characters.`,
        'Create one with createdb --encoding UTF8 --template template0.',
      ),
    );
  if (read_only)
    findings.push(
      error(
        'The database is read-only: it is a standby, or was set so.',
        'Let DATABASE_URL lead to the primary.',
      ),
    );
  if (url !== undefined && secureDatabaseUrl(url).isPlain)
    findings.push(
      warning(
        'The connection to the database is not encrypted.',
        'Take ?sslmode=disable out of DATABASE_URL, unless the network between is yours alone.',
      ),
    );
  if (needed > connections)
    findings.push(
      warning(
        `A server may open ${needed} connections, but PostgreSQL allows ${connections} in all.`,
        'Lower DATABASE_POOL_SIZE or WORKERS, or raise max_connections of PostgreSQL.',
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
      error(
        'The database was set up by a newer version of Nameplate.',
        'Run that version, or restore a backup made before the upgrade.',
      ),
    ];
  if (due.length === 0) return [];
  const problem = `Migrations are due: ${due.join(', ')}.`;
  if (may_create_tables)
    return [
      warning(problem, 'The next start runs them, as nameplate migrate does; back up before.'),
    ];
  return [
    error(
      `${problem} The user of DATABASE_URL may not create tables.`,
      'Run nameplate migrate as the role that owns the tables.',
    ),
  ];
}

function startOfNextMonth(): string {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString();
}
