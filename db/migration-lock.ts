import { type Kysely, type Transaction, sql } from 'kysely';
import type { Database } from './schema.ts';
import { isAlreadyThere } from './sql-state.ts';
import { inSavepoint } from './transaction.ts';

/** Another process has kept the database from being migrated for longer than one waits for it. */
export class MigrationHeldUpError extends Error {
  override readonly name = 'MigrationHeldUpError';

  constructor(holder: string, cause: unknown) {
    super(
      `The database has to be migrated, but ${holder} keeps the lock for that. If it does not migrate, end it with pg_terminate_backend.`,
      { cause },
    );
  }
}

/** Limits, for the rest of a transaction, what statements and waits for locks may take; 0 for any time. */
export async function limitTimes(
  trx: Transaction<Database>,
  { statement, lock }: { statement: number; lock: number },
): Promise<void> {
  await sql`SELECT set_config('statement_timeout', ${String(statement)}, true),
    set_config('lock_timeout', ${String(lock)}, true)`.execute(trx);
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

/** That of Kysely's own migrator. */
async function createTable(trx: Transaction<Database>): Promise<void> {
  await sql`CREATE TABLE IF NOT EXISTS kysely_migration (
    name varchar(255) PRIMARY KEY, timestamp varchar(255) NOT NULL
  )`.execute(trx);
}

/** Who has it, in words. */
export async function findLockHolder(db: Kysely<Database>): Promise<string> {
  const { rows } = await sql<{ pid: number; user: string }>`
    SELECT pid, usename AS user FROM pg_locks JOIN pg_stat_activity USING (pid)
    WHERE relation = to_regclass('kysely_migration') AND granted AND mode <> 'AccessShareLock'`.execute(
    db,
  );
  const [holder] = rows;
  // One that makes the table is not seen.
  if (!holder) return 'another server';
  return `PostgreSQL's process ${holder.pid} (of the user ${holder.user})`;
}
