import { computed, signal } from '@preact/signals';
import { owner, type ResponseOf } from './api/api.ts';
import { readerName } from './display-name.ts';
import { actingFor } from './router.ts';
import { t } from './translate.ts';

type KeptAccounts = ResponseOf<typeof owner.accounts.listAccounts>;
export type KeptAccount = KeptAccounts['accounts'][number];

/** The person's own account first. Undefined until they are loaded. */
export const keptAccounts = signal<readonly KeptAccount[]>();

export async function loadKeptAccounts(): Promise<KeptAccounts> {
  const loaded = await owner.accounts.listAccounts();
  keptAccounts.value = loaded.accounts;
  return loaded;
}

/** With the name on the page, if any. */
export function accountTitle(account: AccountNames): string {
  return account.page_title ?? readerName({ ...account, email: null });
}

export function handleOf({ display_name: name }: Pick<KeptAccount, 'display_name'>): string {
  return name === null ? '' : `@${name}`;
}

type AccountNames = Pick<KeptAccount, 'display_name' | 'page_title'>;
type Face = AccountNames & Pick<KeptAccount, 'id'>;

/** Asks the person who is invited. An account with a login of its own invites for itself. */
export function keepTitle(account: Face, invitedBy: Face): string {
  if (account.id === invitedBy.id)
    return t('Look after {account}?', { account: accountTitle(account) });
  return t('Look after {account} with {name}?', {
    account: accountTitle(account),
    name: accountTitle(invitedBy),
  });
}

export function isActing({ id }: Pick<KeptAccount, 'id'>): boolean {
  return id === (actingFor ?? keptAccounts.value?.[0]?.id);
}

export const isOwner = computed(
  () => actingFor === undefined || keptAccounts.value?.find(isActing)?.owner === true,
);
