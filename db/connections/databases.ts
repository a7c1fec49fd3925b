import type { Kysely } from 'kysely';
import type { Database } from '../schema.ts';

/**
 * Single `select` statements on connections that many callers share. There can be no transaction, and
 * two statements may see different states. A query that takes this type can also be given a pool or a
 * transaction.
 */
export type Reads = Pick<Kysely<Database>, 'selectFrom' | 'executeQuery' | 'getExecutor'>;
