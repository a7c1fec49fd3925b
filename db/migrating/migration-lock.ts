import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../schema.ts';
import { isAlreadyThere } from '../sql-state.ts';
import { inSavepoint } from '../connections/transaction.ts';

const LOOK_MS = 250;

/** Somebody has kept the database from being migrated for longer than one waits for it. */
export class MigrationHeldUpError extends Error {
  override readonly name = 'MigrationHeldUpError';

  constructor(holder: string, cause: unknown) {
    super(
      `The database has to be migrated, but ${holder} keeps a lock that this needs: wait until it is done, or end it with pg_terminate_backend if it does not migrate.`,
      { cause },
    );
  }
}

/** For the rest of a transaction only waits for locks are limited, in milliseconds. */
export async function limitLockWaits(trx: Transaction<Database>, limit: number): Promise<void> {
  await sql`SELECT set_config('lock_timeout', ${String(limit)}, true),
    set_config('statement_timeout', '0', true),
    set_config('idle_in_transaction_session_timeout', '0', true)`.execute(trx);
}

/**
 * Takes the lock of the migrations for a transaction, so that poolers, which give sessions to others,
 * give nobody the lock; nobody else can take it who may not write the table.
 */
export async function lockMigrations(trx: Transaction<Database>): Promise<void> {
  await inSavepoint(trx, () => createTable(trx)).catch((error: unknown) => {
    // Another server was making it.
    if (!isAlreadyThere(error)) throw error;
  });
  await sql`LOCK TABLE kysely_migration IN EXCLUSIVE MODE`.execute(trx);
}

/** Creates the table of Kysely's own migrator. */
async function createTable(trx: Transaction<Database>): Promise<void> {
  await sql`CREATE TABLE IF NOT EXISTS kysely_migration (
    name varchar(255) PRIMARY KEY, timestamp varchar(255) NOT NULL
  )`.execute(trx);
}

/**
 * Reports which process blocks a connection until it is disposed of. It asks on another connection,
 * because the blocked one cannot run queries.
 */
export function watchLockHolders(
  db: Kysely<Database>,
  pid: number,
  tell: (holder: string) => void,
): Disposable {
  let isLooking = false;
  const look = async () => {
    // A query may still wait for a free connection.
    if (isLooking) return;
    isLooking = true;
    // The next interval tries again.
    const holder = await findHolder(db, pid).catch(() => undefined);
    if (holder !== undefined) tell(holder);
    isLooking = false;
  };
  const timer = setInterval(() => void look(), LOOK_MS);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/** Process id of a connection at the server. */
export async function findPid(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(db);
  return rows[0]!.pid;
}

async function findHolder(db: Kysely<Database>, pid: number): Promise<string | undefined> {
  const { rows } = await sql<{ pid: number; user: string }>`
    SELECT pid, usename AS user FROM pg_stat_activity
    WHERE pid = ANY(pg_blocking_pids(${pid}))
    ORDER BY xact_start
    LIMIT 1`.execute(db);
  const [holder] = rows;
  return holder && `PostgreSQL's process ${holder.pid} (of the user ${holder.user})`;
}
