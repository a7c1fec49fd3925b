import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SignJWT } from 'jose';
import { Provider } from 'oidc-provider';

const CLIENT_ID = 'nameplate';
/** Contains characters that must be encoded in the Authorization header. */
const CLIENT_SECRET = 'a secret with unusual/characters:+%';

const KEY = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
  format: 'jwk',
});

/** A real OpenID Connect provider on loopback, where users log in by typing their name. */
export interface IdentityProvider {
  issuer: string;
  /** Settings of a server that uses this provider. */
  settings: { OIDC_ISSUER: string; OIDC_CLIENT_ID: string; OIDC_CLIENT_SECRET: string };
  /** Claims of each user except `sub`, by user name. */
  users: Map<string, Record<string, unknown>>;
  /** Signs a token with the key of the provider. */
  sign: (claims: Record<string, unknown>, header?: Record<string, string>) => Promise<string>;
  /** Gets the form that the provider posts when a session ends. Resolves to the status. */
  onLogout: (form: string) => Promise<number>;
  close: () => Promise<void>;
}

/**
 * Starts a provider. `redirectUri` is a function because the server's port is not known yet. With
 * `isLikeGoogle`, it refuses `prompt=login`, ignores `max_age`, and sends no `auth_time`.
 */
export async function startIdentityProvider(
  redirectUri: () => string,
  { isLikeGoogle = false, namesSession = true, port = 0 } = {},
): Promise<IdentityProvider> {
  const server = createServer();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
  const users: IdentityProvider['users'] = new Map();
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: ['https://names.example.org/callback'],
        require_auth_time: !isLikeGoogle,
        backchannel_logout_uri: `${issuer}/logout`,
        backchannel_logout_session_required: namesSession,
      },
    ],
    claims: {
      openid: ['sub'],
      profile: ['preferred_username', 'name'],
      email: ['email', 'email_verified'],
      groups: ['groups'],
    },
    ...(isLikeGoogle && {
      discovery: { prompt_values_supported: ['none', 'consent', 'select_account'] },
    }),
    scopes: ['openid', 'profile', 'email', 'groups'],
    jwks: { keys: [{ ...KEY, use: 'sig' }] },
    ttl: { AccessToken: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
    cookies: { keys: ['a key of tests'] },
    features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
    // Without its protection against requests to loopback.
    fetch: (url, { dispatcher: _guard, ...options }: RequestInit = {}) => fetch(url, options),
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, sub) => ({
      accountId: sub,
      claims: () => ({ sub, ...users.get(sub) }),
    }),
    // Skip the consent screen.
    loadExistingGrant: async (context) => {
      const { accountId } = context.oidc.session!;
      const grant = new provider.Grant({ clientId: CLIENT_ID, accountId: accountId! });
      grant.addOIDCScope('openid profile email groups');
      await grant.save();
      return grant;
    },
    renderError: (context, { error }) => {
      context.type = 'text';
      context.body = error;
    },
  });
  const { Client } = provider as unknown as {
    Client: { prototype: { redirectUriAllowed: (uri: string) => boolean } };
  };
  Client.prototype.redirectUriAllowed = (uri) => uri === redirectUri();
  const handleRequest = provider.callback();
  server.on('request', (request, response) => {
    if (request.url === '/logout')
      return void text(request)
        .then((form) => running.onLogout(form))
        .then((status) => response.writeHead(status).end());
    if (isLikeGoogle && /[?&]prompt=login\b/.test(request.url!))
      return void response.writeHead(400).end('Invalid prompt: login');
    if (isLikeGoogle) request.url = request.url!.replace(/&max_age=\d+/, '');
    if (!request.url?.startsWith('/interaction/')) return void handleRequest(request, response);
    if (request.method === 'GET')
      return response.writeHead(200, { 'content-type': 'text/html' }).end(LOGIN_PAGE);
    void text(request).then((form) => {
      const accountId = new URLSearchParams(form).get('user')!;
      return provider.interactionFinished(request, response, { login: { accountId } });
    });
  });
  const running: IdentityProvider = {
    issuer,
    settings: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: CLIENT_ID, OIDC_CLIENT_SECRET: CLIENT_SECRET },
    users,
    sign: (claims, header) =>
      new SignJWT({ iss: issuer, aud: CLIENT_ID, ...claims })
        .setProtectedHeader({ alg: 'RS256', ...header })
        .sign(KEY),
    onLogout: () => Promise.resolve(200),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return running;
}

const LOGIN_PAGE = `<!doctype html><html lang="en"><title>Provider</title><link rel="icon" href="data:,">
<form method="post"><label>User <input name="user"></label><button>Log in</button></form>`;
