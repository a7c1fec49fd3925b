import type { Kysely } from 'kysely';

export interface Migration {
  up: (trx: Kysely<any>) => Promise<void>;
}

export type Migrations = Record<string, () => Promise<Migration>>;

/**
 * All migrations in order. Servers of the previous version keep running during and after an
 * upgrade, so a migration only adds to the schema. A migration that removes something is named
 * after the migration that made it unused, such as `0042-old-names-needs-0040`: servers without
 * that migration refuse to start. If all servers must be stopped first, the migration names itself.
 */
export const MIGRATIONS: Migrations = {
  '0001-initial': () => import('../migrations/0001-initial.ts'),
  '0002-confirmation-mails': () => import('../migrations/0002-confirmation-mails.ts'),
  '0003-block-changes': () => import('../migrations/0003-block-changes.ts'),
};
