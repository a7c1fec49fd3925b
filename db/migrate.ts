import { type Kysely, type Transaction, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { createMetricPartitions } from './partitions.ts';
import type { Database } from './schema.ts';
import { inTransaction } from './transaction.ts';
import { assertWritable } from './writable.ts';

/** All migrations in order, each loaded when it is due. */
const MIGRATIONS: Record<string, () => Promise<Migration>> = {
  '0001-initial': () => import('./migrations/0001-initial.ts'),
  '0002-chat-relay': () => import('./migrations/0002-chat-relay.ts'),
  '0003-forwarding': () => import('./migrations/0003-forwarding.ts'),
  '0004-postfix-view': () => import('./migrations/0004-postfix-view.ts'),
  '0005-closed-projects': () => import('./migrations/0005-closed-projects.ts'),
  '0006-chat-sends': () => import('./migrations/0006-chat-sends.ts'),
  '0007-suspended-accounts': () => import('./migrations/0007-suspended-accounts.ts'),
  '0008-destinations': () => import('./migrations/0008-destinations.ts'),
  '0009-confirmations': () => import('./migrations/0009-confirmations.ts'),
  '0010-audit': () => import('./migrations/0010-audit.ts'),
  '0011-account-days': () => import('./migrations/0011-account-days.ts'),
  '0012-names-left': () => import('./migrations/0012-names-left.ts'),
  '0013-public-pages': () => import('./migrations/0013-public-pages.ts'),
  '0014-page-views': () => import('./migrations/0014-page-views.ts'),
  '0015-site-versions': () => import('./migrations/0015-site-versions.ts'),
  '0016-sessions': () => import('./migrations/0016-sessions.ts'),
  '0017-key-scopes': () => import('./migrations/0017-key-scopes.ts'),
};

/** Any number of our own: servers that start at once wait here for each other. */
const LOCK = 5_461_826_771;
const PATIENCE_MS = 3_000;

/** The database was migrated by a newer version of Nameplate than this one. */
export class NewerSchemaError extends Error {
  override readonly name = 'NewerSchemaError';

  constructor() {
    super(
      'The database was set up by a newer version of Nameplate; run that version, or restore a backup made before the upgrade.',
    );
  }
}

/**
 * Brings the database to this version's schema and makes the coming months' metric partitions, all
 * in one transaction. Safe to run from several processes at once, each on a connection without time
 * limits of its own; `onWait` is called if another one takes long. Returns the names of the
 * migrations it ran.
 */
export async function migrate(
  db: Kysely<Database>,
  onWait: () => void = () => {},
): Promise<string[]> {
  return inTransaction(db, async (trx) => {
    // Those that the operator may have set for the user or the database.
    await sql`SELECT set_config('statement_timeout', '0', true), set_config('lock_timeout', '0', true)`.execute(
      trx,
    );
    await assertWritable(trx);
    await lock(trx, onWait);
    const ran = await runMigrations(trx);
    await createMetricPartitions(trx, new Date());
    return ran;
  });
}

/** Waits for other servers' migrations. The lock belongs to the transaction: poolers give sessions to others. */
async function lock(trx: Transaction<Database>, onWait: () => void): Promise<void> {
  const notice = setTimeout(onWait, PATIENCE_MS);
  try {
    await sql`SELECT pg_advisory_xact_lock(${LOCK}::bigint)`.execute(trx);
  } finally {
    clearTimeout(notice);
  }
}

async function runMigrations(trx: Transaction<Database>): Promise<string[]> {
  const applied = await findApplied(trx);
  if (applied.some((name) => !(name in MIGRATIONS))) throw new NewerSchemaError();
  const due = Object.entries(MIGRATIONS).filter(([name]) => !applied.includes(name));
  for (const [name, load] of due) {
    const migration = await load();
    await migration.up(trx);
    await sql`INSERT INTO kysely_migration VALUES (${name}, ${new Date().toISOString()})`.execute(
      trx,
    );
  }
  return due.map(([name]) => name);
}

/** The table is that of Kysely's own migrator. */
async function findApplied(trx: Transaction<Database>): Promise<string[]> {
  const { rows: tables } = await sql<{ found: boolean }>`
    SELECT to_regclass('kysely_migration') IS NOT NULL AS found`.execute(trx);
  if (!tables[0]?.found)
    await sql`CREATE TABLE kysely_migration (
      name varchar(255) PRIMARY KEY, timestamp varchar(255) NOT NULL
    )`.execute(trx);
  const { rows } = await sql<{ name: string }>`SELECT name FROM kysely_migration`.execute(trx);
  return rows.map((row) => row.name);
}
