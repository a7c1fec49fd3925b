import { isAbortedTransactionError, type Kysely, type Transaction, sql } from 'kysely';
import { isAfterFailure, isRetryable } from '../sql-state.ts';
import type { Database } from '../schema.ts';
import { withConnections } from './with-connections.ts';

const ATTEMPTS = 3;

/**
 * Runs `work` in a transaction: the caller's if there is one, else one of its own, which is tried
 * up to three times when PostgreSQL asks for it (serialization failure, deadlock). Statements are sent
 * when they are asked for, without waiting for the answers of those before. What is asked for last
 * need not be waited for: if it fails, the commit fails with its error.
 */
export async function inTransaction<T>(
  db: Kysely<Database>,
  work: (trx: Transaction<Database>) => Promise<T>,
): Promise<T> {
  if (isTransaction(db)) return work(db);
  for (let attempt = 1; ; attempt += 1)
    try {
      return await inOwnTransaction(db, work);
    } catch (error) {
      if (attempt === ATTEMPTS || !isRetryable(error)) throw error;
    }
}

async function inOwnTransaction<T>(
  db: Kysely<Database>,
  work: (trx: Transaction<Database>) => Promise<T>,
): Promise<T> {
  let failure: unknown;
  try {
    return await db.transaction().execute(async (trx) => {
      const connection = await trx.getExecutor().provideConnection((own) => Promise.resolve(own));
      // Kysely's own provider has each statement wait for the one before.
      return work(
        withConnections(trx, {
          provideConnection: (consumer) =>
            consumer(connection).catch((error: unknown) => {
              if (!isAfterFailure(error)) failure = error;
              throw error;
            }),
        }),
      );
    });
  } catch (error) {
    throw isAbortedTransactionError(error) ? (failure ?? error) : error;
  }
}

/**
 * Waits for several things that are asked for at once in a transaction. If one fails, it waits for
 * the others all the same: none of them may go on when what they did is being undone.
 */
export async function atOnce<const Parts extends readonly unknown[]>(
  ...parts: Parts
): Promise<{ -readonly [Part in keyof Parts]: Awaited<Parts[Part]> }> {
  const failures = (await Promise.allSettled(parts))
    .filter((part) => part.status === 'rejected')
    .map((part) => part.reason as unknown);
  if (failures.length > 0)
    throw failures.find((failure) => !isAfterFailure(failure)) ?? failures[0];
  return Promise.all(parts);
}

/** Runs a part of a transaction: if it fails, what it did is undone, and the rest can go on. */
export async function inSavepoint<T>(
  trx: Transaction<Database>,
  work: () => Promise<T>,
): Promise<T> {
  // If it fails, so does all that follows.
  sql`savepoint part`.execute(trx).catch(() => {});
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
