import { sql } from 'kysely';
import type { ReadDatabase, Transaction } from '../connections/handles.ts';
import { inSavepoint } from '../connections/transaction.ts';
import { isDuplicate } from '../sql-state.ts';

const POLL_MS = 250;

export class MigrationBlockedError extends Error {
  override readonly name = 'MigrationBlockedError';

  constructor(holder: string, cause: unknown) {
    super(
      `The database has to be migrated, but ${holder} keeps a lock that this needs: wait until it is done, or end it with pg_terminate_backend if it does not migrate.`,
      { cause },
    );
  }
}

/**
 * Until the end of the transaction, limits lock waits to `timeoutMs` milliseconds and turns off the
 * other timeouts.
 */
export async function limitLockWaits(trx: Transaction, timeoutMs: number): Promise<void> {
  await sql`SELECT set_config('lock_timeout', ${String(timeoutMs)}, true)`.execute(trx);
  await sql`SELECT set_config(name, '0', true) FROM pg_settings WHERE name IN
    ('statement_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`.execute(
    trx,
  );
}

/**
 * Locks migrations until the end of the transaction. Uses a table lock instead of an advisory lock:
 * only roles with rights on the table can take it.
 */
export async function lockMigrations(trx: Transaction): Promise<void> {
  // The columns are those of the table that Kysely's migrator creates.
  const table = sql`CREATE TABLE IF NOT EXISTS kysely_migration (
    name varchar(255) PRIMARY KEY, timestamp varchar(255) NOT NULL
  )`;
  await inSavepoint(trx, () => table.execute(trx)).catch((error: unknown) => {
    // Another server created it in parallel.
    if (!isDuplicate(error)) throw error;
  });
  await sql`LOCK TABLE kysely_migration IN EXCLUSIVE MODE`.execute(trx);
}

/**
 * Reports which process blocks a connection, until disposed. Queries on another connection, because
 * the blocked one is busy.
 */
export function watchLockHolders(
  db: ReadDatabase,
  pid: number,
  onHolder: (holder: string) => void,
): Disposable {
  let isPolling = false;
  const poll = async () => {
    // The previous poll may still wait for a connection.
    if (isPolling) return;
    isPolling = true;
    const holder = await findHolder(db, pid).catch(() => undefined);
    if (holder !== undefined) onHolder(holder);
    isPolling = false;
  };
  const timer = setInterval(() => void poll(), POLL_MS);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

export async function getBackendPid(db: ReadDatabase): Promise<number> {
  const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(db);
  return rows[0]!.pid;
}

async function findHolder(db: ReadDatabase, pid: number): Promise<string | undefined> {
  const { rows } = await sql<{ pid: number; user: string }>`
    SELECT pid, usename AS user FROM pg_stat_activity
    WHERE pid = ANY(pg_blocking_pids(${pid}))
    ORDER BY xact_start
    LIMIT 1`.execute(db);
  const [holder] = rows;
  return holder && `PostgreSQL's process ${holder.pid} (of the user ${holder.user})`;
}
