import type { JWTPayload, RemoteJWKSet } from 'jose';
import type * as OpenId from 'openid-client';
import { MINUTE_MS } from '#contract/shared/durations.ts';
import { loadOnce } from '#server/platform/load-once.ts';
import { createOutboundClient } from '#server/platform/outbound/client.ts';
import { CallError } from '#server/platform/outbound/errors.ts';
import { isClientRejected, SignOnError, toSignOnError } from './sign-on-error.ts';
import type { FlowSecrets } from './sign-on-flow.ts';

/** Maximum age of a forced login at the provider. */
const MAX_LOGIN_AGE_SECONDS = 300;
const TIMEOUT_SECONDS = 8;
const CLOCK_TOLERANCE_SECONDS = 60;
/** Minimum time between two reads of the keys because one was missing. */
const KEYS_COOLDOWN_MS = 10_000;
/** OpenID Connect Core 1.0 allows up to 255 ASCII characters. */
const SUBJECT_PATTERN = /^[\x21-\x7E]{1,255}$/;
/** Of `sid` and `jti`, for which there is no standard limit. */
const MAX_ID_LENGTH = 255;
/** Maximum age of a logout token. Used ones are remembered for longer. */
const MAX_LOGOUT_AGE_SECONDS = 300;
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';

export interface IdentityProviderOptions {
  issuer: string;
  clientId: string;
  clientSecret: string;
  needsGroups: boolean;
  timeoutSeconds?: number;
}

interface Discovered {
  config: OpenId.Configuration;
  keys: RemoteJWKSet;
}

/** Claims are authentic, but their types are not checked. */
export type UserClaims = Readonly<Record<string, unknown>>;

export interface AuthenticatedUser {
  issuer: string;
  subject: string;
  /** The Unix epoch if it is unknown or in the future. */
  authenticatedAt: Date;
  /** The session at the provider, if it names one. */
  sid: string | null;
  /**
   * Resolves to the claims of the ID token and, if the provider has one, of the UserInfo endpoint.
   */
  loadClaims: () => Promise<UserClaims>;
}

/** What the provider ends: a session of it, all sessions of a user, or a session of that user. */
export interface ProviderLogout {
  issuer: string;
  /** Different for every logout. */
  tokenId: string;
  subject?: string;
  sid?: string;
}

/**
 * Uses the OpenID Connect authorization code flow with PKCE, `state` and `nonce`. Contacts the
 * provider when a user signs in, not at startup. Failures throw a `SignOnError`.
 */
export class IdentityProvider {
  readonly #options: IdentityProviderOptions;
  readonly #http = createHttpClient();
  #cached: { discovered: Promise<Discovered>; until: number } | undefined;
  #usesBasic = false;

  constructor(options: IdentityProviderOptions) {
    this.#options = options;
  }

