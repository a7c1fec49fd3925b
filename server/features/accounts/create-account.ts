import { randomUUID } from 'node:crypto';
import type { Language } from '#contract/shared/languages.ts';
import { insertAccount } from '#db/queries/accounts.ts';
import { upsertSite } from '#db/queries/sites.ts';
import { insertFirstOperator } from '#db/queries/operators.ts';
import type { Transaction } from '#db/connections/handles.ts';
import { logServerEvent } from '../events/log-event.ts';
import { createApiKey } from '../keys/manage-keys.ts';
import { claimName, type NameServices } from '../names/change-display-name.ts';
import { parseDisplayName } from '../names/display-name.ts';

interface NewAccount {
  account_id: string;
  /** Shown once; only a hash is stored. */
  api_key: string;
}

export async function createAccount(
  trx: Transaction,
  app: NameServices,
  displayName: string | null,
): Promise<NewAccount> {
  return addFirstKey(trx, await insertNamedAccount(trx, app, displayName));
}

/** The page starts in `language`, with `title` instead of the display name. */
export async function insertNamedAccount(
  trx: Transaction,
  app: NameServices,
  displayName: string | null,
  { language = null, title = null }: { language?: Language | null; title?: string | null } = {},
): Promise<Pick<NewAccount, 'account_id'>> {
  const name = displayName === null ? null : parseDisplayName(displayName, app.isReserved);
  const accountId = await insertAccountRow(trx);
  // Pages without a language are English.
  const settings =
    language !== null && language !== 'en'
      ? { id: randomUUID(), position: 0, fields: { lang: language } }
      : undefined;
  if (settings || title !== null)
    await upsertSite(trx, accountId, { settings, display_name: title ?? undefined });
  if (name !== null) {
    await claimName(trx, app.config, { accountId, name });
    await app.forwarding.enqueueSync(trx, name);
  }
  const member = { account_id: accountId, display_name: name };
  await logServerEvent(trx, app, 'member_joined', member);
  return { account_id: accountId };
}

export async function insertAccountWithKey(trx: Transaction): Promise<NewAccount> {
  return addFirstKey(trx, { account_id: await insertAccountRow(trx) });
}

async function insertAccountRow(trx: Transaction): Promise<string> {
  const accountId = await insertAccount(trx);
  await insertFirstOperator(trx, accountId);
  return accountId;
}

async function addFirstKey(
  trx: Transaction,
  { account_id }: Pick<NewAccount, 'account_id'>,
): Promise<NewAccount> {
  const { api_key } = await createApiKey(trx, { accountId: account_id, label: 'first key' });
  return { account_id, api_key };
}
