import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import type { ReadDatabase } from '#db/connections/handles.ts';
import { eventually } from '../support/eventually.ts';
import { connectPostgresDatabase, createPostgresDatabase } from '../support/test-database.ts';
import { startDatabaseProxy } from './support/database-proxy.ts';

async function getBackendPid(db: ReadDatabase): Promise<number> {
  const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(db);
  return rows[0]!.pid;
}

it.each(['db', 'readDb'] as const)('%s turns JIT compilation off', async (name) => {
  const database = connectPostgresDatabase(await createPostgresDatabase());
  const { rows } = await sql`SHOW jit`.execute(database[name]);
  expect(rows).toEqual([{ jit: 'off' }]);
  await database.close();
});

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

/** The PostgreSQL Terminate message. */
const TERMINATE = 'X\0\0\0\x04';
const ERROR_FIELDS = 'SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0';
const TERMINATION_ERROR = Buffer.concat([
  Buffer.from([0x45, 0, 0, 0, ERROR_FIELDS.length + 4]),
  Buffer.from(ERROR_FIELDS),
]);

it.each(['db', 'readDb'] as const)(
  'a connection of %s that both sides close at the same time does not count as lost',
  async (name) => {
    const proxy = await startDatabaseProxy(await createPostgresDatabase('nameplate_template'));
    onTestFinished(proxy.close);
    const errors: unknown[] = [];
    const database = connectPostgresDatabase(proxy.url, {
      max: 1,
      onError: (error) => errors.push(error),
    });
    await database[name].selectFrom('accounts').select('id').execute();
    proxy.respondAt(TERMINATE, TERMINATION_ERROR);
    await database.close();
    await eventually(proxy.size, (size) => size === 0);
    expect(errors).toEqual([]);
  },
);
