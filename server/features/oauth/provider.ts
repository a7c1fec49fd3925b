import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type * as OidcProvider from 'oidc-provider';
import type { Client, Configuration, Provider } from 'oidc-provider';
import { type AccountClaims, findAccountClaims } from '#db/queries/oauth-accounts.ts';
import type { Core } from '#server/core.ts';
import { hashToken } from '#server/platform/secrets/token.ts';
import { browserSession, createAdapters, GRANT_SECONDS } from './adapter.ts';
import { CLAIMS, toClaims } from './claims.ts';
import { isWebsite, OWN_METADATA } from './client-metadata.ts';
import { endGrant } from './grants.ts';
import { APP_SCOPES, WEBSITE_SCOPES } from './oauth-scopes.ts';
import type { OAuth } from './oauth.ts';
import type { SigningKey } from './signing-keys.ts';

const MINUTE_S = 60;
const HOUR_S = 3_600;
const DAY_S = 86_400;

export const AUTH_METHODS = ['client_secret_basic', 'client_secret_post', 'none'] as const;

/** The browser never gets the cookie of the session, and what it sends is dropped. */
export const SESSION_COOKIE = 'nameplate-oauth';
export const FLOW_COOKIE = 'nameplate-flow';
export const RESUME_COOKIE = `${FLOW_COOKIE}-resume`;
/** What an AI client asked for. The server sets it, callers cannot. */
export const WANTED_SCOPE = 'nameplate_scope';

interface ProviderDeps {
  app: Pick<Core, 'allowances' | 'db' | 'pagesOrigin'>;
  oauth: Pick<OAuth, 'issuer' | 'resource' | 'findClient' | 'findAccount' | 'findConsent'>;
  keys: readonly SigningKey[];
  cookieKey: string;
}

/** Of a request to the library, which only answers that something went wrong. */
export const failures = new WeakMap<IncomingMessage, Error>();

/** The library's types leave it out. */
interface TokenOfSession {
  sessionUid?: string;
}

export function createProvider(library: typeof OidcProvider, deps: ProviderDeps): Provider {
  const provider = new library.Provider(deps.oauth.issuer!, createConfiguration(library, deps));
  const { Client } = provider as unknown as { Client: { prototype: Client } };
  // The stored secret is a hash.
  Client.prototype.compareClientSecret = function compareClientSecret(actual: string) {
    const stored = Buffer.from(this.clientSecret ?? '', 'hex');
    const hash = hashToken(actual);
    return stored.length === hash.length && timingSafeEqual(stored, hash);
  };
  provider.on('server_error', ({ req }, error) => failures.set(req, error));
  return provider;
}

