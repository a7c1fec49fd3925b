import type { AdapterPayload, Client } from 'oidc-provider';
import type { ClientRow } from '#db/queries/oauth-clients.ts';

/** Properties of our own. The library keeps their names. */
export const OWN_METADATA = [
  'client_kind',
  'requires_pkce',
  'asks_consent',
  'allowed',
  'allowed_groups',
  'shared_groups',
];

/** The secret is its hash (see `compareClientSecret` in `provider.ts`). */
export function toClientMetadata(client: ClientRow): AdapterPayload {
  const { secret_hash: secretHash, backchannel_logout_uri } = client;
  return {
    client_id: client.id,
    client_name: client.name,
    // Native apps are asked every time, and may use any port of this computer.
    application_type: client.kind === 'website' ? 'web' : 'native',
    redirect_uris: client.redirect_uris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    response_modes: ['query'],
    ...(secretHash
      ? {
          token_endpoint_auth_method: 'client_secret_basic',
          client_secret: secretHash.toString('hex'),
        }
      : { token_endpoint_auth_method: 'none' }),
    ...(backchannel_logout_uri !== null && {
      backchannel_logout_uri,
      backchannel_logout_session_required: true,
    }),
    client_kind: client.kind,
    requires_pkce: client.requires_pkce,
    asks_consent: client.asks_consent,
    allowed: client.allowed,
    allowed_groups: client.allowed_groups,
    shared_groups: client.shared_groups,
  } as AdapterPayload;
}

export function isWebsite(client: Client): boolean {
  return client['client_kind'] === 'website';
}
