import type { Kysely } from 'kysely';
import type { NewIndex } from './new-index.ts';

/** Changes within a transaction, or indexes on existing tables, which are built while others write. */
export type Migration =
  | { up: (trx: Kysely<any>) => Promise<void> }
  | { indexes: readonly NewIndex[] };

export type Migrations = Record<string, () => Promise<Migration>>;

/**
 * All migrations in order, each loaded when it is due. Servers of the previous version keep running,
 * and may be restarted, during and after a migration. So a migration only adds. One that removes
 * something names the migration since which nothing uses it, as in `0042-old-names-needs-0040`, or
 * itself if all servers must be stopped; servers that do not know that migration refuse to start.
 */
export const MIGRATIONS: Migrations = {
  '0001-initial': () => import('../migrations/0001-initial.ts'),
};
