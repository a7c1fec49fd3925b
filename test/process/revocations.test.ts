import { expect, it, onTestFinished } from 'vitest';
import { untilListening } from '../support/listeners.ts';
import { startServer } from '../support/server-process.ts';
import { connectPostgresDatabase, createPostgresDatabase } from '../support/test-database.ts';

it('a started server listens for revocations, until it is stopped', async () => {
  const DATABASE_URL = await createPostgresDatabase('nameplate_template');
  const { db, close } = connectPostgresDatabase(DATABASE_URL);
  onTestFinished(close);
  const server = await startServer({ DATABASE_URL });
  await untilListening(db, 1);
  server.signal('SIGTERM');
  expect(await server.exit).toBe(0);
  await untilListening(db, 0);
});
