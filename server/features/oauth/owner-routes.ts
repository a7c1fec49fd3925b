import { randomUUID } from 'node:crypto';
import type { clients } from '#contract/owner/clients.ts';
import { CLIENT_REFUSALS } from '#contract/owner/clients.ts';
import type { grants } from '#contract/owner/grants.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import type { ReadDatabase } from '#db/connections/handles.ts';
import { lockAccount } from '#db/queries/accounts.ts';
import {
  type ClientRow,
  countCreatedClients,
  deleteClient,
  insertClient,
  listClients,
  updateClient,
} from '#db/queries/oauth-clients.ts';
import { type ListedGrant, listGrants } from '#db/queries/oauth-grants.ts';
import type { Core } from '#server/core.ts';
import { credentialId } from '#server/platform/caller.ts';
import type { Handlers } from '#server/platform/http/contract/register-contract.ts';
import { serializeTimes } from '#server/platform/http/responses/serialize-times.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import { createToken, hashToken } from '#server/platform/secrets/token.ts';
import { storeEvent } from '../events/log-event.ts';
import { endGrants } from './grants.ts';
import type { OAuth } from './oauth.ts';
import { isAppRedirectUri, isWebsiteUri } from './redirect-uris.ts';
import { rotateSigningKeys } from './signing-keys.ts';

const refuseClient = createRefuser(CLIENT_REFUSALS);

/** Where the software expects people after the sign-in, below its address. */
const REDIRECT_PATHS: Readonly<Partial<Record<ClientRow['software'], string>>> = {
  nextcloud: '/apps/user_oidc/code',
  gitea: '/user/oauth2/nameplate/callback',
  discourse: '/auth/oidc/callback',
};

export function clientsRoutes(app: Core & { oauth: OAuth }): Handlers<typeof clients> {
  const read = async (db: ReadDatabase, id: string) => {
    const [client] = await listClients(db, id);
    return client && serializeClient(client);
  };
  return {
    listClients: async ({ readDb }) => ({
      clients: (await listClients(readDb)).map(serializeClient),
      issuer: app.oauth.issuer ?? null,
    }),

    getClient: async ({ readDb, query: { client_id }, refuse }) => {
      const client = await read(readDb, client_id);
      if (!client) throw refuse('clientNotFound');
      return { client };
    },

    createClient: async ({ db, body, refuse, audit }) => {
      if ((await countCreatedClients(db)) >= LIMITS.clients)
        throw refuse('clientLimitReached', { limit: LIMITS.clients });
      const { kind, address = null, software, backchannel_logout_uri = null } = body;
      const path = REDIRECT_PATHS[software];
      const uris = body.redirect_uris ?? (address && path ? [withPath(address, path)] : undefined);
      if (!uris) throw refuseClient('redirectUrisMissing');
      checkAddresses(kind, { ...body, redirect_uris: uris });
      const id = randomUUID();
      const secret = kind === 'website' ? createToken() : undefined;
      await insertClient(db, {
        ...body,
        id,
        address,
        backchannel_logout_uri,
        redirect_uris: uris,
        secret_hash: secret === undefined ? null : hashToken(secret),
      });
      audit({ name: body.name, detail: { client_id: id } });
      return { client: (await read(db, id))!, client_secret: secret ?? null };
    },

    updateClient: async ({ db, body: { client_id, ...change }, refuse, audit }) => {
      const client = await read(db, client_id);
      if (!client) throw refuse('clientNotFound');
      checkAddresses(client.kind, change);
      if (Object.keys(change).length > 0)
        await updateClient(db, client_id, withoutUndefined(change));
      audit({ name: change.name ?? client.name, detail: { client_id, ...change } });
      return { client: (await read(db, client_id))! };
    },

    rotateClientSecret: async ({ db, body: { client_id }, refuse, audit }) => {
      const client = await read(db, client_id);
      if (!client) throw refuse('clientNotFound');
      if (!client.has_secret) throw refuse('clientHasNoSecret');
      const secret = createToken();
      await updateClient(db, client_id, { secret_hash: hashToken(secret) });
      audit({ name: client.name, detail: { client_id } });
      return { client_secret: secret };
    },

    rotateSigningKeys: async ({ db, refuse }) => {
      if (!app.secretBox) throw refuse('encryptionKeyMissing');
      return { signs_from: (await rotateSigningKeys(db, app)).toISOString() };
    },

    deleteClient: async ({ db, body: { client_id }, refuse, audit }) => {
      const name = await deleteClient(db, client_id);
      if (name === undefined) throw refuse('clientNotFound');
      audit({ name, detail: { client_id } });
    },
  };
}

export function grantsRoutes(app: Core): Handlers<typeof grants> {
  return {
    listGrants: async ({ accountId, readDb }) => ({
      grants: (await listGrants(readDb, accountId)).map(serializeGrant),
    }),

    revokeGrant: async ({ accountId, credential, db, body: { client_id }, refuse }) => {
      await lockAccount(db, accountId);
      const [ended] = await endGrants(db, app, { accountId, clientId: client_id });
      if (!ended) throw refuse('clientNotFound');
      const detail = { app: ended.client_name, by: credentialId(credential) };
      await storeEvent(db, app, { accountId, type: 'app_disconnected', detail });
    },
  };
}

type Addresses = Partial<
  Pick<
    ClientRow,
    'address' | 'redirect_uris' | 'post_logout_redirect_uris' | 'backchannel_logout_uri'
  >
>;

function checkAddresses(kind: ClientRow['kind'], addresses: Addresses | object): void {
  const { address, redirect_uris, post_logout_redirect_uris, backchannel_logout_uri } =
    addresses as Addresses;
  if (address && !isWebsiteUri(address)) throw refuseClient('addressUnusable');
  const isUsable = kind === 'program' ? isAppRedirectUri : isWebsiteUri;
  const uri = [...(redirect_uris ?? []), ...(post_logout_redirect_uris ?? [])].find(
    (text) => !isUsable(text),
  );
  if (uri !== undefined) throw refuseClient('redirectUriUnusable', { uri });
  if (
    backchannel_logout_uri &&
    !/^https?:\/\/[^\s#]+$/.test(URL.parse(backchannel_logout_uri)?.href ?? '')
  )
    throw refuseClient('logoutUriUnusable');
}

function withoutUndefined<T extends object>(
  fields: T,
): { [Name in keyof T]: Exclude<T[Name], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [Name in keyof T]: Exclude<T[Name], undefined> };
}

function withPath(address: string, path: string): string {
  return (address.endsWith('/') ? address.slice(0, -1) : address) + path;
}

function serializeClient({
  secret_hash,
  fetched_at: _fetchedAt,
  kind,
  ...client
}: ClientRow & { people: number }) {
  return {
    ...serializeTimes(client),
    kind: kind as 'website' | 'program',
    has_secret: secret_hash !== null,
  };
}

function serializeGrant({ receiver_host, client_address, ...grant }: ListedGrant) {
  const address = grant.client_kind === 'document' ? grant.client_id : client_address;
  const host = address === null ? receiver_host : new URL(address).host;
  return { ...serializeTimes(grant), client_host: host };
}
