import { signal } from '@preact/signals';
import { owner } from '#dashboard/api/api.ts';
import { confirm } from '#dashboard/components/confirm.tsx';
import { Field } from '#dashboard/components/field.tsx';
import { showFormDialog } from '#dashboard/components/form-dialog.tsx';
import { showMessage, showMessageIn, withErrorMessage } from '#dashboard/components/messages.tsx';
import { RadioCards } from '#dashboard/components/radio-cards.tsx';
import { accountTitle, handleOf, isActing, loadKeptAccounts } from '#dashboard/kept-accounts.ts';
import { actingFor } from '#dashboard/router.ts';
import { leaveSession } from '#dashboard/session.ts';
import { t } from '#dashboard/translate.ts';
import type { Keeper } from './keepers.tsx';

export async function withdraw(
  { account_id }: Pick<Keeper, 'account_id'>,
  onChange: () => void,
): Promise<void> {
  if (await withErrorMessage(owner.keepers.removeKeeper({ account_id }))) onChange();
}

export async function leave({ account_id, keys, connections, apps }: Keeper): Promise<void> {
  const ends = [...keys, ...connections, ...apps];
  const left = (await withErrorMessage(loadKeptAccounts()))?.accounts.find(isActing);
  if (!left) return;
  const account = accountTitle(left);
  const isConfirmed = await confirm({
    title: t('Leave {account}?', { account }),
    text: (
      <>
        {t('You are out right away. What you changed stays.')} <Ending names={ends} />
      </>
    ),
    action: t('Leave'),
  });
  if (!isConfirmed || !(await withErrorMessage(owner.keepers.removeKeeper({ account_id })))) return;
  showMessageIn(
    '/dashboard/keepers',
    t('You left {account}. This is your own account.', { account }),
  );
}

function Ending({ names }: { names: readonly string[] }) {
  if (names.length === 0) return null;
  return t('These keys, connections and apps end: {names}.', { names: names.join(', ') });
}

/** Keys and connections end, unless somebody else gets them. */
export async function remove(
  keeper: Keeper,
  others: readonly Keeper[],
  onChange: () => void,
): Promise<void> {
  const { account_id, keys, connections, apps } = keeper;
  const name = accountTitle(keeper);
  const made = [...keys, ...connections];
  const handTo = signal('');
  await showFormDialog({
    title: t('Remove {name}?', { name }),
    text: (
      <>
        {t('{name} is out right away. What {name} changed stays.', { name })}{' '}
        {apps.length > 0 && t('These apps end: {names}.', { names: apps.join(', ') })}
      </>
    ),
    fields: ['hand_to'],
    submitLabel: t('Remove'),
    isDangerous: true,
    onSubmit: async () => {
      await owner.keepers.removeKeeper({
        account_id,
        ...(handTo.value && { hand_to: handTo.value }),
      });
      showMessage(t('Removed {name}.', { name }));
      onChange();
    },
    render: () =>
      made.length > 0 && (
        <Field
          name="hand_to"
          label={t('Keys and connections of {name}: {made}', { name, made: made.join(', ') })}
          hint={handTo.value && t('{name} still knows these keys. Replace them soon.', { name })}
          value={handTo.value}
          onValue={(value) => (handTo.value = value)}
          options={[
            ['', t('End them')],
            ...others.map(
              (other) =>
                [other.account_id, t('Hand to {name}', { name: accountTitle(other) })] as const,
            ),
          ]}
        />
      ),
  });
}

export async function handOver(keepers: readonly Keeper[], onChange: () => void): Promise<void> {
  const chosen = signal(keepers[0]!.account_id);
  const isOwn = actingFor === undefined;
  await showFormDialog({
    title: t('Hand the account over'),
    text: isOwn
      ? t(
          'The new owner decides who keeps it. This account then has no login of its own: you are signed out, and its passkeys, keys, connected apps and login links end.',
        )
      : t('The new owner decides who keeps it. You stay as a keeper.'),
    fields: ['account_id'],
    submitLabel: t('Hand over'),
    isDangerous: isOwn,
    onSubmit: async () => {
      await owner.keepers.transferAccount({ account_id: chosen.value });
      if (isOwn) return leaveSession();
      const next = keepers.find(({ account_id: id }) => id === chosen.value)!;
      showMessage(t('{name} is the owner now.', { name: accountTitle(next) }));
      onChange();
    },
    render: () => (
      <RadioCards
        label={t('New owner')}
        value={chosen.value}
        options={keepers.map((keeper) => ({
          value: keeper.account_id,
          title: accountTitle(keeper),
          description: handleOf(keeper),
        }))}
        onValue={(value) => (chosen.value = value)}
      />
    ),
  });
}
