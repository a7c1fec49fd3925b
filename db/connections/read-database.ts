import type { Kysely, QueryCreator } from 'kysely';
import type { Database } from '../schema.ts';

/**
 * A database handle for single SELECT statements. Statements do not share a transaction, so two of
 * them may see different states. Pools and transactions are assignable to this type.
 */
export type ReadDatabase = Pick<Kysely<Database>, 'selectFrom' | 'executeQuery' | 'getExecutor'>;

/** For a function that writes with one statement, in a transaction or on its own. */
export type Executor = QueryCreator<Database> &
  Pick<Kysely<Database>, 'executeQuery' | 'getExecutor'>;
