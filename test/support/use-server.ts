import { afterAll, beforeAll, beforeEach } from 'vitest';
import { releaseApp, startTestApp, type TestAccount, type TestApp } from './test-app.ts';

type Options = Parameters<typeof startTestApp>[0] & { account?: true | 'per test' };

/**
 * Starts an app for all tests of a file or `describe`, optionally with an account for all of them or a
 * new one for each. The returned objects are empty until `beforeAll` or `beforeEach` has run.
 */
export function useServer(options: Options & { account: true | 'per test' }): {
  server: TestApp;
  account: TestAccount;
};
export function useServer(options?: Options): { server: TestApp };
export function useServer({ account: accountFor, ...options }: Options = {}) {
  const server = {} as TestApp;
  const account = {} as TestAccount;
  const setAccount = async () => void Object.assign(account, await server.createAccount());
  beforeAll(async () => {
    Object.assign(server, await startTestApp(options));
    if (accountFor === true) await setAccount();
  });
  if (accountFor === 'per test') beforeEach(setAccount);
  afterAll(async () => {
    await server.close();
    releaseApp(server);
  });
  return { server, account };
}
