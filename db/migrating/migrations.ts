import type { Kysely } from 'kysely';
import type { NewIndex } from './new-index.ts';

/** Changes in a transaction, or indexes on existing tables, which are built concurrently. */
export type Migration =
  | { up: (trx: Kysely<any>) => Promise<void> }
  | { indexes: readonly NewIndex[] };

export type Migrations = Record<string, () => Promise<Migration>>;

/**
 * All migrations in order, loaded on demand. Servers of the previous version keep running during and after a
 * migration, so a migration only adds. One that removes something names the migration that made it unused, such as
 * `0042-old-names-needs-0040`, or itself if all servers must be stopped. Servers without that migration refuse to
 * start.
 */
export const MIGRATIONS: Migrations = {
  '0001-initial': () => import('../migrations/0001-initial.ts'),
};
