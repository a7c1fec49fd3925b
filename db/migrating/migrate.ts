import { sql } from 'kysely';
import type { Database, ReadDatabase, Transaction } from '../connections/handles.ts';
import { inTransaction } from '../connections/transaction.ts';
import { assertWritable } from '../connections/writable.ts';
import { createMetricPartitions } from '../partitions.ts';
import { withRetries } from '../retry.ts';
import { isLockTimeout, isRetryable } from '../sql-state.ts';
import { withMigrationError, withPartitionError } from './migration-failure.ts';
import {
  getBackendPid,
  limitLockWaits,
  lockMigrations,
  MigrationBlockedError,
  watchLockHolders,
} from './migration-lock.ts';
import { type Migration, type Migrations, MIGRATIONS } from './migrations.ts';

/** Limits lock waits, because requests on the same table queue behind a waiting migration. */
interface LockRetry {
  maxAttempts: number;
  /** Lock timeout per attempt, shorter than that of requests. */
  lockTimeoutMs: number;
  /** Requests proceed during this pause. */
  pauseMs: number;
}

/**
 * About a minute in total. If a request and a migration wait for each other, PostgreSQL ends the
 * request after a second (`deadlock_timeout`), so the migration gives up before.
 */
const DEFAULT_RETRY: LockRetry = { maxAttempts: 24, lockTimeoutMs: 500, pauseMs: 2_000 };

export class NewerSchemaError extends Error {
  override readonly name = 'NewerSchemaError';

  constructor() {
    super(
      'The database was set up by a newer version of Nameplate; run that version, or restore a backup made before the upgrade.',
    );
  }
}

interface MigrateOptions {
  /** Called with a description of the process that holds the lock. */
  onWait?: (holder: string) => void;
  lockRetry?: LockRetry;
  migrations?: Migrations;
}

/**
 * Migrates the database to this version's schema, each migration in a transaction of its own, creates
 * the metric partitions of the coming months, and returns the names of the migrations it ran. Safe to
 * run in several processes at once; each needs up to two connections without time limits. Takes no
 * lock if nothing is due and no partition is missing. Throws a `MigrationBlockedError` if another
 * process holds a lock for too long.
 */
export async function migrate(
  db: Database,
  { onWait = () => {}, lockRetry = DEFAULT_RETRY, migrations = MIGRATIONS }: MigrateOptions = {},
): Promise<string[]> {
  const migratedNames: string[] = [];
  for (;;) {
    const names = await migrateOnce(db, { onWait, lockRetry, migrations });
    if (names.length === 0) return migratedNames;
    migratedNames.push(...names);
  }
}

async function migrateOnce(
  db: Database,
  { onWait, lockRetry, migrations }: Required<MigrateOptions>,
): Promise<string[]> {
  let holder = 'another process';
  const isBlocked = (error: unknown) => isLockTimeout(error) || isRetryable(error);
  const runOnce = () =>
    inTransaction(db, async (trx) => {
      using _ = watchLockHolders(db, await getBackendPid(trx), (description) => {
        holder = description;
      });
      await limitLockWaits(trx, lockRetry.lockTimeoutMs);
      return await runDueOrAddPartitions(trx, migrations);
    });
  return withRetries(runOnce, {
    maxAttempts: lockRetry.maxAttempts,
    delayMs: () => lockRetry.pauseMs,
    isRetryable: isBlocked,
    onRetry: ({ attempt }) => {
      if (attempt === 1) onWait(holder);
    },
  }).catch((error: unknown) => {
    throw isBlocked(error) ? new MigrationBlockedError(holder, error) : error;
  });
}

/**
 * Runs exactly these migrations. The transaction must hold the migration lock. Throws a
 * `NewerSchemaError` if one of them is unknown.
 */
export async function runNamedMigrations(
  trx: Transaction,
  names: readonly string[],
  migrations: Migrations,
): Promise<void> {
  if (names.some((name) => !Object.hasOwn(migrations, name))) throw new NewerSchemaError();
  await runMigrations(
    trx,
    Object.entries(migrations).filter(([name]) => names.includes(name)),
  );
}

/** The transaction must hold the migration lock. */
export async function runDueMigrations(trx: Transaction, migrations: Migrations): Promise<void> {
  await runMigrations(trx, await findDueMigrations(trx, migrations));
  await withPartitionError(() => createMetricPartitions(trx, new Date()));
}

/** Runs the next migration and returns its name. If none is due, creates missing partitions. */
async function runDueOrAddPartitions(trx: Transaction, migrations: Migrations): Promise<string[]> {
  await assertWritable(trx);
  if ((await findDueMigrations(trx, migrations)).length === 0) {
    await withPartitionError(() => createMetricPartitions(trx, new Date()));
    return [];
  }
  await lockMigrations(trx);
  // One migration per transaction: the locks of several would block more requests, for longer.
  const due = (await findDueMigrations(trx, migrations)).slice(0, 1);
  await runMigrations(trx, due);
  return due.map(([name]) => name);
}

type NamedMigration = [name: string, load: () => Promise<Migration>];

async function runMigrations(trx: Transaction, due: NamedMigration[]): Promise<void> {
  for (const [name, load] of due) {
    const migration = await load();
    await withMigrationError(name, () => migration.up(trx));
    await sql`INSERT INTO kysely_migration VALUES (${name}, ${new Date().toISOString()})`.execute(
      trx,
    );
  }
}

async function findDueMigrations(
  trx: Transaction,
  migrations: Migrations,
): Promise<NamedMigration[]> {
  const applied = await findAppliedMigrations(trx);
  if (!canServe(applied, migrations)) throw new NewerSchemaError();
  return Object.entries(migrations).filter(([name]) => !applied.includes(name));
}

/** Throws a `NewerSchemaError` if this version cannot work with the database. */
export async function assertServable(db: ReadDatabase): Promise<void> {
  if (!canServe(await findAppliedMigrations(db))) throw new NewerSchemaError();
}

/** A migration named `…-needs-NNNN` requires servers that know migration NNNN. */
function canServe(applied: readonly string[], migrations = MIGRATIONS): boolean {
  const numbers = new Set(Object.keys(migrations).map((name) => name.slice(0, 4)));
  return applied
    .filter((name) => !Object.hasOwn(migrations, name))
    .every((name) => {
      const needed = /-needs-(\d{4})$/.exec(name)?.[1];
      return needed === undefined || numbers.has(needed);
    });
}

export async function compareMigrations(
  db: ReadDatabase,
): Promise<{ applied: string[]; due: string[]; unknown: string[]; canServe: boolean }> {
  const applied = await findAppliedMigrations(db);
  return {
    applied,
    due: Object.keys(MIGRATIONS).filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !Object.hasOwn(MIGRATIONS, name)),
    canServe: canServe(applied),
  };
}

/** Returns an empty list if the database has no Nameplate tables. */
export async function findAppliedMigrations(trx: ReadDatabase): Promise<string[]> {
  const { rows: tables } = await sql<{ found: boolean }>`
    SELECT to_regclass('kysely_migration') IS NOT NULL AS found`.execute(trx);
  if (!tables[0]?.found) return [];
  const { rows } = await sql<{
    name: string;
  }>`SELECT name FROM kysely_migration ORDER BY name`.execute(trx);
  return rows.map((row) => row.name);
}
