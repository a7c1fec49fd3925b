import { randomUUID } from 'node:crypto';
import type { Language } from '#contract/shared/languages.ts';
import { insertAccount } from '#db/queries/accounts.ts';
import { upsertSite } from '#db/queries/sites.ts';
import { insertFirstOperator } from '#db/queries/operators.ts';
import type { Transaction } from '#db/connections/handles.ts';
import { createApiKey } from '../keys/manage-keys.ts';
import { claimName, type NameServices } from '../names/change-display-name.ts';
import { parseDisplayName } from '../names/display-name.ts';

export interface NewAccount {
  account_id: string;
  display_name: string | null;
  is_operator: boolean;
  /** Shown once; only a hash is stored. */
  api_key: string;
}

export async function createAccount(
  trx: Transaction,
  app: NameServices,
  displayName: string | null,
): Promise<NewAccount> {
  const account = await insertNamedAccount(trx, app, displayName);
  return { ...account, api_key: await createFirstKey(trx, account.account_id) };
}

/** The page starts in `language`, with `title` instead of the display name. */
export async function insertNamedAccount(
  trx: Transaction,
  { config, forwarding, isReserved }: NameServices,
  displayName: string | null,
  { language = null, title = null }: { language?: Language | null; title?: string | null } = {},
): Promise<Omit<NewAccount, 'api_key'>> {
  const name = displayName === null ? null : parseDisplayName(displayName, isReserved);
  const account = await insertAccountRow(trx);
  const accountId = account.account_id;
  // Pages without a language are English.
  const settings =
    language !== null && language !== 'en'
      ? { id: randomUUID(), position: 0, fields: { lang: language } }
      : undefined;
  if (settings || title !== null)
    await upsertSite(trx, accountId, { settings, display_name: title ?? undefined });
  if (name !== null) {
    await claimName(trx, config, { accountId, name });
    await forwarding.enqueueSync(trx, name);
  }
  return { ...account, display_name: name };
}

export async function insertAccountWithKey(
  trx: Transaction,
): Promise<Omit<NewAccount, 'display_name'>> {
  const account = await insertAccountRow(trx);
  return { ...account, api_key: await createFirstKey(trx, account.account_id) };
}

async function insertAccountRow(
  trx: Transaction,
): Promise<Pick<NewAccount, 'account_id' | 'is_operator'>> {
  const account_id = await insertAccount(trx);
  return { account_id, is_operator: await insertFirstOperator(trx, account_id) };
}

async function createFirstKey(trx: Transaction, accountId: string): Promise<string> {
  const { api_key } = await createApiKey(trx, { accountId, label: 'first key' });
  return api_key;
}