function createConfiguration(library: typeof OidcProvider, deps: ProviderDeps): Configuration {
  const { app, oauth, keys, cookieKey } = deps;
  const { errors } = library;
  return {
    adapter: createAdapters({
      db: app.db,
      endGrant: (id) => endGrant(app, id),
      oauth,
      errors,
    }),
    jwks: { keys: [...keys] },
    claims: CLAIMS,
    // Also in the ID token, because some programs do not read the UserInfo endpoint.
    conformIdTokenClaims: false,
    clientAuthMethods: [...AUTH_METHODS],
    // Sandboxed pages, and the addresses of apps, have the origin `null`.
    clientBasedCORS: (_context, origin, client) =>
      origin !== 'null' &&
      client.redirectUris?.some((uri) => URL.parse(uri)?.origin === origin) === true,
    responseTypes: ['code'],
    scopes: [...WEBSITE_SCOPES, ...APP_SCOPES],
    subjectTypes: ['public'],
    extraParams: [WANTED_SCOPE],
    extraClientMetadata: { properties: OWN_METADATA },
    pkce: {
      required: (_context, client) =>
        !isWebsite(client) ||
        client.clientAuthMethod === 'none' ||
        client['requires_pkce'] !== false,
    },
    features: createFeatures(oauth, errors),
    rotateRefreshToken: true,
    // Websites revoke their tokens when people sign out there. The consent remains.
    revokeGrantPolicy: ({ oidc }) => oidc.route !== 'revocation' || !isWebsite(oidc.client!),
    issueRefreshToken: (_context, client) => client.grantTypeAllowed('refresh_token'),
    expiresWithSession: (context, token) =>
      isWebsite(context.oidc.client!) && !token.scopes.has('offline_access'),
    ttl: {
      AccessToken: HOUR_S,
      AuthorizationCode: MINUTE_S,
      Grant: GRANT_SECONDS,
      IdToken: HOUR_S,
      Interaction: HOUR_S,
      RefreshToken: 90 * DAY_S,
      Session: 90 * DAY_S,
    },
    cookies: {
      names: {
        session: SESSION_COOKIE,
        interaction: FLOW_COOKIE,
        resume: RESUME_COOKIE,
      },
      keys: [cookieKey],
      long: { signed: false },
      short: { signed: true, httpOnly: true, sameSite: 'lax' },
    },
    routes: ROUTES,
    interactions: {
      policy: createPolicy(library),
      url: (_context, { uid }) => `${ROUTES.authorization}/${uid}/consent`,
    },
    findAccount: async (context, subject, token) => {
      const { sessionUid = browserSession.getStore()?.id } = (token ?? {}) as TokenOfSession;
      // A program keeps its access when the session in which it got it ends.
      const isProgram = token !== undefined && !isWebsite(context.oidc.client!);
      const account = isProgram
        ? await findAccountClaims(app.db, subject)
        : await oauth.findAccount(subject, sessionUid);
      if (!account || !isAllowed(context.oidc.client, account)) return undefined;
      const sharedGroups = (context.oidc.client?.['shared_groups'] ?? []) as string[];
      const claims = toClaims(subject, account, { pagesOrigin: app.pagesOrigin(), sharedGroups });
      return { accountId: subject, claims: () => claims };
    },
    loadExistingGrant: async (context) => {
      const { result, client, session, provider } = context.oidc;
      const grantId = result?.consent?.grantId ?? (await oauth.findConsent(context));
      if (grantId === undefined) return undefined;
      session!.sidFor(client!.clientId, grantId);
      return provider.Grant.find(grantId);
    },
    renderError: (context, out) => {
      context.body = out;
    },
  };
}

export const ROUTES = {
  authorization: '/oauth/flow',
  token: '/oauth/token',
  userinfo: '/oauth/userinfo',
  introspection: '/oauth/introspect',
  revocation: '/oauth/revoke',
  jwks: '/oauth/jwks',
  end_session: '/oauth/logout',
} as const;

function createFeatures(
  { resource }: ProviderDeps['oauth'],
  errors: typeof OidcProvider.errors,
): Configuration['features'] {
  return {
    devInteractions: { enabled: false },
    dPoP: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    // A page of ours, and a job that repeats failed calls.
    rpInitiatedLogout: { enabled: false },
    backchannelLogout: { enabled: true },
    introspection: { enabled: true, allowedPolicy: isOwnToken },
    revocation: { enabled: true, allowedPolicy: isOwnToken },
    resourceIndicators: {
      enabled: true,
      // For websites, it would make the UserInfo endpoint refuse the token.
      defaultResource: (_context, client, oneOf) =>
        oneOf?.[0] ?? (client && !isWebsite(client) ? resource : []),
      useGrantedResource: () => true,
      getResourceServerInfo: (_context, indicator, client) => {
        if (indicator !== resource || isWebsite(client)) throw new errors.InvalidTarget();
        return {
          scope: APP_SCOPES.join(' '),
          audience: resource,
          accessTokenFormat: 'opaque',
          accessTokenTTL: HOUR_S,
        };
      },
    },
  };
}

const isOwnToken = (_context: unknown, client: Client, token: { clientId?: string | undefined }) =>
  token.clientId === client.clientId;

/** After the login and before the consent: whether the account may use the website. */
function createPolicy({ interactionPolicy }: typeof OidcProvider) {
  const { base, Check, Prompt } = interactionPolicy;
  const policy = base();
  const isDenied = new Check(
    'not_allowed',
    'the account may not use this website',
    'access_denied',
    ({ oidc }) => !oidc.account,
  );
  policy.add(new Prompt({ name: 'access', requestable: false }, isDenied), 1);
  return policy;
}

function isAllowed(client: Client | undefined, account: AccountClaims): boolean {
  if (client?.['allowed'] === 'operators') return account.is_operator;
  const allowed = client?.['allowed_groups'] as readonly string[] | undefined;
  return client?.['allowed'] !== 'groups' || account.groups.some(({ id }) => allowed?.includes(id));
}
