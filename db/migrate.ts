import { type Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import * as initial from './migrations/0001-initial.ts';
import * as chatRelay from './migrations/0002-chat-relay.ts';
import * as forwarding from './migrations/0003-forwarding.ts';
import { createMetricPartitions } from './partitions.ts';
import type { Database } from './schema.ts';

/** All migrations in order; Kysely runs them by the order of their names. */
const MIGRATIONS = {
  '0001-initial': initial,
  '0002-chat-relay': chatRelay,
  '0003-forwarding': forwarding,
};

/** Any number of our own: servers that start at once wait here for each other. */
const LOCK = 5_461_826_771;

/** The database was migrated by a newer version of Nameplate than this one. */
export class NewerSchemaError extends Error {
  constructor() {
    super(
      'The database was set up by a newer version of Nameplate; run that version, or restore a backup made before the upgrade.',
    );
  }
}

/**
 * Brings the database to this version's schema and makes the coming months' metric partitions.
 * Safe to run from several processes at once, each on a connection without time limits. Returns the names of the migrations it ran.
 */
export async function migrate(db: Kysely<Database>): Promise<string[]> {
  return db.connection().execute(async (connection) => {
    await sql`SELECT pg_advisory_lock(${LOCK}::bigint)`.execute(connection);
    try {
      const ran = await runMigrations(connection);
      await createMetricPartitions(connection, new Date());
      return ran;
    } finally {
      await sql`SELECT pg_advisory_unlock(${LOCK}::bigint)`.execute(connection);
    }
  });
}

async function runMigrations(db: Kysely<Database>): Promise<string[]> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve(MIGRATIONS) },
  });
  const known = new Set(Object.keys(MIGRATIONS));
  if ((await appliedMigrations(db)).some((name) => !known.has(name))) throw new NewerSchemaError();
  const { error, results } = await migrator.migrateToLatest();
  if (error) throw error;
  return (results ?? []).map((result) => result.migrationName);
}

async function appliedMigrations(db: Kysely<Database>): Promise<string[]> {
  const { rows: tables } = await sql<{ found: boolean }>`
    SELECT to_regclass('kysely_migration') IS NOT NULL AS found`.execute(db);
  if (!tables[0]?.found) return [];
  const { rows } = await sql<{ name: string }>`SELECT name FROM kysely_migration`.execute(db);
  return rows.map((row) => row.name);
}
