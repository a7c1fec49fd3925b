import { owner } from '#dashboard/api/api.ts';
import { confirm } from '#dashboard/components/confirm.tsx';
import { showTextDialog } from '#dashboard/components/form-dialog.tsx';
import { isOperator } from '#dashboard/current-account.ts';
import { displayName } from '#dashboard/display-name.ts';
import { isOn } from '#dashboard/facts.ts';
import { accountTitle, type KeptAccount, loadKeptAccounts } from '#dashboard/kept-accounts.ts';
import { actingFor, pathFor } from '#dashboard/router.ts';
import { currentAccountId, leaveDeletedAccount } from '#dashboard/session.ts';
import { formatList, t } from '#dashboard/translate.ts';
import { describeGroups } from '../mail/forwarding-text.ts';
import { SettingRow } from './setting-row.tsx';

export function DeleteAccount() {
  return (
    <SettingRow
      title={t('Delete my account')}
      text={t('Deletes your name, your page and everything else, for good.')}
      open={() => void deleteAccount()}
      isDangerous
    />
  );
}

const listKept = () =>
  loadKeptAccounts().then(
    ({ accounts }) => accounts.slice(1),
    () => [],
  );

/** Only its owner, who is suspended if it is somebody else, can invite others. */
async function handOverFirst(account: KeptAccount): Promise<void> {
  const names = { account: accountTitle(account) };
  const isConfirmed = await confirm({
    title: account.owner
      ? t('Hand {account} over first', names)
      : t('{account} needs its owner first', names),
    text: account.owner
      ? t(
          'Nobody else can sign in for it. Invite somebody and hand it over, or delete it in its Settings. Then you can delete your own account.',
        )
      : t(
          'Nobody else can sign in for it while its owner is suspended. Ask an operator to resume the owner, or to make you the owner. Then you can delete your own account.',
        ),
    action: t('Open its keepers'),
    isDangerous: false,
  });
  if (isConfirmed) location.assign(`${pathFor(account.id)}keepers`);
}

function describeKept(kept: readonly KeptAccount[]): string {
  if (kept.length === 0) return '';
  return t('You also stop looking after {accounts}. Others go on with that.', {
    accounts: formatList(kept.map(accountTitle)),
  });
}

/** The user has to type the name of the account, and needs a recent login. */
async function deleteAccount(): Promise<void> {
  const kept = isOn('keepers') && actingFor === undefined ? await listKept() : [];
  const onlyMine = kept.find(({ only_keeper: isOnly }) => isOnly);
  if (onlyMine) return handOverFirst(onlyMine);
  const { group_addresses } = await owner.forwarding
    .getForwarding()
    .catch(() => ({ group_addresses: [] }));
  const read = group_addresses.filter(({ state }) => state !== 'stopped');
  const emailsOf = (groups: typeof read) => groups.map(({ email }) => email);
  const unread = read.filter(({ readers }) => readers.length === 0);
  const text = t(
    'Your name, your page and everything else in your account will be deleted at once. You cannot undo this. Export your data first if you want to keep it.',
  );
  void showTextDialog({
    title: t('Delete your account?'),
    text: [text, describeGroups(emailsOf(read), emailsOf(unread)), describeKept(kept)].join(' '),
    field: {
      name: 'confirm',
      label: t('Type {name} to confirm', {
        name: displayName.value || (actingFor ?? currentAccountId.value!),
      }),
      autocomplete: 'off',
      spellcheck: false,
    },
    submitLabel: t('Delete my account'),
    isDangerous: true,
    onSubmit: async (typed) => {
      await owner.account.deleteAccount({ confirm: typed });
      if (actingFor === undefined) leaveDeletedAccount();
      else location.assign('/dashboard/');
    },
    render: (input) => (
      <>
        {isOperator.value && (
          <p class="note">
            {t('The only operator cannot leave: make another member an operator first.')}
          </p>
        )}
        {input}
      </>
    ),
  });
}
