import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { Kysely, PGliteDialect } from 'kysely';
import { acquireLock } from './lock.ts';
import type { Database } from './schema.ts';

/** What is in the folder cannot be opened: it is damaged, or of another version. */
export class UnreadableDatabaseError extends Error {
  constructor(cause: unknown) {
    super('the embedded database cannot be opened', { cause });
  }
}

/** The embedded database of a data folder, and the way to let go of it. */
export interface EmbeddedDatabase {
  db: Kysely<Database>;
  pglite: PGlite;
  close: () => Promise<void>;
}

/**
 * Opens the embedded database in a folder, which is made if it is missing and belongs to this
 * process until it is closed. Throws a `LockedError` if another process has it, and an
 * `UnreadableDatabaseError` if its files are not to be used.
 */
export async function openPglite(dataDir: string): Promise<EmbeddedDatabase> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const releaseLock = await acquireLock(join(dataDir, 'database.lock'));
  try {
    const pglite = await PGlite.create(join(dataDir, 'database'));
    const db = new Kysely<Database>({ dialect: new PGliteDialect({ pglite }) });
    return {
      db,
      pglite,
      close: async () => {
        await db.destroy();
        await releaseLock();
      },
    };
  } catch (error) {
    await releaseLock();
    throw (error as NodeJS.ErrnoException).code ? error : new UnreadableDatabaseError(error);
  }
}
