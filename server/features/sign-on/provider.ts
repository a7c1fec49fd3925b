import type * as OpenId from 'openid-client';
import { HOUR_MS } from '#contract/durations.ts';
import type { FlowSecrets } from './flow.ts';
import { createOutboundClient } from '#server/outbound/client.ts';
import { CallError } from '#server/outbound/errors.ts';

/** Seconds for which a login at the provider counts as recent. */
const RECENT_SECONDS = 300;
/** Time limit of each call of the provider, in seconds. */
const TIME_LIMIT_SECONDS = 8;
/** Difference of clocks that is forgiven, in seconds. */
const CLOCK_TOLERANCE_SECONDS = 30;
/** OpenID Connect allows 255 characters of ASCII. */
const SUBJECT = /^[\x21-\x7E]{1,255}$/;

export interface ProviderOptions {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Whether to ask for the user's groups. */
  needsGroups: boolean;
  /** Time limit of each call, in seconds. */
  timeLimitSeconds?: number;
}

/** Claims about a user, none of them checked but that the provider made them. */
export type Profile = Readonly<Record<string, unknown>>;

/** A user who proved to the provider who they are. */
export interface SignedOn {
  issuer: string;
  subject: string;
  /** When they proved it; the epoch if the provider does not say. */
  authenticatedAt: Date;
  /** Asks the provider what else it knows about them. */
  profile: () => Promise<Profile>;
}

/**
 * An OpenID Connect provider: authorization code flow with PKCE, `state` and `nonce`. It is called when
 * somebody signs in, never at the start. Every method throws a `SignOnError`.
 */
export class Provider {
  readonly #options: ProviderOptions;
  readonly #http = createProviderFetch();
  #known: { config: Promise<OpenId.Configuration>; until: number } | undefined;

  constructor(options: ProviderOptions) {
    this.#options = options;
  }

  /** Address at the provider where a browser goes; with `isAgain` its user proves who they are anew. */
  async begin(
    { state, nonce, verifier }: FlowSecrets,
    { redirectUri, isAgain }: { redirectUri: string; isAgain: boolean },
  ): Promise<string> {
    const config = await this.#discover();
    const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await import('openid-client');
    const { scopes_supported: scopes = [] } = config.serverMetadata();
    const wantsGroups = this.#options.needsGroups && scopes.includes('groups');
    return buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: `openid profile email${wantsGroups ? ' groups' : ''}`,
      state,
      nonce,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...(isAgain && { prompt: 'login', max_age: String(RECENT_SECONDS) }),
    }).href;
  }

  /** Exchanges the answer that a browser brought, as the whole address that it came to. */
  async finish(
    answer: URL,
    { state, nonce, verifier }: FlowSecrets,
    { isAgain }: { isAgain: boolean },
  ): Promise<SignedOn> {
    const config = await this.#discover();
    const { authorizationCodeGrant, fetchUserInfo } = await import('openid-client');
    const tokens = await authorizationCodeGrant(config, answer, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
      ...(isAgain && { maxAge: RECENT_SECONDS }),
    }).catch(failure);
    const claims = tokens.claims();
    if (!claims || !SUBJECT.test(claims.sub)) throw new SignOnError('refused', 'subject');
    const hasMore = config.serverMetadata().userinfo_endpoint !== undefined;
    return {
      issuer: config.serverMetadata().issuer,
      subject: claims.sub,
      authenticatedAt: timeOf(claims.auth_time),
      profile: async () => {
        if (!hasMore) return claims;
        const more = await fetchUserInfo(config, tokens.access_token, claims.sub).catch(failure);
        return { ...claims, ...more };
      },
    };
  }

  /** Breaks off the calls that are under way. */
  close(): Promise<void> {
    return this.#http.close();
  }

  /** The provider's own description, asked for once an hour; all who wait for it share one call. */
  #discover(): Promise<OpenId.Configuration> {
    if (this.#known && Date.now() < this.#known.until) return this.#known.config;
    const config = this.#askConfiguration().catch((error: unknown) => {
      this.#known = undefined;
      throw new SignOnError('unavailable', codeOf(error));
    });
    this.#known = { config, until: Date.now() + HOUR_MS };
    return config;
  }

  async #askConfiguration(): Promise<OpenId.Configuration> {
    const { issuer, clientId, clientSecret, timeLimitSeconds = TIME_LIMIT_SECONDS } = this.#options;
    const openid = await import('openid-client');
    const { allowInsecureRequests, enableNonRepudiationChecks } = openid;
    const authenticate: OpenId.ClientAuth = (server, ...rest) => {
      const { token_endpoint_auth_methods_supported: ways = ['client_secret_basic'] } = server;
      const way = ways.includes('client_secret_basic') ? 'ClientSecretBasic' : 'ClientSecretPost';
      openid[way](clientSecret)(server, ...rest);
    };
    return openid.discovery(
      new URL(issuer),
      clientId,
      { [openid.clockTolerance]: CLOCK_TOLERANCE_SECONDS },
      authenticate,
      {
        timeout: timeLimitSeconds,
        [openid.customFetch]: this.#http.fetch,
        execute: [
          enableNonRepudiationChecks,
          // The setting allows http on this machine alone.
          ...(issuer.startsWith('http:') ? [allowInsecureRequests] : []),
        ],
      },
    );
  }
}

