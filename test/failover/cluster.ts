import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { DEBIANS } from '../support/postgres-15-setup.ts';
import {
  type PostgresOptions,
  type PostgresServer,
  startPostgres,
} from '../support/postgres-server.ts';

/** As `synchronous_standby_names` has it. */
const STANDBY = 'standby';
const DATABASE = 'nameplate';

/** A primary and its standby. */
export interface Cluster {
  primary: () => PostgresServer;
  standby: () => PostgresServer;
  /** The database on one of them. */
  url: (server: PostgresServer) => string;
  /** Waits until the standby has all that was written so far. */
  inStep: () => Promise<void>;
  /** From now on the standby gets nothing that the primary writes. */
  cutOff: () => Promise<void>;
  /** Makes the standby the primary; the old one is thought to be dead. */
  promote: () => Promise<void>;
  /** Makes a new standby in the place of the old primary. */
  replace: () => Promise<void>;
  stop: () => Promise<void>;
}

/** Options for both servers. */
export interface ClusterOptions extends Pick<PostgresOptions, 'mount' | 'settings'> {
  /** Makes the primary wait until the standby has a commit on its disk. */
  synchronous?: boolean;
}

/** Starts one of Debian's PostgreSQL, with an empty database. */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  let primary = await startPostgres({ ...options, durable: true, binaries: DEBIANS });
  await primary.createDatabase(DATABASE);
  let standby = await addStandby(primary, options);
  return {
    primary: () => primary,
    standby: () => standby,
    url: (server) => server.url(DATABASE),
    inStep: () => untilInStep(primary, options),
    cutOff: async () => {
      await change(standby, 'primary_conninfo', '');
      while ((await ask(primary, 'SELECT FROM pg_stat_replication')).length > 0) await sleep(50);
    },
    promote: async () => {
      await ask(standby, 'SELECT pg_promote()');
      [primary, standby] = [standby, primary];
    },
    replace: async () => {
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
    fill: async (data, as) => {
      const from = `${primary.url('postgres')}?application_name=${STANDBY}`;
      const args = ['--pgdata', data, '--dbname', from, '--checkpoint', 'fast', '--no-sync'];
      await promisify(execFile)(DEBIANS.pg_basebackup, [...args, '--write-recovery-conf'], as);
    },
    binaries: DEBIANS,
  });
  // Later writes are acknowledged only when both have them.
  if (synchronous) await change(primary, 'synchronous_standby_names', STANDBY);
  await untilInStep(primary, options);
  return standby;
}

async function untilInStep(
  primary: PostgresServer,
  { synchronous = true }: ClusterOptions,
): Promise<void> {
  const [{ written }] = await ask(primary, 'SELECT pg_current_wal_lsn() AS written');
  const streams = `SELECT FROM pg_stat_replication
    WHERE sync_state = '${synchronous ? 'sync' : 'async'}' AND flush_lsn >= '${written}'`;
  while ((await ask(primary, streams)).length === 0) await sleep(50);
}

async function change(server: PostgresServer, setting: string, value: string): Promise<void> {
  await ask(server, `ALTER SYSTEM SET ${setting} = '${value}'`);
  await ask(server, 'SELECT pg_reload_conf()');
}

/** Asks a server on a connection of its own. */
async function ask(server: PostgresServer, statement: string): Promise<any> {
  const client = new pg.Client({ connectionString: server.url('postgres') });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}
