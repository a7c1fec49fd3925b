import { createHmac } from 'node:crypto';
import type { InjectOptions } from 'light-my-request';
import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import { inAccountTransaction } from '#db/queries/accounts.ts';
import { getChallengeSecret } from '#db/queries/challenges.ts';
import {
  type AccountClaims,
  findAccountClaims,
  findOrCreateSubject,
} from '#db/queries/oauth-accounts.ts';
import { type ClientRow, findClient } from '#db/queries/oauth-clients.ts';
import { findGrantFor, touchGrant } from '#db/queries/oauth-grants.ts';
import { findGrantedAccess, findToken } from '#db/queries/oauth-tokens.ts';
import { findOpenSession } from '#db/queries/sessions.ts';
import type { Core } from '#server/core.ts';
import type { Caller } from '#server/platform/caller.ts';
import { parseJson } from '#server/platform/outbound/read-response.ts';
import { isToken } from '#server/platform/secrets/token.ts';
import { LOOPBACK } from '#server/platform/settings/loopback.ts';
import { type BrowserSession, browserSession, hashTokenId, isOperatorSession } from './adapter.ts';
import { ClientDocuments } from './client-documents.ts';
import { isWebsite } from './client-metadata.ts';
import { hasControlCharacter } from './control-characters.ts';
import { storeGrant } from './grants.ts';
import { toCallerScopes } from './oauth-scopes.ts';
import { createProvider, failures, FLOW_COOKIE, SESSION_COOKIE } from './provider.ts';
import { type SigningKey, SigningKeys } from './signing-keys.ts';

export interface ProviderRequest {
  method: 'GET' | 'POST' | 'OPTIONS';
  /** With the query. */
  path: string;
  headers: Readonly<Record<string, string | undefined>>;
  payload?: string;
}

export interface ProviderResponse {
  status: number;
  headers: Record<string, string>;
  cookies: string[];
  location: string | undefined;
  text: string;
  error: string | undefined;
}

type OAuthApp = Pick<
  Core,
  'allowances' | 'config' | 'db' | 'instanceStore' | 'jobs' | 'pagesOrigin' | 'secretBox'
>;

/** URLs of metadata documents are the longest. */
const MAX_CLIENT_ID = 500;

/** Other headers could change addresses in responses, or fake the session. */
const REQUEST_HEADERS = [
  'accept',
  'access-control-request-headers',
  'access-control-request-method',
  'authorization',
  'content-type',
  'origin',
];

const RESPONSE_HEADERS =
  /^(?:access-control-.*|cache-control|content-type|pragma|vary|www-authenticate)$/;

/**
 * The OpenID provider. Its library costs 16 MB and a quarter of a second, so it is loaded with the
 * first sign-in. Requests go to it within the process: the library must see neither the host that
 * the caller names nor the session cookie.
 */
export class OAuth {
  readonly #app: OAuthApp;
  readonly keys: SigningKeys;
  /** Tests replace it. */
  documents = new ClientDocuments();
  #running: { provider: Provider; keyId: string } | undefined;

  constructor(app: OAuthApp) {
    this.#app = app;
    this.keys = new SigningKeys(app);
  }

  /** Undefined if this server cannot be a provider: without a public URL, with http, without a key. */
  get issuer(): string | undefined {
    const { config, secretBox } = this.#app;
    if (config.PUBLIC_URL === undefined || !secretBox) return undefined;
    const { origin, protocol, hostname } = new URL(config.PUBLIC_URL);
    return protocol === 'https:' || LOOPBACK.test(hostname) ? origin : undefined;
  }

  /** What tokens of AI clients are for. */
  get resource(): string {
    return `${this.issuer}/mcp`;
  }

  /** Clients write the resource in several ways. The library would refuse all but one. */
  normalizeResources(params: URLSearchParams): void {
    const { issuer } = this;
    const known = new Set([`${issuer}/mcp`, `${issuer}/mcp/`, issuer, `${issuer}/`]);
    const uris = params.getAll('resource');
    params.delete('resource');
    for (const uri of new Set(uris.map((text) => (known.has(text) ? this.resource : text))))
      params.append('resource', uri);
  }

