import type { Kysely } from 'kysely';
import type { Database } from '../schema.ts';

/**
 * Runs single SELECT statements on shared connections. There are no transactions, so two statements may
 * see different states. A pool or a transaction can also be passed as this type.
 */
export type Reads = Pick<Kysely<Database>, 'selectFrom' | 'executeQuery' | 'getExecutor'>;