function timeOf(seconds: unknown): Date {
  const isTime = typeof seconds === 'number' && seconds >= 0;
  return new Date(isTime ? Math.min(seconds * 1_000, Date.now()) : 0);
}

/** Throws what failed with its code alone: messages and causes of the library hold codes and tokens. */
function failure(error: unknown): never {
  const code = codeOf(error);
  throw new SignOnError(
    /^HTTP_5|TIMEOUT|^E[A-Z]+$|^UND_/.test(code) ? 'unavailable' : 'refused',
    code,
  );
}

function codeOf(error: unknown): string {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    // The provider's own word, such as `access_denied` or `invalid_client`.
    if ('error' in at && typeof at.error === 'string') return safe(at.error);
    if (at.name === 'CallError' && 'code' in at) return safe(String(at.code));
  }
  return error instanceof Error && 'code' in error ? safe(String(error.code)) : 'UNKNOWN';
}

function safe(code: string): string {
  return /^[\w.-]{1,64}$/.test(code) ? code : 'UNKNOWN';
}

/** Discovery documents and key sets have some 10 KB. */
const MAX_ANSWER_BYTES = 262_144;

/**
 * The `fetch` of the OpenID Connect library over the outbound client: bounded answers, no redirects. The
 * provider is the operator's choice, so it may be in a private network.
 */
function createProviderFetch(): { fetch: OpenId.CustomFetch; close: () => Promise<void> } {
  const client = createOutboundClient({ maxAnswerBytes: MAX_ANSWER_BYTES });
  return {
    fetch: async (url, { method, headers, body, signal }) => {
      const {
        status,
        headers: answered,
        text,
      } = await client.call({
        method: method as 'GET' | 'POST',
        url,
        headers: { ...headers, 'accept-encoding': 'identity' },
        ...(body != null && { text: String(body) }),
        signal: signal!,
      });
      if (status >= 500) throw new CallError(`HTTP_${status}`, true);
      const { 'content-type': type = '', 'www-authenticate': challenge } = answered;
      return new Response(text || null, {
        status,
        headers: { 'content-type': type, ...(challenge && { 'www-authenticate': challenge }) },
      });
    },
    close: () => client.close(),
  };
}

/** A single sign-on that came to nothing. Its code alone says why: other errors may hold secrets. */
export class SignOnError extends Error {
  override readonly name = 'SignOnError';
  /** Whether the provider gave no usable answer, or one that lets nobody in. */
  readonly kind: 'unavailable' | 'refused';
  readonly code: string;

  constructor(kind: 'unavailable' | 'refused', code: string) {
    super(`the single sign-on failed: ${code}`);
    this.kind = kind;
    this.code = code;
  }
}
