import type * as OpenId from 'openid-client';
import { HOUR_MS } from '#contract/shared/durations.ts';
import type { FlowSecrets } from './sign-on-flow.ts';
import { createOutboundClient } from '#server/platform/outbound/client.ts';
import { CallError } from '#server/platform/outbound/errors.ts';

/** Maximum age of a forced login at the provider. */
const MAX_LOGIN_AGE_SECONDS = 300;
const TIMEOUT_SECONDS = 8;
const CLOCK_TOLERANCE_SECONDS = 30;
/** OpenID Connect Core 1.0 allows up to 255 ASCII characters. */
const SUBJECT_PATTERN = /^[\x21-\x7E]{1,255}$/;

export interface IdentityProviderOptions {
  issuer: string;
  clientId: string;
  clientSecret: string;
  needsGroups: boolean;
  timeoutSeconds?: number;
}

/** Claims are authentic, but their types are not checked. */
export type UserClaims = Readonly<Record<string, unknown>>;

export interface AuthenticatedUser {
  issuer: string;
  subject: string;
  /** The Unix epoch if the provider sends no valid `auth_time`, or one in the future. */
  authenticatedAt: Date;
  /**
   * Resolves to the claims of the ID token and, if the provider has one, of the UserInfo endpoint.
   */
  loadClaims: () => Promise<UserClaims>;
}

/**
 * Uses the OpenID Connect authorization code flow with PKCE, `state` and `nonce`. Contacts the
 * provider when a user signs in, not at startup. Failures throw a `SignOnError`.
 */
export class IdentityProvider {
  readonly #options: IdentityProviderOptions;
  readonly #http = createHttpClient();
  #cachedConfig: { config: Promise<OpenId.Configuration>; until: number } | undefined;

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
    const config = await this.#discover();
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
      ...(forceLogin && { prompt: 'login', max_age: String(MAX_LOGIN_AGE_SECONDS) }),
    }).href;
  }

  async finish(
    callbackUrl: URL,
    { state, nonce, verifier }: FlowSecrets,
    { forceLogin }: { forceLogin: boolean },
  ): Promise<AuthenticatedUser> {
    const config = await this.#discover();
    const { authorizationCodeGrant, fetchUserInfo } = await import('openid-client');
    const tokens = await authorizationCodeGrant(config, callbackUrl, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
      ...(forceLogin && { maxAge: MAX_LOGIN_AGE_SECONDS }),
    }).catch(throwSignOnError);
    const claims = tokens.claims();
    if (!claims || !SUBJECT_PATTERN.test(claims.sub)) throw new SignOnError('refused', 'subject');
    // The library checks this only if there are several audiences.
    if (claims.azp !== undefined && claims.azp !== this.#options.clientId)
      throw new SignOnError('refused', 'azp');
    const hasUserInfo = config.serverMetadata().userinfo_endpoint !== undefined;
    return {
      issuer: config.serverMetadata().issuer,
      subject: claims.sub,
      authenticatedAt: parseAuthTime(claims.auth_time),
      loadClaims: async () => {
        if (!hasUserInfo) return claims;
        const userInfo = await fetchUserInfo(config, tokens.access_token, claims.sub).catch(
          throwSignOnError,
        );
        return { ...claims, ...userInfo };
      },
    };
  }

  close(): Promise<void> {
    return this.#http.close();
  }

  /** Caches the discovery document for an hour. Concurrent callers share one request. */
  #discover(): Promise<OpenId.Configuration> {
    if (this.#cachedConfig && Date.now() < this.#cachedConfig.until)
      return this.#cachedConfig.config;
    const config = this.#fetchConfig().catch((error: unknown) => {
      this.#cachedConfig = undefined;
      throw new SignOnError('unavailable', codeOf(error));
    });
    this.#cachedConfig = { config, until: Date.now() + HOUR_MS };
    return config;
  }

  async #fetchConfig(): Promise<OpenId.Configuration> {
    const { issuer, clientId, clientSecret, timeoutSeconds = TIMEOUT_SECONDS } = this.#options;
    const openid = await import('openid-client');
    const { allowInsecureRequests, enableNonRepudiationChecks } = openid;
    const authenticate: OpenId.ClientAuth = (server, ...rest) => {
      const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = server;
      const method = methods.includes('client_secret_basic')
        ? 'ClientSecretBasic'
        : 'ClientSecretPost';
      openid[method](clientSecret)(server, ...rest);
    };
    return openid.discovery(
      new URL(issuer),
      clientId,
      { [openid.clockTolerance]: CLOCK_TOLERANCE_SECONDS },
      authenticate,
      {
        timeout: timeoutSeconds,
        [openid.customFetch]: this.#http.fetch,
        execute: [
          enableNonRepudiationChecks,
          // `OIDC_ISSUER` allows http only for loopback addresses.
          ...(issuer.startsWith('http:') ? [allowInsecureRequests] : []),
        ],
      },
    );
  }
}

function parseAuthTime(seconds: unknown): Date {
  if (typeof seconds !== 'number' || seconds < 0) return new Date(0);
  const now = Date.now();
  const isFuture = seconds > now / 1_000 + CLOCK_TOLERANCE_SECONDS;
  return new Date(isFuture ? 0 : Math.min(seconds * 1_000, now));
}

/**
 * Keeps only the error code, because the library's messages and causes may contain authorization
 * codes and tokens.
 */
function throwSignOnError(error: unknown): never {
  const isUnanswered = causesOf(error).some(isCallError);
  throw new SignOnError(isUnanswered ? 'unavailable' : 'refused', codeOf(error));
}

function isCallError(error: Error): error is CallError {
  return error.name === 'CallError';
}

/** Begins with the error itself. */
function causesOf(error: unknown): Error[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : [];
}

function codeOf(error: unknown): string {
  for (const cause of causesOf(error)) {
    // The error code of the provider, such as `access_denied` or `invalid_client`.
    if ('error' in cause && typeof cause.error === 'string') return sanitizeCode(cause.error);
    if (isCallError(cause)) return sanitizeCode(cause.code);
  }
  return error instanceof Error && 'code' in error ? sanitizeCode(String(error.code)) : 'UNKNOWN';
}

function sanitizeCode(code: string): string {
  return /^[\w.-]{1,64}$/.test(code) ? code : 'UNKNOWN';
}

/** Discovery documents and key sets are about 10 KB in size. */
const MAX_RESPONSE_BYTES = 262_144;

/**
 * Limits the size of responses and does not follow redirects. Private addresses are allowed,
 * because the operator configured the provider.
 */
function createHttpClient(): { fetch: OpenId.CustomFetch; close: () => Promise<void> } {
  const client = createOutboundClient({ maxResponseBytes: MAX_RESPONSE_BYTES });
  return {
    fetch: async (url, { method, headers, body, signal }) => {
      const {
        status,
        headers: responseHeaders,
        text,
      } = await client.call({
        method: method as 'GET' | 'POST',
        url,
        headers: { ...headers, 'accept-encoding': 'identity' },
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

export class SignOnError extends Error {
  override readonly name = 'SignOnError';
  /**
   * `unavailable`: there is no usable response from the provider. `refused`: the response does not
   * allow a login.
   */
  readonly kind: 'unavailable' | 'refused';
  readonly code: string;

  constructor(kind: 'unavailable' | 'refused', code: string) {
    super(`the single sign-on failed: ${code}`);
    this.kind = kind;
    this.code = code;
  }
}
