import { afterAll, beforeAll } from 'vitest';
import { startTestApp, type TestAccount, type TestApp } from '#test/support/test-app.ts';
import {
  connectPostgresDatabase,
  createPostgresDatabase,
  type TestDatabase,
} from '#test/support/test-database.ts';

export interface TwoServers {
  first: TestApp;
  second: TestApp;
  separateConnections: TestDatabase;
  /** Returns the first server for even numbers, and the second for odd ones. */
  serverAt: (index: number) => TestApp;
  createAccount: () => Promise<TestAccount>;
  createAccounts: (count: number) => Promise<TestAccount[]>;
  close: () => Promise<void>;
}

/** Starts both servers. The options override the default settings of the servers and connections. */
export async function startTwoServers(
  options: Parameters<typeof startTestApp>[0] = {},
  connections: Parameters<typeof connectPostgresDatabase>[1] = {},
): Promise<TwoServers> {
  const url = await createPostgresDatabase('nameplate_template');
  const start = () => startTestApp(options, connectPostgresDatabase(url, connections));
  const [first, second] = [await start(), await start()];
  const separateConnections = connectPostgresDatabase(url);
  return {
    first,
    second,
    separateConnections,
    serverAt: (index) => (index % 2 === 0 ? first : second),
    createAccount: first.createAccount,
    createAccounts: (count) => Promise.all(Array.from({ length: count }, first.createAccount)),
    close: async () => {
      await first.close();
      await second.close();
      await separateConnections.close();
    },
  };
}

/** Starts two servers for all tests of a file. The returned object is empty until `beforeAll` has run. */
export function useTwoServers(): TwoServers {
  const servers = {} as TwoServers;
  beforeAll(async () => {
    Object.assign(servers, await startTwoServers());
  });
  afterAll(() => servers.close());
  return servers;
}
