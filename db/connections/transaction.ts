import { type Kysely, type Transaction, sql } from 'kysely';
import { isRetryable } from '../sql-state.ts';
import type { Database } from '../schema.ts';

const ATTEMPTS = 3;

/**
 * Runs `work` in a transaction: the caller's if there is one, else one of its own, which is tried
 * up to three times when PostgreSQL asks for it (serialization failure, deadlock). `work` must await
 * its statements one after the other: one that is left behind by a failure would run after the rollback.
 */
export async function inTransaction<T>(
  db: Kysely<Database>,
  work: (trx: Transaction<Database>) => Promise<T>,
): Promise<T> {
  if (isTransaction(db)) return work(db);
  for (let attempt = 1; ; attempt += 1)
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      if (attempt === ATTEMPTS || !isRetryable(error)) throw error;
    }
}

/** Runs a part of a transaction: if it fails, what it did is undone, and the rest can go on. */
export async function inSavepoint<T>(
  trx: Transaction<Database>,
  work: () => Promise<T>,
): Promise<T> {
  await sql`savepoint part`.execute(trx);
  try {
    return await work();
  } catch (error) {
    await sql`rollback to savepoint part`.execute(trx);
    throw error;
  }
}

function isTransaction(db: Kysely<Database>): db is Transaction<Database> {
  return db.isTransaction;
}
