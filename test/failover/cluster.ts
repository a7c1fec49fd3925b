import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { DEBIAN_BINARIES } from '../support/postgres-15-setup.ts';
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts';

/** Name of the standby in `synchronous_standby_names`. */
const STANDBY = 'standby';
const DATABASE = 'nameplate';

export interface Cluster {
  primary: () => PostgresServer;
  standby: () => PostgresServer;
  url: (server: PostgresServer) => string;
  /** Stops replication to the standby. */
  disconnectStandby: () => Promise<void>;
  /** Promotes the standby. The old primary must have been stopped. */
  promote: () => Promise<void>;
  stop: () => Promise<void>;
}

/** Starts a primary and a standby of Debian's PostgreSQL, with an empty database. */
export async function startCluster(): Promise<Cluster> {
  let primary = await startPostgres({ durable: true, binaries: DEBIAN_BINARIES });
  await primary.createDatabase(DATABASE);
  let standby = await addStandby(primary);
  return {
    primary: () => primary,
    standby: () => standby,
    url: (server) => server.url(DATABASE),
    disconnectStandby: async () => {
      await changeSetting(standby, 'primary_conninfo', '');
      while ((await runStatement(primary, 'SELECT FROM pg_stat_replication')).length > 0)
        await sleep(50);
    },
    promote: async () => {
      await runStatement(standby, 'SELECT pg_promote()');
      [primary, standby] = [standby, primary];
    },
    stop: async () => {
      await standby.stop();
      await primary.stop();
    },
  };
}

async function addStandby(primary: PostgresServer): Promise<PostgresServer> {
  const standby = await startPostgres({
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
  await changeSetting(primary, 'synchronous_standby_names', STANDBY);
  await waitUntilReplayed(primary);
  return standby;
}

async function waitUntilReplayed(primary: PostgresServer): Promise<void> {
  const [{ writtenLsn }] = await runStatement(
    primary,
    'SELECT pg_current_wal_lsn() AS "writtenLsn"',
  );
  const replayedStandbys = `SELECT FROM pg_stat_replication
    WHERE sync_state = 'sync' AND flush_lsn >= '${writtenLsn}'`;
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

async function runStatement(server: PostgresServer, statement: string): Promise<any> {
  const client = new pg.Client({ connectionString: server.url('postgres') });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}
