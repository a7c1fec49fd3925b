import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

const KEYS = generateKeyPairSync('rsa', { modulusLength: 2048 });
const OTHER_KEYS = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** Changes to the claims or header of an ID token. */
interface Forgery {
  claims?: Record<string, unknown>;
  algorithm?: 'RS256' | 'none' | 'HS256';
  hasWrongKey?: boolean;
}

/** A fake identity provider on loopback that issues forged ID tokens. */
export interface ForgingProvider {
  issuer: string;
  requests: string[];
  /** Changes to the next ID token. */
  forgery: Forgery;
  /** Handlers that replace the default ones, by path. */
  handlers: Map<string, RequestListener>;
  close: () => Promise<void>;
}

export async function startForgingProvider(port = 0): Promise<ForgingProvider> {
  const provider: Omit<ForgingProvider, 'issuer' | 'close'> = {
    requests: [],
    forgery: {},
    handlers: new Map(),
  };
  const server = createServer((request, response) => {
    const path = request.url!.split('?')[0]!;
    provider.requests.push(path);
    const handler = provider.handlers.get(path);
    if (handler) return handler(request, response);
    const bodies: Record<string, () => object> = {
      '/.well-known/openid-configuration': () => ({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
      }),
      '/keys': () => ({
        keys: [{ ...KEYS.publicKey.export({ format: 'jwk' }), kid: 'k', alg: 'RS256', use: 'sig' }],
      }),
      '/token': () => ({
        access_token: 'x',
        token_type: 'bearer',
        id_token: idToken(issuer, provider.forgery),
      }),
    };
    const createBody = bodies[path];
    response.writeHead(createBody ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(createBody?.() ?? {}));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
  return Object.assign(provider, {
    issuer,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

function idToken(issuer: string, { claims, algorithm = 'RS256', hasWrongKey }: Forgery): string {
  const now = Math.floor(Date.now() / 1_000);
  const times = { iat: now, exp: now + 60 };
  const payload = { iss: issuer, aud: 'nameplate', sub: 'jane', ...times, ...claims };
  const content = [{ alg: algorithm, kid: 'k' }, payload]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const key: KeyObject = (hasWrongKey ? OTHER_KEYS : KEYS).privateKey;
  const signature =
    algorithm === 'none' ? Buffer.alloc(0) : sign('sha256', Buffer.from(content), key);
  return `${content}.${signature.toString('base64url')}`;
}
