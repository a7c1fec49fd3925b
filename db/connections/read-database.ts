import type { Kysely } from 'kysely';
import type { Database } from '../schema.ts';

/**
 * A database handle for single SELECT statements. Statements do not share a transaction, so two of
 * them may see different states. Pools and transactions are assignable to this type.
 */
export type ReadDatabase = Pick<Kysely<Database>, 'selectFrom' | 'executeQuery' | 'getExecutor'>;
