import type { Transaction } from '#db/connections/handles.ts';

/**
 * Runs one step of a deletion in its own transaction. The step `started` revokes access, so that
 * requests cannot block the step `done`. An interrupted deletion can be repeated.
 */
export type RunDeletionStep = <Result>(
  step: 'started' | 'done',
  work: (trx: Transaction) => Promise<Result>,
) => Promise<Result>;
