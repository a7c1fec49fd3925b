import * as openid from 'openid-client';
import { insertClient } from '#db/queries/oauth-clients.ts';
import { createInProcessFetch } from '#server/platform/http/in-process-fetch.ts';
import { hashToken } from '#server/platform/secrets/token.ts';
import { createLoginLinkToken, createSession } from '#test/support/session.ts';
import { useServer } from '#test/support/use-server.ts';
import { ISSUER, OAuthBrowser } from './oauth-browser.ts';

export const CALLBACK = 'https://wiki.example/callback';
export const MCP = `${ISSUER}/mcp`;

export interface Website {
  id: string;
  secret: string;
  config: openid.Configuration;
}

/** A server that is a provider, with an operator. */
export function useOAuth(options: Parameters<typeof useServer>[0] = {}) {
  const { server } = useServer({ PUBLIC_URL: ISSUER, ...options });

  const fetchInProcess = (input: string | URL | Request, init?: RequestInit): Promise<Response> =>
    createInProcessFetch(server.app)(input as string, init as never) as never;

  const signIn = async (browser: OAuthBrowser, accountId: string): Promise<void> => {
    const link = await createLoginLinkToken(server, accountId);
    const { headers } = await createSession(server, { login_url: link });
    browser.setCookie(headers['set-cookie']!);
  };

  return {
    server,
    fetch: fetchInProcess,
    createWebsite: async (fields: Record<string, unknown> = {}): Promise<Website> => {
      const id = crypto.randomUUID();
      const secret = 's'.repeat(43);
      await insertClient(server.db, {
        id,
        kind: 'website',
        name: 'Club wiki',
        redirect_uris: [CALLBACK],
        post_logout_redirect_uris: ['https://wiki.example/bye'],
        secret_hash: hashToken(secret),
        ...fields,
      });
      const config = await openid.discovery(new URL(ISSUER), id, secret, undefined, {
        [openid.customFetch]: fetchInProcess as never,
      });
      return { id, secret, config };
    },

    createBrowser: () => new OAuthBrowser(server),

    signIn,

    /** With a browser in which the member is signed in. */
    createMember: async (name?: string) => {
      const account = await (name ? server.createNamedAccount(name) : server.createAccount());
      const browser = new OAuthBrowser(server);
      await signIn(browser, account.id);
      return { account, browser };
    },
  };
}

export interface StartedLogin {
  url: string;
  checks: openid.AuthorizationCodeGrantChecks;
}

export async function startLogin(
  { config }: Pick<Website, 'config'>,
  params: Record<string, string> = {},
): Promise<StartedLogin> {
  const verifier = openid.randomPKCECodeVerifier();
  const [state, nonce] = [openid.randomState(), openid.randomNonce()];
  const url = openid.buildAuthorizationUrl(config, {
    redirect_uri: CALLBACK,
    scope: 'openid profile email groups',
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
    ...params,
  });
  const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier };
  return { url: url.href, checks };
}
