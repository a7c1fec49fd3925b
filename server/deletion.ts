import type { Transaction } from 'kysely';
import type { Database } from '#db/schema.ts';

/**
 * Runs one step of a deletion in its own transaction. The step `started` revokes access, so that
 * requests cannot block the step `done`. An interrupted deletion can be repeated.
 */
export type RunDeletionStep = <Result>(
  step: 'started' | 'done',
  work: (trx: Transaction<Database>) => Promise<Result>,
) => Promise<Result>;
