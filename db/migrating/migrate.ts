import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql, type Transaction } from 'kysely';
import {
  findPid,
  limitLockWaits,
  lockMigrations,
  MigrationHeldUpError,
  watchLockHolders,
} from './migration-lock.ts';
import { explainMigration, explainPartitions } from './migration-failure.ts';
import { type Migration, type Migrations, MIGRATIONS } from './migrations.ts';
import { buildIndex, createIndex } from './new-index.ts';
import { createMetricPartitions } from '../partitions.ts';
import type { Database } from '../schema.ts';
import { isLockTimeout, isRetryable } from '../sql-state.ts';
import { inTransaction } from '../connections/transaction.ts';
import { assertWritable } from '../connections/writable.ts';

/** How waits for locks are bounded; meanwhile whoever needs the same table waits behind. */
interface Patience {
  /** How often a migration is tried. */
  attempts: number;
  /** How long it waits for a lock each time: not as long as a request does. */
  lockMs: number;
  /** How long others have their turn in between. */
  pauseMs: number;
}

/** A minute. */
const PATIENCE: Patience = { attempts: 20, lockMs: 1_000, pauseMs: 2_000 };

/** The database was migrated by a newer version of Nameplate, with which this one cannot work. */
export class NewerSchemaError extends Error {
  override readonly name = 'NewerSchemaError';

  constructor() {
    super(
      'The database was set up by a newer version of Nameplate; run that version, or restore a backup made before the upgrade.',
    );
  }
}

interface MigrateOptions {
  /** Told who keeps a lock that is waited for. */
  onWait?: (holder: string) => void;
  patience?: Patience;
  migrations?: Migrations;
}

/**
 * Brings the database to this version's schema and makes the coming months' metric partitions. What
 * is due runs in one transaction, but for indexes on tables that are in use, which are built by
 * themselves. Safe to run from several processes at once, each on up to three connections without time
 * limits of their own. Where there is nothing to migrate no lock is taken. Who else has a lock for long
 * is an error in the end. Returns the names of the migrations it ran.
 */
export async function migrate(
  db: Kysely<Database>,
  { onWait = () => {}, patience = PATIENCE, migrations = MIGRATIONS }: MigrateOptions = {},
): Promise<string[]> {
  const ran: string[] = [];
  for (let attempt = 1; ; attempt += 1) {
    let holder = 'another process';
    try {
      const names = await inTransaction(db, async (trx) => {
        using _ = watchLockHolders(db, await findPid(trx), (who) => {
          holder = who;
        });
        await limitLockWaits(trx, patience.lockMs);
        return await runNext(trx, { db, migrations, onWait });
      });
      if (names.length === 0) return ran;
      ran.push(...names);
      attempt = 0;
    } catch (error) {
      if (!isLockTimeout(error) && !isRetryable(error)) throw error;
      if (attempt >= patience.attempts) throw new MigrationHeldUpError(holder, error);
      if (attempt === 1) onWait(holder);
      await sleep(patience.pauseMs);
    }
  }
}

/**
 * Brings a database whose migrations this transaction has locked to the schema of another one, in
 * which these have run. Throws a `NewerSchemaError` if there is one among them that is not known.
 */
export async function migrateLike(
  trx: Transaction<Database>,
  names: readonly string[],
  migrations: Migrations,
): Promise<void> {
  if (names.some((name) => !(name in migrations))) throw new NewerSchemaError();
  await run(
    trx,
    Object.entries(migrations).filter(([name]) => names.includes(name)),
  );
}

/** Runs what is still due in a database whose migrations this transaction has locked. */
export async function migrateLocked(
  trx: Transaction<Database>,
  migrations: Migrations,
): Promise<void> {
  await run(trx, await findDue(trx, migrations));
  await explainPartitions(() => createMetricPartitions(trx, new Date()));
}

