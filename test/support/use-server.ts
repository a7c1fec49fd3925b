import { afterAll, beforeAll } from 'vitest';
import { startTestApp, type TestAccount, type TestApp } from './test-app.ts';

type Options = Parameters<typeof startTestApp>[0] & { account?: boolean };

/**
 * Starts an app for the tests of a file or a `describe`, optionally with a shared account. The
 * returned objects are empty until `beforeAll` has run.
 */
export function useServer(options: Options & { account: true }): {
  server: TestApp;
  account: TestAccount;
};
export function useServer(options?: Options): { server: TestApp };
export function useServer({ account: hasAccount = false, ...options }: Options = {}) {
  const server = {} as TestApp;
  const account = {} as TestAccount;
  beforeAll(async () => {
    Object.assign(server, await startTestApp(options));
    if (hasAccount) Object.assign(account, await server.createAccount());
  });
  afterAll(() => server.close());
  return { server, account };
}
