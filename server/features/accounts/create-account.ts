import { randomUUID } from 'node:crypto';
import type { Language } from '#contract/shared/languages.ts';
import type { Transaction } from '#db/connections/handles.ts';
import { insertAccount } from '#db/queries/accounts.ts';
import { insertFirstOperator } from '#db/queries/operators.ts';
import { upsertSite } from '#db/queries/sites.ts';
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

/** How the page of a new account starts: in `language`, with `title` instead of the display name. */
export interface FirstPage {
  language?: Language | null | undefined;
  title?: string | null | undefined;
}

export async function insertNamedAccount(
  trx: Transaction,
  app: NameServices,
  displayName: string | null,
  page: FirstPage = {},
): Promise<Pick<NewAccount, 'account_id'>> {
  const name = displayName === null ? null : parseDisplayName(displayName, app.names.isReserved);
  const account_id = await insertAccountRow(trx);
  if (name !== null) await claimName(trx, app.config, { accountId: account_id, name });
  await startAccount(trx, app, { account_id, display_name: name }, page);
  return { account_id };
}

/** For an account that has its name. */
export async function startAccount(
  trx: Transaction,
  app: NameServices,
  member: { account_id: string; display_name: string | null },
  { language = null, title = null }: FirstPage,
): Promise<void> {
  // Pages without a language are English.
  const settings =
    language !== null && language !== 'en'
      ? { id: randomUUID(), position: 0, fields: { lang: language } }
      : undefined;
  if (settings || title !== null)
    await upsertSite(trx, member.account_id, { settings, display_name: title ?? undefined });
  if (member.display_name !== null)
    await app.react(trx, 'nameChanged', {
      accountId: member.account_id,
      from: null,
      to: member.display_name,
    });
  await logServerEvent(trx, app, 'member_joined', member);
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
