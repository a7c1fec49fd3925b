import type { Transaction } from 'kysely';
import type { Database } from '#db/schema.ts';

/**
 * Does a step of a deletion in a transaction of its own: what is to be deleted is closed first, so
 * that nobody who uses it can hold up the rest. One that was cut off is begun again.
 */
export type InStep = <Result>(
  step: 'begun' | 'done',
  work: (trx: Transaction<Database>) => Promise<Result>,
) => Promise<Result>;
