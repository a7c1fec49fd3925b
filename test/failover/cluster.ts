import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { DEBIAN_BINARIES } from '../support/postgres-15-setup.ts';
import {
  type PostgresOptions,
  type PostgresServer,
  startPostgres,
} from '../support/postgres-server.ts';

/** Name of the standby in `synchronous_standby_names`. */
const STANDBY = 'standby';
const DATABASE = 'nameplate';

export interface Cluster {
  primary: () => PostgresServer;
  standby: () => PostgresServer;
  url: (server: PostgresServer) => string;
  /** Waits until the standby has replayed everything written so far. */
  waitForStandby: () => Promise<void>;
  /** Stops replication to the standby. */
  disconnectStandby: () => Promise<void>;
  /** Promotes the standby. The old primary must have been stopped. */
  promote: () => Promise<void>;
  /** Replaces the old primary with a new standby. */
  addNewStandby: () => Promise<void>;
  stop: () => Promise<void>;
}

/** Options for both servers. */
export interface ClusterOptions extends Pick<PostgresOptions, 'mount' | 'settings'> {
  /** Commits on the primary wait until the standby has flushed them to disk. Default: true. */
  synchronous?: boolean;
}

/** Starts a primary and a standby of Debian's PostgreSQL, with an empty database. */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  let primary = await startPostgres({ ...options, durable: true, binaries: DEBIAN_BINARIES });
  await primary.createDatabase(DATABASE);
  let standby = await addStandby(primary, options);
  return {
    primary: () => primary,
    standby: () => standby,
    url: (server) => server.url(DATABASE),
    waitForStandby: () => waitUntilReplayed(primary, options),
    disconnectStandby: async () => {
      await changeSetting(standby, 'primary_conninfo', '');
      while ((await runStatement(primary, 'SELECT FROM pg_stat_replication')).length > 0)
        await sleep(50);
    },
    promote: async () => {
      await runStatement(standby, 'SELECT pg_promote()');
      [primary, standby] = [standby, primary];
    },
    addNewStandby: async () => {
      await standby.stop();
      standby = await addStandby(primary, options);
    },
    stop: async () => {
      await standby.stop();
      await primary.stop();
    },
  };
}

async function addStandby(
  primary: PostgresServer,
  options: ClusterOptions,
): Promise<PostgresServer> {
  const { synchronous = true } = options;
  const standby = await startPostgres({
    ...options,
    durable: true,
    createData: async (standbyDir, user) => {
      const primaryUrl = `${primary.url('postgres')}?application_name=${STANDBY}`;
      const args = [
        '--pgdata',
        standbyDir,
        '--dbname',
        primaryUrl,
        '--checkpoint',
        'fast',
        '--no-sync',
      ];
      await promisify(execFile)(
        DEBIAN_BINARIES.pg_basebackup,
        [...args, '--write-recovery-conf'],
        user,
      );
    },
    binaries: DEBIAN_BINARIES,
  });
  // From now on, a commit waits until the standby has it, too.
  if (synchronous) await changeSetting(primary, 'synchronous_standby_names', STANDBY);
  await waitUntilReplayed(primary, options);
  return standby;
}

async function waitUntilReplayed(
  primary: PostgresServer,
  { synchronous = true }: ClusterOptions,
): Promise<void> {
  const [{ writtenLsn }] = await runStatement(
    primary,
    'SELECT pg_current_wal_lsn() AS "writtenLsn"',
  );
  const replayedStandbys = `SELECT FROM pg_stat_replication
    WHERE sync_state = '${synchronous ? 'sync' : 'async'}' AND flush_lsn >= '${writtenLsn}'`;
  while ((await runStatement(primary, replayedStandbys)).length === 0) await sleep(50);
}

async function changeSetting(
  server: PostgresServer,
  setting: string,
  value: string,
): Promise<void> {
  await runStatement(server, `ALTER SYSTEM SET ${setting} = '${value}'`);
  await runStatement(server, 'SELECT pg_reload_conf()');
}

/** Runs a statement on a new connection. */
async function runStatement(server: PostgresServer, statement: string): Promise<any> {
  const client = new pg.Client({ connectionString: server.url('postgres') });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}
