import { UNREADABLE_CONNECTION_REFUSALS } from '#contract/owner/connections.ts';
import type { ConnectionRow } from '#db/queries/connections.ts';
import type { Core } from '#server/core.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import type { OpenReceiver } from './kinds/connection-kind.ts';
import { KINDS } from './kinds/index.ts';

const refuse = createRefuser(UNREADABLE_CONNECTION_REFUSALS);

type Sealer = Pick<Core, 'config' | 'secretBox'>;
type RowId = Pick<ConnectionRow, 'account_id' | 'id'>;

/**
 * Binds the ciphertext to its row, so that it cannot be decrypted in another row. Webhooks that the
 * first version stored have the same context.
 */
export function urlContext({ account_id, id }: RowId): string {
  return `chat_webhooks ${account_id} ${id}`;
}

export function secretContext({ account_id, id }: RowId): string {
  return `connections ${account_id} ${id}`;
}

/** Returns undefined if the URL cannot be read or is no longer allowed. */
export function openUrl({ config, secretBox }: Sealer, row: ConnectionRow): string | undefined {
  const { url } = KINDS[row.kind];
  const text = row.encrypted_url && secretBox?.open(row.encrypted_url, urlContext(row));
  return url && text ? url.parse(config, text) : undefined;
}

export function isFormerSecretValid({ former_secret_until }: ConnectionRow): boolean {
  return former_secret_until !== null && former_secret_until > new Date();
}

/** Refuses a connection that cannot be read. */
export function openReceiver(app: Sealer, row: ConnectionRow): OpenReceiver {
  const { url: urlOptions, token: form = /^/ } = KINDS[row.kind];
  const url = urlOptions ? openUrl(app, row) : '';
  const former = isFormerSecretValid(row) ? row.encrypted_former_secret : null;
  const sealed = [row.encrypted_secret, former];
  const secrets = sealed
    .filter((secret) => secret !== null)
    .map((secret) => app.secretBox?.open(secret, secretContext(row)));
  if (url === undefined || !secrets.every((secret) => secret !== undefined && form.test(secret)))
    throw refuse('connectionUnreadable');
  const { id, kind, account_id: accountId } = row;
  return { id, kind, accountId, url, secrets: secrets as string[] };
}
