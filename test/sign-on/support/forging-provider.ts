import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '#test/support/listen.ts';

const KEYS = generateKeyPairSync('rsa', { modulusLength: 2048 });
const OTHER_KEYS = generateKeyPairSync('rsa', { modulusLength: 2048 });
const CLIENT_SECRET = 'secret';

/** Changes to what the provider sends. A value of undefined leaves a member out. */
export interface Forgery {
  /** Claims of the ID token. */
  claims?: Record<string, unknown>;
  /** Without this, the provider has no UserInfo endpoint. */
  userInfo?: Record<string, unknown> | string | undefined;
  metadata?: Record<string, unknown>;
  algorithm?: 'RS256' | 'none' | 'HS256';
  hasWrongKey?: boolean;
  /** The id of the key that signs and is published. */
  keyId?: string;
  /** How the provider wants the credentials; it does not decode those of Basic. */
  authMethod?: 'client_secret_basic' | 'client_secret_post';
  /** How far the provider's clock is ahead. */
  clockSeconds?: number;
}

/** A provider on loopback that logs everyone in as `jane`, and leaves out or bends claims. */
export interface ForgingProvider {
  issuer: string;
  /** Settings of a server that uses this provider. */
  settings: {
    OIDC_ISSUER: string;
    OIDC_CLIENT_ID: string;
    OIDC_CLIENT_SECRET: string;
    OIDC_ALLOWED_GROUPS: string[];
    OIDC_ALLOWED_DOMAINS: string[];
    REGISTRATION: 'open';
  };
  requests: string[];
  forgery: Forgery;
  /** Handlers that replace the default ones, by path. */
  handlers: Map<string, RequestListener>;
  close: () => Promise<void>;
}

export async function startForgingProvider(port = 0): Promise<ForgingProvider> {
  const provider: Pick<ForgingProvider, 'requests' | 'forgery' | 'handlers'> = {
    requests: [],
    forgery: {},
    handlers: new Map(),
  };
  let nonce: string | null = null;
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname: path, searchParams: query } = new URL(request.url!, issuer);
    provider.requests.push(path);
    const handler = provider.handlers.get(path);
    if (handler) return handler(request, response);
    if (path === '/authorize') {
      nonce = query.get('nonce');
      const location = `${query.get('redirect_uri')}?code=c&state=${query.get('state')}`;
      return response.writeHead(302, { location }).end();
    }
    const { claims, userInfo, metadata, authMethod = 'client_secret_basic' } = provider.forgery;
    const { keyId = 'k' } = provider.forgery;
    const body = new URLSearchParams(await text(request));
    const credentials = Buffer.from(`nameplate:${CLIENT_SECRET}`).toString('base64');
    const isAuthentic =
      authMethod === 'client_secret_basic'
        ? request.headers.authorization === `Basic ${credentials}`
        : body.get('client_id') === 'nameplate' && body.get('client_secret') === CLIENT_SECRET;
    if (path === '/token' && !isAuthentic)
      return response
        .writeHead(401, { 'content-type': 'application/json' })
        .end('{"error":"invalid_client"}');
    const bodies: Record<string, () => unknown> = {
      '/.well-known/openid-configuration': () => ({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        userinfo_endpoint: userInfo === undefined ? undefined : `${issuer}/userinfo`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        ...metadata,
      }),
      '/keys': () => ({
        keys: [
          { ...KEYS.publicKey.export({ format: 'jwk' }), kid: keyId, alg: 'RS256', use: 'sig' },
        ],
      }),
      '/userinfo': () => userInfo,
      '/token': () => ({
        access_token: 'x',
        token_type: 'bearer',
        id_token: idToken({ iss: issuer, nonce, ...claims }, provider.forgery),
      }),
    };
    const createBody = bodies[path];
    response.writeHead(createBody ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(createBody?.() ?? {}));
  };
  const server = createServer((request, response) => void respond(request, response));
  const { port: usedPort, close } = await listen(server, port);
  const issuer = `http://localhost:${usedPort}`;
  return Object.assign(provider, {
    issuer,
    settings: {
      ...{ OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'nameplate', OIDC_CLIENT_SECRET: CLIENT_SECRET },
      ...{ OIDC_ALLOWED_GROUPS: [], OIDC_ALLOWED_DOMAINS: [], REGISTRATION: 'open' as const },
    },
    close,
  });
}

function idToken(
  claims: Record<string, unknown>,
  { algorithm = 'RS256', hasWrongKey, clockSeconds = 0, keyId = 'k' }: Forgery,
): string {
  const now = Math.floor(Date.now() / 1_000) + clockSeconds;
  const payload = { aud: 'nameplate', sub: 'jane', iat: now, nbf: now, exp: now + 60, ...claims };
  const content = [{ alg: algorithm, kid: keyId }, payload]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const { privateKey } = hasWrongKey ? OTHER_KEYS : KEYS;
  const signatures = {
    none: () => Buffer.alloc(0),
    HS256: () => createHmac('sha256', CLIENT_SECRET).update(content).digest(),
    RS256: () => sign('sha256', Buffer.from(content), privateKey),
  };
  return `${content}.${signatures[algorithm]().toString('base64url')}`;
}
