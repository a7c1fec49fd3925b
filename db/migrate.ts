import { type Kysely, type Transaction, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import {
  findLockHolder,
  limitTimes,
  lockMigrations,
  MigrationHeldUpError,
} from './migration-lock.ts';
import { createMetricPartitions } from './partitions.ts';
import type { Database } from './schema.ts';
import { isLockTimeout } from './sql-state.ts';
import { inTransaction } from './transaction.ts';
import { assertWritable } from './writable.ts';

/**
 * All migrations in order, each loaded when it is due. Servers of the version before go on, and are
 * started again, while and after one runs. For that it only adds; or what it takes away is not used
 * since another one that they must know, and its name ends with that one's number, as in
 * `0042-old-names-needs-0040`; with its own number if all servers have to be stopped.
 */
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
  '0018-closed-accounts': () => import('./migrations/0018-closed-accounts.ts'),
  '0019-passkeys': () => import('./migrations/0019-passkeys.ts'),
  '0020-invitations': () => import('./migrations/0020-invitations.ts'),
  '0021-metric-retention': () => import('./migrations/0021-metric-retention.ts'),
  '0022-notices': () => import('./migrations/0022-notices.ts'),
  '0023-growth': () => import('./migrations/0023-growth.ts'),
  '0024-account-events': () => import('./migrations/0024-account-events.ts'),
  '0025-answer-parts': () => import('./migrations/0025-answer-parts.ts'),
  '0026-events-of-account': () => import('./migrations/0026-events-of-account.ts'),
};

/** How long the lock is waited for: longer than a migration should take. */
const PATIENCE_MS = 60_000;
/** In so many attempts, after each of which it is seen who has it. */
const ATTEMPTS = 20;

/** The database was migrated by a newer version of Nameplate, with which this one cannot work. */
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
 * limits of its own. Where there is nothing to migrate no lock is taken. If another process has it for
 * long, `onWait` is told which, and in the end that is an error. Returns the names of the migrations
 * it ran.
 */
export async function migrate(
  db: Kysely<Database>,
  {
    onWait = () => {},
    patienceMs = PATIENCE_MS,
  }: { onWait?: (holder: string) => void; patienceMs?: number } = {},
): Promise<string[]> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await inTransaction(db, (trx) => runDue(trx, patienceMs / ATTEMPTS));
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      const holder = await findLockHolder(db);
      if (attempt === ATTEMPTS) throw new MigrationHeldUpError(holder, error);
      if (attempt === 1) onWait(holder);
    }
}

/**
 * Brings a database whose migrations this transaction has locked to the schema of another one, in
 * which these have run. Throws a `NewerSchemaError` if there is one among them that is not known.
 */
export async function migrateLike(
  trx: Transaction<Database>,
  names: readonly string[],
): Promise<void> {
  assertKnown(names);
  await run(
    trx,
    Object.entries(MIGRATIONS).filter(([name]) => names.includes(name)),
  );
}

/** Runs what is still due in a database whose migrations this transaction has locked. */
export async function migrateLocked(trx: Transaction<Database>): Promise<void> {
  await run(trx, await findDue(trx));
  await createMetricPartitions(trx, new Date());
}

async function runDue(trx: Transaction<Database>, patienceMs: number): Promise<string[]> {
  // In place of those that the operator may have set for the user or the database.
  await limitTimes(trx, { statement: 0, lock: patienceMs });
  await assertWritable(trx);
  let due = await findDue(trx);
  if (due.length > 0) {
    await lockMigrations(trx);
    due = await findDue(trx);
  }
  await limitTimes(trx, { statement: 0, lock: 0 });
  await run(trx, due);
  await createMetricPartitions(trx, new Date());
  return due.map(([name]) => name);
}

type NamedMigration = [name: string, load: () => Promise<Migration>];

async function run(trx: Transaction<Database>, migrations: NamedMigration[]): Promise<void> {
  for (const [name, load] of migrations) {
    const migration = await load();
    await migration.up(trx);
    await sql`INSERT INTO kysely_migration VALUES (${name}, ${new Date().toISOString()})`.execute(
      trx,
    );
  }
}

async function findDue(trx: Transaction<Database>): Promise<NamedMigration[]> {
  const applied = await findAppliedMigrations(trx);
  if (!canServe(applied)) throw new NewerSchemaError();
  return Object.entries(MIGRATIONS).filter(([name]) => !applied.includes(name));
}

/** Whether this version can work with a database in which these migrations have run. */
function canServe(applied: readonly string[]): boolean {
  const numbers = new Set(Object.keys(MIGRATIONS).map((name) => name.slice(0, 4)));
  return applied
    .filter((name) => !(name in MIGRATIONS))
    .every((name) => {
      const needed = /-needs-(\d{4})$/.exec(name)?.[1];
      return needed === undefined || numbers.has(needed);
    });
}

function assertKnown(names: readonly string[]): void {
  if (names.some((name) => !(name in MIGRATIONS))) throw new NewerSchemaError();
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
