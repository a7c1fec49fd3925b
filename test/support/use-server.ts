import { afterAll, beforeAll } from 'vitest';
import { releaseApp, startTestApp, type TestAccount, type TestApp } from './test-app.ts';

type Options = Parameters<typeof startTestApp>[0] & { account?: boolean };

/**
 * Starts an app for all tests of a file or `describe`, optionally with an account. The returned objects
 * are empty until `beforeAll` has run.
 */
export function useServer(options: Options & { account: true }): {
  server: TestApp;
  account: TestAccount;
};
export function useServer(options?: Options): { server: TestApp };
export function useServer({ account: needsAccount = false, ...options }: Options = {}) {
  const server = {} as TestApp;
  const account = {} as TestAccount;
  beforeAll(async () => {
    Object.assign(server, await startTestApp(options));
    if (needsAccount) Object.assign(account, await server.createAccount());
  });
  afterAll(async () => {
    await server.close();
    releaseApp(server);
  });
  return { server, account };
}
