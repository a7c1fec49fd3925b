import { AsyncLocalStorage } from 'node:async_hooks';
import { hash } from 'node:crypto';
import type { Adapter, AdapterPayload, errors as Errors } from 'oidc-provider';
import type { Database } from '#db/connections/handles.ts';
import { findOrCreateSubject } from '#db/queries/oauth-accounts.ts';
import { type ClientRow, touchClient } from '#db/queries/oauth-clients.ts';
import {
  findGrant,
  type GrantRow,
  listSessionGrants,
  touchGrant,
} from '#db/queries/oauth-grants.ts';
import {
  consumeToken,
  deleteToken,
  deleteTokensOfGrant,
  findToken,
  storeToken,
} from '#db/queries/oauth-tokens.ts';
import { findOpenSession, type OpenSession } from '#db/queries/sessions.ts';
import { toClientMetadata } from './client-metadata.ts';
import { APP_SCOPES } from './oauth-scopes.ts';

/** Grants end when they are withdrawn. The library wants a time: ten years. */
export const GRANT_SECONDS = 315_360_000;

/** Our session in the browser that sends the request. */
export interface BrowserSession extends OpenSession {
  subject: string;
}

export function isOperatorSession({ scope }: Pick<OpenSession, 'scope'>): boolean {
  return (scope ?? 'operator') === 'operator';
}

/**
 * The library's session is ours: it has no row and no cookie of its own, so it ends with ours and
 * belongs to the same account.
 */
export const browserSession = new AsyncLocalStorage<BrowserSession | undefined>();

interface AdapterDeps {
  db: Database;
  endGrant: (id: string) => Promise<void>;
  oauth: { resource: string; findClient: (id: string) => Promise<ClientRow | undefined> };
  errors: typeof Errors;
}

export function createAdapters(deps: AdapterDeps): (kind: string) => Adapter {
  return (kind) => ({ ...createTokenAdapter(deps, kind), ...ADAPTERS[kind]?.(deps) });
}

/** Only a hash of the token is stored. The library puts tokens into `jti`. */
function createTokenAdapter({ db, errors }: AdapterDeps, kind: string): Adapter {
  const hashOf = (id: string) => hashTokenId(kind, id);
  return {
    upsert: async (id, { jti: _token, ...payload }, seconds = 60) => {
      const { grantId, clientId } = payload;
      // An interaction names an earlier grant, with which it need not end.
      const ownGrantId = kind === 'Interaction' ? null : (grantId ?? null);
      const token = { idHash: hashOf(id), kind, grantId: ownGrantId, payload, seconds };
      if (!(await storeToken(db, token))) throw new errors.InvalidGrant('grant not found');
      if (kind !== 'AccessToken' || !ownGrantId || clientId === undefined) return;
      await touchGrant(db, ownGrantId);
      await touchClient(db, clientId);
    },
    find: async (id) => {
      const token = await findToken(db, hashOf(id));
      return token && { ...token.payload, jti: id, ...(token.is_consumed && { consumed: true }) };
    },
    consume: async (id) => {
      if (!(await consumeToken(db, hashOf(id)))) throw new errors.InvalidGrant('already used');
    },
    destroy: (id) => deleteToken(db, hashOf(id)),
    revokeByGrantId: (grantId) => deleteTokensOfGrant(db, grantId),
    findByUid: () => Promise.resolve(undefined),
    findByUserCode: () => Promise.resolve(undefined),
  };
}

export function hashTokenId(kind: string, id: string): Buffer {
  return hash('sha256', `${kind} ${id}`, 'buffer');
}

const ADAPTERS: Readonly<Record<string, (deps: AdapterDeps) => Partial<Adapter>>> = {
  Client: ({ oauth }) => ({
    find: async (id) => {
      const client = await oauth.findClient(id);
      return client && toClientMetadata(client);
    },
  }),
  Grant: ({ db, endGrant, oauth }) => ({
    upsert: () => Promise.reject(new Error('grants are created with the consent')),
    find: async (id) => {
      const grant = await findGrant(db, id);
      return grant && toGrantPayload(grant, oauth.resource);
    },
    destroy: endGrant,
  }),
  // Two clicks on "Allow" answer the same question. It expires within the hour.
  Interaction: () => ({ destroy: () => Promise.resolve() }),
  Session: ({ db }) => ({
    upsert: () => Promise.resolve(),
    destroy: () => Promise.resolve(),
    find: (id) => {
      const session = browserSession.getStore();
      return Promise.resolve(session && { ...toSessionPayload(session), jti: id });
    },
    findByUid: async (uid) => {
      const session = await findOpenSession(db, uid);
      if (!session) return undefined;
      const subject = await findOrCreateSubject(db, session.account_id);
      const grants = await listSessionGrants(db, uid);
      const authorizations = Object.fromEntries(
        grants.map(({ id, client_id }) => [client_id, { grantId: id, sid: id }]),
      );
      return { ...toSessionPayload({ ...session, subject }), jti: uid, authorizations };
    },
  }),
};

function toSessionPayload({ id, subject, authenticated_at }: BrowserSession): AdapterPayload {
  return {
    kind: 'Session',
    uid: id,
    accountId: subject,
    loginTs: toSeconds(authenticated_at),
    ...lifetime(new Date()),
  };
}

/** What an app did not get counts as rejected, otherwise the library would ask again forever. */
function toGrantPayload(grant: GrantRow, resource: string): AdapterPayload {
  const { id, subject, client_id: clientId, scopes, created_at } = grant;
  const isApp = scopes.includes('read');
  const granted = [...scopes, ...(isApp ? ['offline_access'] : [])].join(' ');
  const rejected = APP_SCOPES.filter((scope) => !scopes.includes(scope)).join(' ');
  const payload: AdapterPayload = { kind: 'Grant', jti: id, accountId: subject, clientId };
  return {
    ...payload,
    ...lifetime(created_at),
    openid: { scope: granted },
    ...(isApp && {
      resources: { [resource]: granted },
      rejected: { openid: { scope: rejected }, resources: { [resource]: rejected } },
    }),
  } as AdapterPayload;
}

function lifetime(startedAt: Date) {
  const iat = toSeconds(startedAt);
  return { iat, exp: iat + GRANT_SECONDS };
}

export const toSeconds = (time: Date): number => Math.floor(time.getTime() / 1_000);