  /**
   * Resolves to the URL to redirect the browser to. If `forceLogin` is true, the user has to log in
   * at the provider again.
   */
  async begin(
    { state, nonce, verifier }: FlowSecrets,
    { redirectUri, forceLogin }: { redirectUri: string; forceLogin: boolean },
  ): Promise<string> {
    const { config } = await this.#discover();
    const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await import('openid-client');
    const { scopes_supported: scopes = [] } = config.serverMetadata();
    const requestsGroups = this.#options.needsGroups && scopes.includes('groups');
    return buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: `openid profile email${requestsGroups ? ' groups' : ''}`,
      state,
      nonce,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...loginTimeParameters(config.serverMetadata(), { forceLogin }),
    }).href;
  }

  async finish(
    callbackUrl: URL,
    { state, nonce, verifier }: FlowSecrets,
    { forceLogin }: { forceLogin: boolean },
  ): Promise<AuthenticatedUser> {
    const { config, keys } = await this.#discover();
    const { authorizationCodeGrant, fetchUserInfo } = await import('openid-client');
    const tokens = await this.#callAsClient(config, () =>
      authorizationCodeGrant(config, callbackUrl, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      }),
    );
    await verifySignature(tokens.id_token!, keys);
    const claims = tokens.claims();
    if (!claims || !SUBJECT_PATTERN.test(claims.sub))
      throw new SignOnError('signOnRefused', 'sub_invalid');
    // The library checks this only if there are several audiences.
    if (claims.azp !== undefined && claims.azp !== this.#options.clientId)
      throw new SignOnError('signOnRefused', 'azp_invalid');
    const hasUserInfo = config.serverMetadata().userinfo_endpoint !== undefined;
    return {
      issuer: config.serverMetadata().issuer,
      subject: claims.sub,
      authenticatedAt: readLoginTime(claims, forceLogin),
      sid: isId(claims['sid']) ? claims['sid'] : null,
      loadClaims: loadOnce(async (): Promise<UserClaims> => {
        if (!hasUserInfo) return claims;
        const userInfo = await fetchUserInfo(config, tokens.access_token, claims.sub).catch(
          throwAs('signOnRefused', 'userinfo_'),
        );
        return { ...claims, ...userInfo, ...readAddress(userInfo, claims) };
      }),
    };
  }

  /** Verifies a logout token (OpenID Connect Back-Channel Logout 1.0, section 2.6), but not replay. */
  async verifyLogout(logoutToken: string): Promise<ProviderLogout> {
    const { config, keys } = await this.#discover();
    const { issuer } = config.serverMetadata();
    const { jwtVerify } = await import('jose');
    const { payload, protectedHeader } = await jwtVerify(logoutToken, keys, {
      issuer,
      audience: this.#options.clientId,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      // Instead of requiring `exp`, which Hydra and older versions of Keycloak and Authentik omit.
      maxTokenAge: MAX_LOGOUT_AGE_SECONDS,
      requiredClaims: ['iss', 'aud', 'iat'],
    }).catch(throwAs('signOnLogoutInvalid'));
    const type = protectedHeader.typ?.toLowerCase().replace(/^application\//, '') ?? 'jwt';
    if (type !== 'logout+jwt' && type !== 'jwt')
      throw new SignOnError('signOnLogoutInvalid', 'typ_invalid');
    return { issuer, ...readLogout(payload) };
  }

  /**
   * Reads the discovery document, and sends the credentials with a made-up code. Resolves to what
   * is wrong.
   */
  async check(): Promise<SignOnError | undefined> {
    try {
      const { config } = await this.#discover();
      const { genericGrantRequest } = await import('openid-client');
      await this.#callAsClient(config, () =>
        genericGrantRequest(config, 'authorization_code', { code: 'nameplate-check' }),
      );
    } catch (error) {
      const signOnError = toSignOnError(error, 'signOnRefused');
      // Every provider refuses the made-up code.
      return signOnError.refusal === 'signOnRefused' ? undefined : signOnError;
    }
  }

  close(): Promise<void> {
    return this.#http.close();
  }

  /**
   * Tries the other authentication method if the provider rejects the client: a client may be
   * registered for only one.
   */
  async #callAsClient<T>(
    config: OpenId.Configuration,
    call: () => Promise<T>,
    isRetry = false,
  ): Promise<T> {
    const usedBasic = this.#usesBasic;
    try {
      return await call();
    } catch (cause) {
      const error = toSignOnError(cause, 'signOnRefused');
      if (!isClientRejected(error)) throw error;
      const methods = listAuthMethods(config.serverMetadata());
      error.details.methods = methods;
      if (isRetry || methods.length < 2) throw error;
      this.#usesBasic = !usedBasic;
      return this.#callAsClient(config, call, true);
    }
  }

  /** Caches the discovery document for a minute. Concurrent callers share one request. */
  #discover(): Promise<Discovered> {
    if (this.#cached && Date.now() < this.#cached.until) return this.#cached.discovered;
    const discovered = this.#fetchConfig().catch((error: unknown) => {
      this.#cached = undefined;
      throw error;
    });
    this.#cached = { discovered, until: Date.now() + MINUTE_MS };
    return discovered;
  }

  async #fetchConfig(): Promise<Discovered> {
    const { issuer, clientId, clientSecret, timeoutSeconds = TIMEOUT_SECONDS } = this.#options;
    const openid = await import('openid-client');
    const { createRemoteJWKSet, customFetch } = await import('jose');
    const authenticate: OpenId.ClientAuth = (server, client, body, headers) => {
      const [method, other] = listAuthMethods(server);
      if (((this.#usesBasic && other) || method) === 'client_secret_basic')
        headers.set('authorization', basicCredentials(clientId, clientSecret));
      else openid.ClientSecretPost(clientSecret)(server, client, body, headers);
    };
    const config = await openid
      .discovery(
        new URL(issuer),
        clientId,
        { [openid.clockTolerance]: CLOCK_TOLERANCE_SECONDS },
        authenticate,
        {
          timeout: timeoutSeconds,
          [openid.customFetch]: this.#http.fetch,
          // `OIDC_ISSUER` allows http only for loopback addresses.
          execute: issuer.startsWith('http:') ? [openid.allowInsecureRequests] : [],
        },
      )
      .catch(throwAs('signOnMisconfigured'));
    const { id_token_signing_alg_values_supported: algorithms = ['RS256'], jwks_uri: keysUrl } =
      config.serverMetadata();
    if (algorithms.every((algorithm) => algorithm.startsWith('HS')))
      throw new SignOnError('signOnMisconfigured', `alg_${algorithms[0]}`);
    if (!keysUrl?.startsWith(issuer.startsWith('http:') ? 'http' : 'https:'))
      throw new SignOnError('signOnMisconfigured', 'jwks_uri_invalid');
    const keys = createRemoteJWKSet(new URL(keysUrl), {
      cooldownDuration: KEYS_COOLDOWN_MS,
      timeoutDuration: timeoutSeconds * 1_000,
      [customFetch]: this.#http.fetch,
    });
    return { config, keys };
  }
}

/** In the order in which they are tried. */
function listAuthMethods({
  token_endpoint_auth_methods_supported: offered = [],
}: OpenId.ServerMetadata): string[] {
  const methods = ['client_secret_post', 'client_secret_basic'].filter((method) =>
    offered.includes(method),
  );
  return methods.length > 0 ? methods : ['client_secret_basic'];
}

/**
 * Leaves the characters of UUIDs as they are, unlike `ClientSecretBasic`, because some providers do
 * not decode.
 */
function basicCredentials(...credentials: string[]): string {
  const encoded = credentials.map((text) => new URLSearchParams({ '': text }).toString().slice(1));
  return `Basic ${btoa(encoded.join(':'))}`;
}

async function verifySignature(idToken: string, keys: RemoteJWKSet): Promise<void> {
  const { compactVerify, decodeProtectedHeader } = await import('jose');
  const { alg = '' } = decodeProtectedHeader(idToken);
  if (alg.startsWith('HS')) throw new SignOnError('signOnRefused', `alg_${alg}`);
  await compactVerify(idToken, keys).catch(throwAs('signOnRefused'));
}

function readLogout(claims: JWTPayload): Omit<ProviderLogout, 'issuer'> {
  const { jti, sub, sid, nonce, events } = claims as UserClaims;
  const event = (events as UserClaims | null | undefined)?.[LOGOUT_EVENT];
  const isEvent = typeof event === 'object' && event !== null && !Array.isArray(event);
  const faults: Record<string, boolean> = {
    events_invalid: !isEvent,
    nonce_invalid: nonce !== undefined,
    jti_missing: !isId(jti),
    sub_invalid: sub !== undefined && !(isId(sub) && SUBJECT_PATTERN.test(sub)),
    sid_invalid: sid !== undefined && !isId(sid),
    sub_missing: sub === undefined && sid === undefined,
  };
  const fault = Object.keys(faults).find((code) => faults[code]);
  if (fault !== undefined) throw new SignOnError('signOnLogoutInvalid', fault);
  return { tokenId: jti as string, ...({ subject: sub, sid } as Partial<ProviderLogout>) };
}

function isId(claim: unknown): claim is string {
  return typeof claim === 'string' && claim !== '' && claim.length <= MAX_ID_LENGTH;
}

/**
 * Google knows no `prompt=login`, and tells verified apps that ask for it when the user logged in:
 * https://developers.google.com/identity/openid-connect/openid-connect#authenticationuriparameters
 * https://developers.google.com/identity/siwg/security-bundle
 */
const GOOGLE = 'https://accounts.google.com';

/** Asks for `auth_time`, and for a new login if `forceLogin` is true and the provider knows how. */
export function loginTimeParameters(
  { issuer, prompt_values_supported: prompts }: OpenId.ServerMetadata,
  { forceLogin }: { forceLogin: boolean },
): Record<string, string> {
  const isGoogle = issuer === GOOGLE;
  const knowsPrompt = Array.isArray(prompts) ? prompts.includes('login') : !isGoogle;
  return {
    ...(isGoogle && { claims: '{"id_token":{"auth_time":{"essential":true}}}' }),
    ...(forceLogin && { max_age: String(MAX_LOGIN_AGE_SECONDS) }),
    ...(forceLogin && knowsPrompt && { prompt: 'login' }),
  };
}

/**
 * Without `auth_time`, the age of the login is unknown, also after `prompt=login`: providers ignore
 * it, and users can remove it from the URL.
 */
function readLoginTime({ auth_time }: OpenId.IDToken, forceLogin: boolean): Date {
  const seconds = auth_time ?? 0;
  const age = Date.now() / 1_000 - seconds;
  const isFuture = age < -CLOCK_TOLERANCE_SECONDS;
  if (forceLogin && (isFuture || age > MAX_LOGIN_AGE_SECONDS + CLOCK_TOLERANCE_SECONDS))
    throw new SignOnError(
      'signOnNotRecent',
      auth_time === undefined ? 'auth_time_missing' : 'auth_time_not_recent',
    );
  return new Date(isFuture ? 0 : Math.min(seconds * 1_000, Date.now()));
}

/** One source must not confirm the address of the other. */
function readAddress(...sources: UserClaims[]): UserClaims {
  const withAddress = sources.filter(({ email }) => email != null);
  const source = withAddress.find((claims) => 'email_verified' in claims) ?? withAddress[0];
  return { email: source?.['email'], email_verified: source?.['email_verified'] };
}

function throwAs(...args: [SignOnError['refusal'], prefix?: string]) {
  return (error: unknown): never => {
    throw toSignOnError(error, ...args);
  };
}

/** Discovery documents and key sets are about 10 KB in size. */
const MAX_RESPONSE_BYTES = 262_144;

interface FetchOptions {
  method: string;
  headers: Record<string, string> | Headers;
  body?: unknown;
  signal?: AbortSignal;
}

/**
 * Limits the size of responses and does not follow redirects. Private addresses are allowed,
 * because the operator configured the provider.
 */
function createHttpClient() {
  const client = createOutboundClient({ maxResponseBytes: MAX_RESPONSE_BYTES });
  return {
    fetch: async (url: string, { method, headers, body, signal }: FetchOptions) => {
      const {
        status,
        headers: responseHeaders,
        text,
      } = await client.call({
        method: method as 'GET' | 'POST',
        url,
        headers: { ...Object.fromEntries(new Headers(headers)), 'accept-encoding': 'identity' },
        ...(body != null && { text: String(body) }),
        signal: signal!,
      });
      if (status >= 500) throw new CallError(`HTTP_${status}`, true);
      const { 'content-type': type = '', 'www-authenticate': challenge } = responseHeaders;
      return new Response(text || null, {
        status,
        headers: { 'content-type': type, ...(challenge && { 'www-authenticate': challenge }) },
      });
    },
    close: () => client.close(),
  };
}
