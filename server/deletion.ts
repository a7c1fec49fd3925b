import type { Transaction } from 'kysely';
import type { Database } from '#db/schema.ts';

/**
 * Runs one step of a deletion in its own transaction. The first step closes what will be deleted,
 * so that its users cannot block the second. An interrupted deletion starts again.
 */
export type RunDeletionStep = <Result>(
  step: 'begun' | 'done',
  work: (trx: Transaction<Database>) => Promise<Result>,
) => Promise<Result>;
