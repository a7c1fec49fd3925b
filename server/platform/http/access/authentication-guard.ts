import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  APP_REFUSALS,
  type AUTHENTICATION_REFUSALS,
  AUTHORIZATION_REFUSALS,
  JSON_BODY_REFUSALS,
} from '#contract/request-refusals.ts';
import { mayCallerCall, requiredScope } from '#contract/scope.ts';
import type { Core } from '#server/core.ts';
import type { Caller, CredentialChecks, RejectedCredentials } from '#server/platform/caller.ts';
import {
  type InFlightBytesLimit,
  limitInFlightBytes,
} from '#server/platform/limits/in-flight-bytes.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import { findRoute } from '../contract/register-contract.ts';
import { limitDownloads } from '../responses/downloads.ts';
import { refuseShared } from '../responses/error-response.ts';
import { findActingCaller } from './acting-caller.ts';
import { requireCaller } from './caller.ts';
import { clientNetwork } from './client-address.ts';
import { delegatedCaller } from './delegated-caller.ts';
import { createSameOriginCheck } from './same-origin.ts';

const refuse = createRefuser({ ...AUTHORIZATION_REFUSALS, ...JSON_BODY_REFUSALS });
const refuseApp = createRefuser(APP_REFUSALS);

/** Unknown ids and wrong secrets are not told apart, because that would reveal which ids exist. */
const CODES: Partial<
  Record<
    RejectedCredentials['reason'],
    keyof typeof AUTHENTICATION_REFUSALS | keyof typeof AUTHORIZATION_REFUSALS
  >
> = {
  keyMissing: 'apiKeyMissing',
  keyMalformed: 'apiKeyMalformed',
  keyExpired: 'apiKeyExpired',
  keyRevoked: 'apiKeyRevoked',
  accountSuspended: 'accountSuspended',
};

/**
 * Authenticates every request before its body is read, with an API key or the session cookie. Also
 * limits the account's request rate and in-flight bytes.
 */
export function guardAuthenticated(
  server: FastifyInstance,
  app: Pick<
    Core,
    'config' | 'readDb' | 'sessionCookie' | 'rateLimits' | 'origin' | 'instruments'
  > & {
    sessions: CredentialChecks;
  },
  bytesLimit?: InFlightBytesLimit,
): void {
  const { sessions, sessionCookie, rateLimits } = app;
  const checkSameOrigin = createSameOriginCheck(app.origin);
  const authenticate = async (request: FastifyRequest): Promise<Caller> => {
    const key = readApiKey(request);
    const token = key === undefined ? sessionCookie.readToken(request.headers.cookie) : undefined;
    const originError = token === undefined ? undefined : checkSameOrigin(request);
    if (originError) throw originError;
    const credentials =
      token === undefined ? await sessions.keys.check(key) : await sessions.tokens.check(token);
    if (!credentials.ok) {
      request.refused = credentials;
      const rateLimitError = await rateLimits.rejectedCredentials.count(request);
      throw rateLimitError ?? refuseShared(request, codeFor(credentials, request, key));
    }
    return credentials.caller;
  };
  server.addHook('onRequest', async (request) => {
    // `/mcp` sets the caller of its own requests, and of those to itself.
    const route = findRoute(request);
    const person = (request.caller ??= delegatedCaller.getStore() ?? (await authenticate(request)));
    const caller = await findActingCaller(app, request.headers, person, route?.metadata);
    request.caller = caller;
    if (!route || mayCallerCall(caller, route)) return;
    if (caller.credential.kind === 'grant') throw refuseApp('insufficientScope');
    throw refuse('insufficientScope', { scope: caller.scope, required: requiredScope(route) });
  });
  refuseEncodedBodies(server);
  limitInFlightBytes(
    server,
    {
      getShareKey: (request) => requireCaller(request).accountId,
      registerGauge: app.instruments?.registerInFlightBytesGauge,
    },
    bytesLimit,
  );
  limitDownloads(server, (request) => requireCaller(request).accountId);
  if (rateLimits.accountLimitHook) server.addHook('onRequest', rateLimits.accountLimitHook);
}

/** Also with another word before it, such as `Token`. */
const KEY_WITHOUT_BEARER = /^(?!Bearer )(?:\S+ +)?np_/i;
const BEARER_TOKEN = /^Bearer +(\S+) *$/i;

export function readBearer({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  return BEARER_TOKEN.exec(headers.authorization ?? '')?.[1];
}

function codeFor({ reason }: RejectedCredentials, { headers }: FastifyRequest, key: unknown) {
  if (reason === 'keyMissing' && KEY_WITHOUT_BEARER.test(headers.authorization ?? ''))
    return 'bearerMissing';
  // In a browser, the token may come from a proxy, and the login is missing.
  const isProgram = headers['sec-fetch-site'] === undefined;
  if (reason === 'keyMissing' && isProgram && readBearer({ headers }) !== undefined)
    return 'apiKeyMalformed';
  return key === '' && headers['x-api-key'] ? 'apiKeysDiffer' : (CODES[reason] ?? 'unauthorized');
}

/** Returns '', which is not a valid key, if the two headers differ. */
function readApiKey({ headers }: FastifyRequest): string | string[] | undefined {
  const key = headers['x-api-key'];
  const bearer = readBearer({ headers });
  if (key !== undefined) return bearer === undefined || bearer === key ? key : '';
  // A proxy may add other tokens to the requests of a browser.
  return bearer?.toLowerCase().startsWith('np_') ? bearer : undefined;
}

/**
 * For requests without credentials, such as login and sign-up. Except for GET and HEAD, only pages
 * from this server may send them.
 */
export function guardUnauthenticated(
  server: FastifyInstance,
  app: Pick<Core, 'origin' | 'instruments'>,
): void {
  const checkSameOrigin = createSameOriginCheck(app.origin);
  server.addHook('onRequest', (request, _reply, done) => done(checkSameOrigin(request)));
  limitUnauthenticated(server, app);
}

/** For requests that other sites may send, too. */
export function limitUnauthenticated(
  server: FastifyInstance,
  { instruments }: Pick<Core, 'instruments'>,
): void {
  refuseEncodedBodies(server);
  limitInFlightBytes(server, {
    // A whole /48, because one customer can have it.
    getShareKey: (request) => clientNetwork(request, 48),
    registerGauge: instruments?.registerInFlightBytesGauge,
  });
}

function refuseEncodedBodies(server: FastifyInstance): void {
  server.addHook('onRequest', (request, _reply, done) => {
    const { 'content-encoding': encoding = 'identity', 'transfer-encoding': framing = 'chunked' } =
      request.headers;
    const isSupported =
      encoding.toLowerCase() === 'identity' && framing.toLowerCase() === 'chunked';
    done(isSupported ? undefined : refuse('contentEncodingUnsupported'));
  });
}
