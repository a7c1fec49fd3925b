import { type Transaction, sql } from 'kysely';
import type { Database } from '../schema.ts';
import { isAlreadyThere } from '../sql-state.ts';
import { inSavepoint } from '../connections/transaction.ts';

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
