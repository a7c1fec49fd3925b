import type { Kysely } from 'kysely';
import type { Database } from '../schema.ts';

/**
 * Single `select` statements on connections that many callers share. There can be no transaction, and
 * two statements may see different states. A query that reads takes this type, so that it can also be
 * given `Writes`.
 */
export type Reads = Pick<Kysely<Database>, 'selectFrom' | 'executeQuery' | 'getExecutor'>;

/** A pool of connections, or a transaction. */
export type Writes = Kysely<Database>;
