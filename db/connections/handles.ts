import type { Kysely, KyselyPlugin, QueryCreator, Transaction as KyselyTransaction } from 'kysely';
import type { Schema } from '../schema.ts';

/** A pool. `inTransaction` opens transactions; other statements commit one by one. */
export interface Database extends Kysely<Schema> {
  /** Without this, a `Transaction` would be assignable. */
  readonly isTransaction: false;
  withPlugin(plugin: KyselyPlugin): Database;
}

/** For atomic changes. */
export type Transaction = KyselyTransaction<Schema>;

/** For statements that need no transaction, but may run in one. */
export type Executor = QueryCreator<Schema> & Pick<Kysely<Schema>, 'executeQuery' | 'getExecutor'>;

/**
 * For single SELECT statements. Statements do not share a transaction, so two of them may see
 * different states. All other handles are assignable to this type.
 */
export type ReadDatabase = Pick<Kysely<Schema>, 'selectFrom' | 'executeQuery' | 'getExecutor'>;
