import { randomUUID } from 'node:crypto';
import type { clients } from '#contract/owner/clients.ts';
import { CLIENT_REFUSALS } from '#contract/owner/clients.ts';
import type { grants } from '#contract/owner/grants.ts';
import { deriveAddresses, followAddress, lacksPkce } from '#contract/shared/clients.ts';
import { logoPath } from '#contract/shared/instance.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import type { ReadDatabase, Transaction } from '#db/connections/handles.ts';
import { lockAccount } from '#db/queries/accounts.ts';
import { findMissingGroup } from '#db/queries/groups.ts';
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
import { copyPicture } from '../pictures/copy-picture.ts';
import { endGrants } from './grants.ts';
import type { OAuth } from './oauth.ts';
import { isAppRedirectUri, isWebsiteUri } from './redirect-uris.ts';
import { rotateSigningKeys } from './signing-keys.ts';

const refuseClient = createRefuser(CLIENT_REFUSALS);

export function clientsRoutes(app: Core & { oauth: OAuth }): Handlers<typeof clients> {
  const serializeClient = ({
    secret_hash,
    fetched_at: _fetchedAt,
    kind,
    logo_id,
    ...client
  }: ClientRow & { people: number }) => ({
    ...serializeTimes(client),
    kind: kind as 'website' | 'program',
    logo_url: serializeLogo(app, logo_id),
    has_secret: secret_hash !== null,
  });
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

    createClient: async ({ accountId, db, body: { logo_url, ...body }, refuse, audit }) => {
      if ((await countCreatedClients(db)) >= LIMITS.clients)
        throw refuse('clientLimitReached', { limit: LIMITS.clients });
      const { kind, address = null, software } = body;
      const derived = {
        ...deriveAddresses(software, address),
        requires_pkce: !lacksPkce(software),
      };
      const client = Object.assign(derived, body, { address });
      if (client.redirect_uris.length === 0) throw refuseClient('redirectUrisMissing');
      checkAddresses(kind, client);
      await checkGroups(db, body);
      const id = randomUUID();
      const secret = kind === 'website' ? createToken() : undefined;
      await insertClient(db, {
        ...client,
        ...(await buildLogo(db, { accountId, url: logo_url, currentId: null })),
        id,
        secret_hash: secret === undefined ? null : hashToken(secret),
      });
      audit({ detail: { website: body.name, client_id: id } });
      return { client: (await read(db, id))!, client_secret: secret ?? null };
    },

    updateClient: async ({ accountId, db, body, refuse, audit }) => {
      const { client_id, logo_url, ...sent } = body;
      const [client] = await listClients(db, client_id);
      if (!client) throw refuse('clientNotFound');
      const fields = {
        ...(sent.address && followAddress(client.software, client, sent.address)),
        ...sent,
      };
      checkAddresses(client.kind, fields);
      await checkGroups(db, fields, client);
      const logo = await buildLogo(db, { accountId, url: logo_url, currentId: client.logo_id });
      const uri = fields.backchannel_logout_uri;
      const isMoved = uri !== undefined && uri !== client.backchannel_logout_uri;
      const change = {
        ...fields,
        ...logo,
        ...(isMoved && { logout_failed_at: null, logout_error: null }),
      };
      if (Object.keys(change).length > 0) await updateClient(db, client_id, change);
      audit({ detail: { website: client.name, ...body, ...fields } });
      return { client: (await read(db, client_id))! };
    },

    rotateClientSecret: async ({ db, body: { client_id }, refuse, audit }) => {
      const client = await read(db, client_id);
      if (!client) throw refuse('clientNotFound');
      if (!client.has_secret) throw refuse('clientHasNoSecret');
      const secret = createToken();
      await updateClient(db, client_id, { secret_hash: hashToken(secret) });
      audit({ detail: { website: client.name, client_id } });
      return { client_secret: secret };
    },

    rotateSigningKeys: async ({ db, refuse }) => {
      if (!app.secretBox) throw refuse('encryptionKeyMissing');
      return { signs_from: (await rotateSigningKeys(db, app)).toISOString() };
    },

    deleteClient: async ({ db, body: { client_id }, refuse, audit }) => {
      const website = await deleteClient(db, client_id);
      if (website === undefined) throw refuse('clientNotFound');
      audit({ detail: { website, client_id } });
    },
  };
}

