import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { REVOCATIONS } from '../../db/revocations.ts';
import { eventually } from '../support/eventually.ts';
import { startServer } from '../support/server-process.ts';
import { connectPostgresDatabase, createPostgresDatabase } from '../support/test-database.ts';

it('a started server listens for revocations, until it is stopped', async () => {
  const DATABASE_URL = await createPostgresDatabase('nameplate_template');
  const { db, close } = connectPostgresDatabase(DATABASE_URL);
  onTestFinished(close);
  const untilListening = (count: number) =>
    eventually(async () => {
      const { rows } = await sql`SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND query = ${`LISTEN "${REVOCATIONS}"`}`.execute(db);
      expect(rows).toHaveLength(count);
    });
  const server = await startServer({ DATABASE_URL });
  await untilListening(1);
  server.signal('SIGTERM');
  expect(await server.exit).toBe(0);
  await untilListening(0);
});
