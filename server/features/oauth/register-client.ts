import { randomUUID } from 'node:crypto';
import type { Database } from '#db/connections/handles.ts';
import { deleteUnusedBeyond, insertClient } from '#db/queries/oauth-clients.ts';
import { createToken, hashToken } from '#server/platform/secrets/token.ts';
import { toSeconds } from './adapter.ts';
import { readClientName } from './client-name.ts';
import { findReceiverHost, isAppRedirectUri, isOnThisComputer } from './redirect-uris.ts';

const MAX_UNUSED = 1_000;
const MAX_REDIRECT_URIS = 10;

type RegistrationError = { error: string; error_description: string };

/**
 * Dynamic Client Registration (RFC 7591) for AI clients. Anyone can register, so nothing is stored
 * but the name and the addresses, and the oldest client that nobody used makes room for a new one.
 */
export async function registerClient(
  db: Database,
  metadata: unknown,
  serverName: string,
): Promise<{ client: Record<string, unknown> } | RegistrationError> {
  const fields = typeof metadata === 'object' && metadata !== null ? metadata : {};
  const {
    redirect_uris: uris,
    client_name = '',
    token_endpoint_auth_method: method = 'none',
    response_types = ['code'],
  } = fields as Record<string, unknown>;
  if (!Array.isArray(uris) || uris.length === 0 || uris.length > MAX_REDIRECT_URIS)
    return invalid(
      'invalid_redirect_uri',
      `redirect_uris must have 1 to ${MAX_REDIRECT_URIS} addresses.`,
    );
  if (!uris.every(isAppRedirectUri))
    return invalid(
      'invalid_redirect_uri',
      'redirect_uris must be https, http at a loopback address, or a scheme of the app, without a fragment.',
    );
  const name = readClientName(client_name, serverName);
  if (name === undefined)
    return invalid('invalid_client_metadata', 'client_name must not look like one of this server.');
  if (![response_types].flat().includes('code'))
    return invalid('invalid_client_metadata', 'response_types must contain code.');
  const secret = isSecretMethod(method) ? createToken() : undefined;
  const id = randomUUID();
  await insertClient(db, {
    id,
    kind: 'registered',
    name: name || nameByUri(uris[0]!),
    redirect_uris: uris,
    secret_hash: secret === undefined ? null : hashToken(secret),
  });
  await deleteUnusedBeyond(db, 'registered', MAX_UNUSED);
  return {
    client: {
      client_id: id,
      client_id_issued_at: toSeconds(new Date()),
      ...(secret !== undefined && { client_secret: secret, client_secret_expires_at: 0 }),
      client_name: name || nameByUri(uris[0]!),
      redirect_uris: uris,
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: secret === undefined ? 'none' : method,
    },
  };
}

function isSecretMethod(method: unknown): boolean {
  return method === 'client_secret_basic' || method === 'client_secret_post';
}

function nameByUri(uri: string): string {
  const { host, protocol } = new URL(uri);
  return findReceiverHost(uri) ?? (isOnThisComputer(uri) ? host : protocol.slice(0, -1));
}

function invalid(error: string, description: string): RegistrationError {
  return { error, error_description: description };
}
