import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import pg from 'pg';
import { expect, onTestFinished } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { DEBIAN_BINARIES } from '../support/postgres-15-setup.ts';
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts';

/** Runs the statements, each in its own transaction, and returns the rows of the last one. */
export async function runStatements(
  server: PostgresServer,
  ...statements: string[]
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: server.url('postgres') });
  await client.connect();
  try {
    let rows = [];
    for (const statement of statements) ({ rows } = await client.query(statement));
    return rows;
  } finally {
    await client.end();
  }
}

/**
 * Starts a primary of Debian's PostgreSQL with an empty database `nameplate`, and a standby. The
 * primary acknowledges a commit when the standby has it, too.
 */
export async function startCluster() {
  const primary = await startPostgres({ durable: true, binaries: DEBIAN_BINARIES });
  onTestFinished(primary.stop);
  await primary.createDatabase('nameplate');
  const standby = await startPostgres({
    durable: true,
    binaries: DEBIAN_BINARIES,
    createData: async (dataDir, user) => {
      const url = `${primary.url('postgres')}?application_name=standby`;
      const args = ['--checkpoint', 'fast', '--no-sync', '--write-recovery-conf'];
      await promisify(execFile)(
        DEBIAN_BINARIES.pg_basebackup,
        ['--pgdata', dataDir, '--dbname', url, ...args],
        user,
      );
    },
  });
  onTestFinished(standby.stop);
  await runStatements(
    primary,
    `ALTER SYSTEM SET synchronous_standby_names = 'standby'`,
    'SELECT pg_reload_conf()',
  );
  const replication = (condition: string) =>
    runStatements(primary, `SELECT FROM pg_stat_replication WHERE ${condition}`);
  const isSynchronous = `sync_state = 'sync' AND flush_lsn >= pg_current_wal_lsn()`;
  await eventually(async () => expect(await replication(isSynchronous)).toHaveLength(1));
  return {
    primary,
    standby,
    /** Stops replication, so that writes on the primary would be lost with it. */
    disconnectStandby: async () => {
      await runStatements(
        standby,
        `ALTER SYSTEM SET primary_conninfo = ''`,
        'SELECT pg_reload_conf()',
      );
      await eventually(async () => expect(await replication('true')).toEqual([]));
      const waiting = `SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep'`;
      await eventually(async () => expect(await runStatements(primary, waiting)).not.toEqual([]));
    },
  };
}
