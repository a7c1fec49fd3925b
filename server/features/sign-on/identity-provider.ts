import type * as OpenId from 'openid-client';
import { MINUTE_MS } from '#contract/shared/durations.ts';
import type { FlowSecrets } from './sign-on-flow.ts';
import { createOutboundClient } from '#server/platform/outbound/client.ts';
import { CallError } from '#server/platform/outbound/errors.ts';
import { SignOnError, toSignOnError } from './sign-on-error.ts';

/** Maximum age of a forced login at the provider. */
const MAX_LOGIN_AGE_SECONDS = 300;
/** Maximum age of the ID token of a forced login without `auth_time`. */
const MAX_TOKEN_AGE_SECONDS = 60;
const TIMEOUT_SECONDS = 8;
const CLOCK_TOLERANCE_SECONDS = 60;
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
  /** The Unix epoch if it is unknown or in the future. */
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
    }).catch(throwAs('signOnRefused'));
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
      loadClaims: async () => {
        if (!hasUserInfo) return claims;
        const userInfo = await fetchUserInfo(config, tokens.access_token, claims.sub).catch(
          throwAs('signOnRefused', 'userinfo_'),
        );
        return { ...claims, ...userInfo };
      },
    };
  }

  /**
   * Reads the discovery document, and sends the credentials with a made-up code. Resolves to what
   * is wrong.
   */
  async check(): Promise<SignOnError | undefined> {
    try {
      const config = await this.#discover();
      const { genericGrantRequest } = await import('openid-client');
      await genericGrantRequest(config, 'authorization_code', { code: 'nameplate-check' });
    } catch (error) {
      const signOnError = toSignOnError(error, 'signOnRefused');
      // Every provider refuses the made-up code.
      return signOnError.refusal === 'signOnRefused' ? undefined : signOnError;
    }
  }

  close(): Promise<void> {
    return this.#http.close();
  }

  /** Caches the discovery document for a minute. Concurrent callers share one request. */
  #discover(): Promise<OpenId.Configuration> {
    if (this.#cachedConfig && Date.now() < this.#cachedConfig.until)
      return this.#cachedConfig.config;
    const config = this.#fetchConfig().catch((error: unknown) => {
      this.#cachedConfig = undefined;
      throw error;
    });
    this.#cachedConfig = { config, until: Date.now() + MINUTE_MS };
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
    const config = await openid
      .discovery(
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
      )
      .catch(throwAs('signOnMisconfigured'));
    const { id_token_signing_alg_values_supported: algorithms = ['RS256'] } =
      config.serverMetadata();
    if (algorithms.every((algorithm) => algorithm.startsWith('HS')))
      throw new SignOnError('signOnMisconfigured', `alg_${algorithms[0]}`);
    return config;
  }
}

/**
 * The login is as old as `auth_time` says. Without that claim, a login that we forced is as old as
 * its ID token, which `nonce` ties to the flow, and the age of any other login is unknown.
 */
function readLoginTime({ auth_time, iat }: OpenId.IDToken, forceLogin: boolean): Date {
  const hasTime = auth_time !== undefined;
  const seconds = auth_time ?? (forceLogin ? iat : 0);
  const age = Date.now() / 1_000 - seconds;
  const maxAge = hasTime ? MAX_LOGIN_AGE_SECONDS : MAX_TOKEN_AGE_SECONDS;
  const isFuture = age < -CLOCK_TOLERANCE_SECONDS;
  if (forceLogin && (isFuture || age > maxAge + CLOCK_TOLERANCE_SECONDS))
    throw new SignOnError('signOnRefused', hasTime ? 'auth_time_not_recent' : 'iat_not_recent');
  return new Date(isFuture ? 0 : Math.min(seconds * 1_000, Date.now()));
}

function throwAs(...args: [SignOnError['refusal'], prefix?: string]) {
  return (error: unknown): never => {
    throw toSignOnError(error, ...args);
  };
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
