import { expect, it } from 'vitest';
import { copyDataDir } from '../support/copy-data-dir.ts';
import { killDatabase, startServer } from '../support/server-process.ts';
import {
  connectPostgresDatabase,
  createPostgresDatabase,
  openEmbeddedTestDatabase,
  type TestDatabase,
} from '../support/test-database.ts';
import { IdempotentWriters, WRITER_SETTINGS } from './support/idempotent-writers.ts';

const WRITERS = 4;

/** Kills a server during writes, and starts it again. The writers retry what was not acknowledged. */
async function expectNoLossOfWrites(
  database: Record<string, string>,
  open: () => Promise<TestDatabase> | TestDatabase,
  killToo = () => {},
): Promise<void> {
  const settings = { ...database, ...WRITER_SETTINGS, LOG_LEVEL: 'error' };
  let server = await startServer(settings);
  const before = await open();
  const writers = await IdempotentWriters.start(before.db, () => server.url, WRITERS);
  await before.close();
  await writers.waitForMore(10);
  server.signal('SIGKILL');
  killToo();
  expect(await server.exited).toBeNull();
  server = await startServer(settings);
  await writers.waitForMore(5);
  await writers.stop();
  const after = await open();
  await writers.expectStored(after.db);
  await after.close();
}

it('SIGKILL during writes loses no acknowledged write, and a retry repeats none, on a server with the embedded database, which is killed, too', async () => {
  const DATA_DIR = await copyDataDir();
  await expectNoLossOfWrites(
    { DATA_DIR },
    () => openEmbeddedTestDatabase(DATA_DIR),
    () => void killDatabase(DATA_DIR),
  );
});

it('SIGKILL during writes loses no acknowledged write, and a retry repeats none, on a server with a PostgreSQL server', async () => {
  const DATABASE_URL = await createPostgresDatabase('nameplate_template');
  await expectNoLossOfWrites({ DATABASE_URL }, () => connectPostgresDatabase(DATABASE_URL));
});
