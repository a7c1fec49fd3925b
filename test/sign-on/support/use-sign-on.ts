import { afterAll, beforeAll } from 'vitest';
import type { RateLimitOptions } from '#server/http/access/rate-limits.ts';
import { createSignOn } from '#server/features/sign-on/sign-on.ts';
import { call } from '#test/support/call.ts';
import { SAME_ORIGIN_HEADERS } from '#test/support/session.ts';
import { startTestApp, type TestApp } from '#test/support/test-app.ts';
import { type IdentityProvider, startIdentityProvider } from './identity-provider.ts';
import { SignOnBrowser } from './sign-on-browser.ts';

const ORIGIN = 'https://names.example.org';
const SESSION = '__Host-nameplate';

interface SignOnServer {
  provider: IdentityProvider;
  server: TestApp;
  /** A new browser. */
  browser: () => SignOnBrowser;
  /** A new user of the provider with these claims; returns their name. */
  user: (claims?: Record<string, unknown>) => string;
  /** Headers of a page of the server in a browser that is signed in. */
  headersOf: (browser: SignOnBrowser) => Record<string, string>;
  /** Session of a browser. */
  sessionOf: (
    browser: SignOnBrowser,
  ) => Promise<{ account_id: string; session: { id: string; via: string }; proof: string }>;
  countAccounts: () => Promise<number>;
}

type Settings = Partial<Parameters<typeof createSignOn>[0]> & {
  tellsTime?: boolean;
  limits?: RateLimitOptions;
};

/** Runs a server with single sign-on and its provider for the tests of a file. */
export function useSignOn({ tellsTime = true, limits, ...settings }: Settings = {}): SignOnServer {
  const running = {} as Pick<SignOnServer, 'provider' | 'server'>;
  const used: SignOnServer = Object.assign(running, {
    browser: () => new SignOnBrowser(running.server.app),
    user: (claims: Record<string, unknown> = { groups: ['staff'] }) => {
      const name = `user-${running.provider.users.size}`;
      running.provider.users.set(name, claims);
      return name;
    },
    headersOf: ({ cookies }: SignOnBrowser) => ({
      ...SAME_ORIGIN_HEADERS,
      cookie: `${SESSION}=${cookies.get(SESSION)}`,
    }),
    sessionOf: async (browser: SignOnBrowser) => {
      const headers = used.headersOf(browser);
      const { body } = await call(used.server.app, {
        path: '/owner/session/get-session',
        headers,
      });
      return body as Awaited<ReturnType<SignOnServer['sessionOf']>>;
    },
    countAccounts: async () => {
      const accounts = await used.server.database.db.selectFrom('accounts').select('id').execute();
      return accounts.length;
    },
  });
  beforeAll(async () => {
    const redirectUri = `${ORIGIN}/dashboard/sign-on/callback`;
    used.provider = await startIdentityProvider(() => redirectUri, { tellsTime });
    const signOn = createSignOn({
      ...used.provider.settings,
      OIDC_NAME: 'Example ID',
      OIDC_ALLOWED_GROUPS: ['staff'],
      OIDC_ALLOWED_DOMAINS: ['corp.example'],
      REGISTRATION: 'invite',
      ...settings,
    })!;
    used.server = await startTestApp({ signOn, publicUrl: ORIGIN, ...(limits && { limits }) });
  });
  afterAll(async () => {
    await used.server.close();
    await used.provider.close();
  });
  return used;
}
