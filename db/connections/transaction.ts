import { sql } from 'kysely';
import { withRetries } from '../retry.ts';
import { isForeignKeyViolation, isRetryable } from '../sql-state.ts';
import type { Database, Executor, Transaction } from './handles.ts';

export const MAX_ATTEMPTS = 3;

/**
 * Opens a transaction, with up to three attempts after errors such as a deadlock (see
 * `isRetryable`). A violated foreign key is one of them: a row that `work` found was deleted, and
 * the next attempt does not find it. `work` must await every statement, because a pending one would
 * run after the rollback.
 */
export async function inTransaction<T>(
  db: Database,
  work: (trx: Transaction) => Promise<T>,
): Promise<T> {
  return withRetries(() => attempt(db, work), {
    maxAttempts: MAX_ATTEMPTS,
    isRetryable: (error) => isRetryable(error) || isForeignKeyViolation(error),
  });
}

const undoings = new WeakMap<object, (() => void)[]>();

/** Calls `undo` if the transaction is rolled back, also to a savepoint. Without one, never. */
export function onRollback(db: Executor, undo: () => void): void {
  undoings.get(db)?.push(undo);
}

async function attempt<T>(db: Database, work: (trx: Transaction) => Promise<T>): Promise<T> {
  const undo: (() => void)[] = [];
  try {
    return await db.transaction().execute((trx) => {
      undoings.set(trx, undo);
      return work(trx);
    });
  } catch (error) {
    for (const call of undo) call();
    throw error;
  }
}

/**
 * If `work` fails, only its changes are rolled back, and the transaction can continue. Not for
 * nested use. The savepoint is not released, which would be one more statement for each keyed
 * write: it ends with the transaction.
 */
export async function inSavepoint<T>(trx: Transaction, work: () => Promise<T>): Promise<T> {
  await sql`savepoint nested`.execute(trx);
  const before = undoings.get(trx)?.length ?? 0;
  try {
    return await work();
  } catch (error) {
    // If the rollback fails, so does the transaction. Throw the original error, which says more.
    await sql`rollback to savepoint nested`.execute(trx).catch(() => {});
    for (const undo of undoings.get(trx)?.splice(before) ?? []) undo();
    throw error;
  }
}
