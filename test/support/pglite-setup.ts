import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { Kysely, PGliteDialect } from 'kysely';
import type { TestProject } from 'vitest/node';
import { migrate } from '../../db/migrate.ts';
import type { Database } from '../../db/schema.ts';
import './provided.ts';

/** Migrates an embedded database once and keeps the copy that every test file starts from. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'nameplate-pglite-'));
  const pglite = await PGlite.create();
  const db = new Kysely<Database>({ dialect: new PGliteDialect({ pglite }) });
  await migrate(db);
  const snapshot = join(folder, 'snapshot.tar');
  const dump = await pglite.dumpDataDir('none');
  await writeFile(snapshot, Buffer.from(await dump.arrayBuffer()));
  await db.destroy();
  project.provide('pgliteSnapshot', snapshot);
  return () => rm(folder, { recursive: true, force: true });
}