export function grantsRoutes(app: Core): Handlers<typeof grants> {
  return {
    listGrants: async ({ accountId, readDb }) => ({
      grants: (await listGrants(readDb, accountId)).map((grant) => serializeGrant(app, grant)),
    }),

    revokeGrant: async ({ accountId, credential, db, body: { client_id }, refuse }) => {
      await lockAccount(db, accountId);
      const chosen = { accountId, clientId: client_id, by: credentialId(credential) };
      if ((await endGrants(db, app, chosen)).length === 0) throw refuse('clientNotFound');
    },
  };
}

async function buildLogo(
  trx: Transaction,
  {
    accountId,
    url,
    currentId,
  }: { accountId: string; url: string | null | undefined; currentId: string | null },
): Promise<{ logo_id?: string | null; logo?: Buffer | null }> {
  if (url === undefined) return {};
  const copy = await copyPicture(trx, { accountId, url, currentId, size: 512 });
  if (!copy) throw refuseClient('logoNotFound');
  return copy === 'same' ? {} : { logo_id: copy.id, logo: copy.file };
}

/** Fields that are sent. */
type Fields = { [Name in keyof ClientRow]?: ClientRow[Name] | undefined };

function checkAddresses(
  kind: ClientRow['kind'],
  {
    address,
    redirect_uris: uris = [],
    post_logout_redirect_uris: signedOutUris = [],
    backchannel_logout_uri,
  }: Fields,
): void {
  const isTooLong = [...uris, ...signedOutUris, backchannel_logout_uri ?? ''].some(
    ({ length }) => length > LIMITS.url,
  );
  // What follows from a long address would be longer.
  if (address && (isTooLong || !isWebsiteUri(address))) throw refuseClient('addressUnusable');
  const isUsable = kind === 'program' ? isAppRedirectUri : isWebsiteUri;
  const uri = [...uris, ...signedOutUris].find((text) => !isUsable(text));
  if (uri !== undefined) throw refuseClient('redirectUriUnusable', { uri });
  if (
    backchannel_logout_uri &&
    !/^https?:\/\/[^\s#]+$/.test(URL.parse(backchannel_logout_uri)?.href ?? '')
  )
    throw refuseClient('logoutUriUnusable');
}

/** Groups that were deleted since may stay. */
async function checkGroups(db: ReadDatabase, fields: Fields, earlier: Fields = {}): Promise<void> {
  const { allowed_groups = [], shared_groups = [] } = fields;
  const next = { ...earlier, ...fields };
  const isChanged = 'allowed' in fields || 'allowed_groups' in fields;
  if (isChanged && next.allowed === 'groups' && next.allowed_groups?.length === 0)
    throw refuseClient('allowedGroupsMissing');
  const known = new Set([...(earlier.allowed_groups ?? []), ...(earlier.shared_groups ?? [])]);
  const added = [...allowed_groups, ...shared_groups].filter((id) => !known.has(id));
  if (await findMissingGroup(db, added)) throw refuseClient('groupNotFound');
}

const serializeLogo = (app: Core, id: string | null) => id && app.origin() + logoPath(id);

function serializeGrant(
  app: Core,
  { receiver_host, client_address, logo_id, ...grant }: ListedGrant,
) {
  const address = grant.client_kind === 'document' ? grant.client_id : client_address;
  const host = address === null ? receiver_host : new URL(address).host;
  const client_logo_url = serializeLogo(app, logo_id);
  return { ...serializeTimes(grant), client_logo_url, client_host: host };
}