/** Runs the next of those that are due, as many as can run together; none if nothing is left to do. */
async function runNext(
  trx: Transaction<Database>,
  { db, migrations, onWait }: Required<Omit<MigrateOptions, 'patience'>> & { db: Kysely<Database> },
): Promise<string[]> {
  await assertWritable(trx);
  if ((await findDue(trx, migrations)).length === 0) {
    await explainPartitions(() => createMetricPartitions(trx, new Date()));
    return [];
  }
  await lockMigrations(trx);
  const due = await findDue(trx, migrations);
  const loaded = await Promise.all(
    due.map(async ([name, load]) => ({ name, migration: await load() })),
  );
  const isNew = due.length === Object.keys(migrations).length;
  const first = loaded.findIndex(({ migration }) => 'indexes' in migration);
  // Nobody writes a new database.
  const together = isNew || first < 0 ? due : due.slice(0, Math.max(first, 1));
  if (!isNew && first === 0) await build(db, loaded[0]!, onWait);
  await run(trx, together);
  return together.map(([name]) => name);
}

/** Builds indexes while this transaction, which notes them, keeps others from migrating. */
async function build(
  db: Kysely<Database>,
  { name, migration }: { name: string; migration: Migration },
  onWait: (holder: string) => void,
): Promise<void> {
  const { indexes } = migration as Extract<Migration, { indexes: unknown }>;
  await db.connection().execute(async (connection) => {
    // As long as it takes: nobody waits behind it.
    await sql`SET statement_timeout = 0`.execute(connection);
    await sql`SET lock_timeout = 0`.execute(connection);
    let waits = false;
    using _ = watchLockHolders(db, await findPid(connection), (holder) => {
      if (!waits) onWait(holder);
      waits = true;
    });
    for (const index of indexes) await explainMigration(name, () => buildIndex(connection, index));
  });
}

type NamedMigration = [name: string, load: () => Promise<Migration>];

async function run(trx: Transaction<Database>, due: NamedMigration[]): Promise<void> {
  for (const [name, load] of due) {
    const migration = await load();
    await explainMigration(name, async () => {
      if ('up' in migration) return migration.up(trx);
      for (const index of migration.indexes) await createIndex(trx, index);
    });
    await sql`INSERT INTO kysely_migration VALUES (${name}, ${new Date().toISOString()})`.execute(
      trx,
    );
  }
}

async function findDue(
  trx: Transaction<Database>,
  migrations: Migrations,
): Promise<NamedMigration[]> {
  const applied = await findAppliedMigrations(trx);
  if (!canServe(applied, migrations)) throw new NewerSchemaError();
  return Object.entries(migrations).filter(([name]) => !applied.includes(name));
}

/** Throws a `NewerSchemaError` if a migration has run that needs a newer version than this one. */
export async function assertServable(db: Kysely<Database>): Promise<void> {
  if (!canServe(await findAppliedMigrations(db))) throw new NewerSchemaError();
}

/** Whether this version can work with a database in which these migrations have run. */
function canServe(applied: readonly string[], migrations = MIGRATIONS): boolean {
  const numbers = new Set(Object.keys(migrations).map((name) => name.slice(0, 4)));
  return applied
    .filter((name) => !(name in migrations))
    .every((name) => {
      const needed = /-needs-(\d{4})$/.exec(name)?.[1];
      return needed === undefined || numbers.has(needed);
    });
}

/**
 * Which migrations have run in a database, which are due, which of those that ran are not known here,
 * and whether this version can work with what they made.
 */
export async function compareMigrations(
  db: Kysely<Database>,
): Promise<{ applied: string[]; due: string[]; unknown: string[]; canServe: boolean }> {
  const applied = await findAppliedMigrations(db);
  return {
    applied,
    due: Object.keys(MIGRATIONS).filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !(name in MIGRATIONS)),
    canServe: canServe(applied),
  };
}

/** The migrations that have run in a database; none in one that is no database of Nameplate's. */
export async function findAppliedMigrations(trx: Kysely<Database>): Promise<string[]> {
  const { rows: tables } = await sql<{ found: boolean }>`
    SELECT to_regclass('kysely_migration') IS NOT NULL AS found`.execute(trx);
  if (!tables[0]?.found) return [];
  const { rows } = await sql<{
    name: string;
  }>`SELECT name FROM kysely_migration ORDER BY name`.execute(trx);
  return rows.map((row) => row.name);
}
