import { type CompiledQuery, type DatabaseConnection, DummyDriver } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createKysely } from '#db/connections/create-kysely.ts';
import type { Database } from '#db/connections/handles.ts';
import { assertOwnSessions, SharedSessionsError } from '#db/connections/own-sessions.ts';
import {
  type TestDatabase,
  connectPostgresDatabase,
  createPostgresDatabase,
} from '../support/test-database.ts';

let sessions: TestDatabase[];
beforeAll(async () => {
  const url = await createPostgresDatabase();
  sessions = Array.from({ length: 5 }, () => connectPostgresDatabase(url, { max: 1 }));
});
afterAll(() => Promise.all(sessions.map(({ close }) => close())));

/** A database behind a pooler: each statement runs in the next session. */
function createPooled(next: () => TestDatabase): Database {
  class Pooler extends DummyDriver {
    override acquireConnection(): Promise<DatabaseConnection> {
      const executeQuery = (query: CompiledQuery) => next().db.executeQuery<any>(query);
      return Promise.resolve({ executeQuery } as DatabaseConnection);
    }
  }
  return createKysely(new Pooler());
}

it.each([1, 2, 3, 4, 5])('a pooler that alternates %i sessions is detected', async (count) => {
  let index = 0;
  const createRoundRobin = () => createPooled(() => sessions[index++ % count]!);
  await expect(assertOwnSessions(createRoundRobin(), createRoundRobin())).rejects.toThrow(
    SharedSessionsError,
  );
});

it('connections that keep their session are not mistaken for a pooler', async () => {
  const [firstConnection, secondConnection] = [0, 1].map((index) =>
    createPooled(() => sessions[index]!),
  );
  await assertOwnSessions(firstConnection!, secondConnection!);
});
