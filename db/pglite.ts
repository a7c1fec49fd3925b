import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { Kysely, PGliteDialect } from 'kysely';
import { acquireLock } from './lock.ts';
import type { Database } from './schema.ts';

/** The embedded database of a data folder, and the way to let go of it. */
export interface EmbeddedDatabase {
  db: Kysely<Database>;
  close: () => Promise<void>;
}

/**
 * Opens the embedded database in a folder, which is made if it is missing and belongs to this
 * process until it is closed. Throws a `LockedError` if another process has it.
 */
export async function openPglite(dataDir: string): Promise<EmbeddedDatabase> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const releaseLock = await acquireLock(join(dataDir, 'database.lock'));
  try {
    const pglite = await PGlite.create(join(dataDir, 'database'));
    const db = new Kysely<Database>({ dialect: new PGliteDialect({ pglite }) });
    return {
      db,
      close: async () => {
        await db.destroy();
        await releaseLock();
      },
    };
  } catch (error) {
    await releaseLock();
    throw error;
  }
}