  /** Programs repeat at each refresh what they first asked for. The library would refuse that. */
  async dropUngrantedScopes(params: URLSearchParams): Promise<void> {
    const [scope = '', ...others] = params.getAll('scope');
    if (others.length > 0) return;
    const id = hashTokenId('RefreshToken', params.get('refresh_token') ?? '');
    const granted = String((await findToken(this.#app.db, id))?.payload['scope']).split(' ');
    const kept = scope.split(' ').filter((asked) => granted.includes(asked));
    if (kept.length > 0) params.set('scope', kept.join(' '));
  }

  async findClient(id: string): Promise<ClientRow | undefined> {
    if (id.length > MAX_CLIENT_ID || hasControlCharacter(id)) return undefined;
    return findClient(this.#app.db, id);
  }

  /** The client that starts a sign-in. Only there, its metadata document is fetched. */
  async findOrFetchClient(id: string, network: string): Promise<ClientRow | undefined> {
    if (!this.documents.isDocumentUrl(id)) return this.findClient(id);
    const { db, instanceStore } = this.#app;
    const serverName = instanceStore.current.name ?? '';
    return this.documents.find(db, id, { serverName, network });
  }

  /**
   * The account as the session may present it: a key of lower scope must not give an operator's
   * rights at websites. Nor does a session that ended.
   */
  async findAccount(
    subject: string,
    sessionId: string | undefined,
  ): Promise<AccountClaims | undefined> {
    const { db } = this.#app;
    const account = await findAccountClaims(db, subject);
    if (!account?.is_operator) return account;
    const session = sessionId === undefined ? undefined : await findOpenSession(db, sessionId);
    const mayOperate = session?.account_id === account.account_id && isOperatorSession(session);
    return { ...account, is_operator: mayOperate };
  }

  async loadProvider(): Promise<Provider> {
    const [keys, library] = await Promise.all([this.keys.listPrivate(), import('oidc-provider')]);
    const [{ kid }] = keys as [SigningKey];
    if (this.#running?.keyId === kid) return this.#running.provider;
    const secret = await getChallengeSecret(this.#app.db);
    const cookieKey = createHmac('sha256', secret).update('oauth cookies').digest('base64url');
    const provider = createProvider(library, { app: this.#app, oauth: this, keys, cookieKey });
    this.#running = { provider, keyId: kid };
    return provider;
  }

  /** The session with which the provider's flow runs. */
  async openSession(caller: Caller | undefined): Promise<BrowserSession | undefined> {
    if (caller?.credential.kind !== 'session') return undefined;
    const { db } = this.#app;
    const session = await findOpenSession(db, caller.credential.sessionId);
    return session && { ...session, subject: await findOrCreateSubject(db, caller.accountId) };
  }

  async call(request: ProviderRequest, session?: BrowserSession): Promise<ProviderResponse> {
    const [provider, { default: inject }] = await Promise.all([
      this.loadProvider(),
      import('light-my-request'),
    ]);
    const handle = provider.callback();
    const { host, protocol } = new URL(this.issuer!);
    const { method, path, payload } = request;
    const options: InjectOptions = {
      method,
      url: path,
      headers: { ...toProviderHeaders(request, session), host },
      ...(payload !== undefined && { payload }),
    };
    // Awaited inside, because the request begins when its result is awaited.
    const {
      raw,
      statusCode,
      headers,
      payload: text,
    } = await browserSession.run(
      session,
      async () =>
        await inject((incoming, response) => {
          Object.assign(incoming.socket, { encrypted: protocol === 'https:' });
          void handle(incoming as never, response as never);
        }, options),
    );
    const failure = failures.get(raw.req);
    if (failure) throw failure;
    if (statusCode >= 500) throw new Error(`The OpenID provider answered ${statusCode}.`);
    const listed = Object.entries(headers).filter(([name]) => RESPONSE_HEADERS.test(name));
    const cookies = [headers['set-cookie'] ?? []].flat();
    const location = headers.location?.toString();
    return {
      status: statusCode,
      headers: Object.fromEntries(listed.map(([name, value]) => [name, String(value)])),
      cookies: cookies.filter((cookie) => !/^nameplate-oauth[.=]/.test(cookie)),
      location,
      text,
      error: findError(location, text),
    };
  }

  /** The caller of `/mcp`. Looks at the grant each time, so that a withdrawal works at once. */
  async authenticate(token: string): Promise<Caller | undefined> {
    const { db } = this.#app;
    if (!isToken(token)) return undefined;
    const access = await findGrantedAccess(db, hashTokenId('AccessToken', token), this.resource);
    if (!access) return undefined;
    if (access.needs_touch) await touchGrant(db, access.grant_id);
    const [scope, ...moreScopes] = toCallerScopes(access.scopes, access.token_scope);
    return {
      accountId: access.account_id,
      actorId: access.actor_id,
      scope,
      moreScopes,
      credential: { kind: 'grant', grantId: access.grant_id, keyId: undefined },
    };
  }

  close(): Promise<void> {
    return this.documents.close();
  }

  /**
   * Resolves to the id of the grant with which a website needs no consent. Websites ask once, or
   * never. A new browser gets a grant of its own with the same scopes.
   */
  async findConsent(context: KoaContextWithOIDC): Promise<string | undefined> {
    const { client, params, session, requestParamOIDCScopes } = context.oidc;
    if (!client || !isWebsite(client) || !session?.accountId) return undefined;
    const { db } = this.#app;
    const { uid: sessionId, accountId: subject } = session;
    const { clientId } = client;
    const requested = [...requestParamOIDCScopes];
    const account = await findAccountClaims(db, subject);
    if (!account) return undefined;
    const { account_id } = account;
    return inAccountTransaction(db, account_id, async (trx) => {
      // The session, or the consent, may have ended while the lock was awaited.
      if (!(await findOpenSession(trx, sessionId))) return undefined;
      const earlier = await findGrantFor(trx, { accountId: account_id, clientId, sessionId });
      const covers =
        earlier !== undefined && requested.every((scope) => earlier.scopes.includes(scope));
      if (covers && earlier.session_id === sessionId) return earlier.id;
      if (!covers && client['asks_consent'] !== false) return undefined;
      return storeGrant(trx, this.#app, {
        accountId: account_id,
        actorId: account_id,
        clientId,
        scopes: covers ? earlier.scopes : requested,
        redirectUri: String(params?.['redirect_uri']),
        sessionId,
      });
    });
  }
}

/** The code of an error in a response, or in the address to which it leads. */
function findError(location: string | undefined, text: string): string | undefined {
  const error =
    location === undefined
      ? (parseJson(text) as { error?: unknown } | undefined)?.error
      : readParameter(location, 'error');
  if (error === undefined || error === null) return undefined;
  return typeof error === 'string' && /^[a-z_]{1,50}$/.test(error) ? error : 'invalid_request';
}

/** Also of the fragment, which the library uses for errors if the client asks for it. */
function readParameter(location: string, name: string): string | null | undefined {
  const url = URL.parse(location);
  return url?.searchParams.get(name) ?? new URLSearchParams(url?.hash.slice(1)).get(name);
}

function toProviderHeaders(
  { headers }: ProviderRequest,
  session: BrowserSession | undefined,
): Record<string, string> {
  const own = (headers['cookie'] ?? '')
    .split(/; */)
    .filter((cookie) => cookie.startsWith(FLOW_COOKIE));
  const cookies = session ? [...own, `${SESSION_COOKIE}=${session.id}`] : own;
  const passed = REQUEST_HEADERS.flatMap((name) => {
    const value = headers[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries(passed),
    ...(cookies.length > 0 && { cookie: cookies.join('; ') }),
  };
}
