import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { ReadDatabase } from '#db/connections/handles.ts';
import { eventually } from '../support/eventually.ts';
import { connectPostgresDatabase, createPostgresDatabase } from '../support/test-database.ts';

async function getBackendPid(db: ReadDatabase): Promise<number> {
  const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(db);
  return rows[0]!.pid;
}

it.each(['db', 'readDb'] as const)(
  'a busy connection of %s is replaced after its maximum lifetime without a failed query',
  async (name) => {
    const url = await createPostgresDatabase('nameplate_template');
    const database = connectPostgresDatabase(url, { max: 1, lifetimeSeconds: 0.2 });
    const pids = new Set<number>();
    await eventually(async () => {
      for (const pid of await Promise.all(
        Array.from({ length: 20 }, () => getBackendPid(database[name])),
      ))
        pids.add(pid);
      expect(pids.size).toBeGreaterThanOrEqual(5);
    });
    await database.close();
  },
);
