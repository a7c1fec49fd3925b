import { afterAll, beforeAll } from 'vitest';
import { createSignOn } from '#server/features/sign-on/sign-on.ts';
import type { RateLimitOptions } from '#server/platform/http/access/rate-limits.ts';
import { call } from '#test/support/call.ts';
import { SAME_ORIGIN_HEADERS } from '#test/support/session.ts';
import { startTestApp, type TestApp } from '#test/support/test-app.ts';
import { type IdentityProvider, startIdentityProvider } from './identity-provider.ts';
import { SignOnBrowser } from './sign-on-browser.ts';

const ORIGIN = 'https://names.example.org';
const SESSION_COOKIE = '__Host-nameplate';

interface SignOnServer {
  provider: IdentityProvider;
  server: TestApp;
  createBrowser: () => SignOnBrowser;
  createUser: (claims?: Record<string, unknown>) => string;
  /** Request headers that a signed-in dashboard page sends. */
  sessionHeaders: (browser: SignOnBrowser) => Record<string, string>;
  getSession: (browser: SignOnBrowser) => Promise<SessionResponse>;
  countAccounts: () => Promise<number>;
}

type Settings = Partial<Parameters<typeof createSignOn>[0]> & {
  isLikeGoogle?: boolean;
  namesSession?: boolean;
  mailEnabled?: boolean;
  limits?: RateLimitOptions;
};

interface SessionResponse {
  account_id: string;
  session: { id: string; via: string };
  /** `fresh` after a recent login, else `stale`. */
  login_age: string;
}

/** Starts a server with single sign-on and an identity provider for the tests of a file. */
export function useSignOn({
  isLikeGoogle = false,
  namesSession = true,
  mailEnabled = false,
  limits: rateLimitOptions,
  ...settings
}: Settings = {}): SignOnServer {
  const running = {} as Pick<SignOnServer, 'provider' | 'server'>;
  const fixture: SignOnServer = Object.assign(running, {
    createBrowser: () => new SignOnBrowser(running.server.app),
    createUser: (claims: Record<string, unknown> = { groups: ['staff'] }) => {
      const name = `user-${running.provider.users.size}`;
      running.provider.users.set(name, claims);
      return name;
    },
    sessionHeaders: ({ cookies }: SignOnBrowser) => ({
      ...SAME_ORIGIN_HEADERS,
      cookie: `${SESSION_COOKIE}=${cookies.get(SESSION_COOKIE)}`,
    }),
    getSession: async (browser: SignOnBrowser) => {
      const headers = fixture.sessionHeaders(browser);
      const path = '/owner/sessions/get-session';
      const { body } = await call(fixture.server.app, { path, headers });
      return body as SessionResponse;
    },
    countAccounts: async () => {
      return (await fixture.server.sql`SELECT FROM accounts`).length;
    },
  });
  beforeAll(async () => {
    const redirectUri = `${ORIGIN}/dashboard/sign-on/callback`;
    fixture.provider = await startIdentityProvider(() => redirectUri, {
      isLikeGoogle,
      namesSession,
    });
    const signOn = createSignOn({
      ...fixture.provider.settings,
      OIDC_NAME: 'Example ID',
      OIDC_ALLOWED_GROUPS: ['staff'],
      OIDC_ALLOWED_DOMAINS: ['corp.example'],
      REGISTRATION: 'invite',
      ...settings,
    })!;
    fixture.server = await startTestApp({
      signOn,
      PUBLIC_URL: ORIGIN,
      mailEnabled,
      ...(rateLimitOptions && { rateLimitOptions }),
    });
  });
  afterAll(async () => {
    await fixture.server.close();
    await fixture.provider.close();
  });
  return fixture;
}
