import { type Signal, signal } from '@preact/signals';
import { owner } from '#dashboard/api/api.ts';
import { BoundField } from '#dashboard/components/field.tsx';
import { showFormDialog } from '#dashboard/components/form-dialog.tsx';
import { showMessage, showMessageIn } from '#dashboard/components/messages.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { useDebounced } from '#dashboard/components/use-debounced.ts';
import { loadKeptAccounts } from '#dashboard/kept-accounts.ts';
import { navigate, pathFor } from '#dashboard/router.ts';
import { canMailLoginLinks } from '#dashboard/session.ts';
import { t } from '#dashboard/translate.ts';

/** The account has no login of its own, so it needs no address either. */
export function showAccountForm(): void {
  const name = signal('');
  const keepers = signal('');
  void showFormDialog({
    title: t('Account for a club, a team or an event'),
    fields: ['display_name', 'keepers'],
    submitLabel: t('Create account'),
    onSubmit: async () => {
      const { member } = await owner.members.createMember({
        display_name: name.value.trim(),
        keepers: keepers.value.split(/[,;]/).filter((one) => one.trim() !== ''),
      });
      const { accounts } = await loadKeptAccounts();
      const text = canMailLoginLinks
        ? t('Created the account. Its keepers got a mail.')
        : t('Created the account.');
      if (accounts.some(({ id }) => id === member.id))
        return showMessageIn(pathFor(member.id), text);
      navigate(`operator/members/${member.id}`);
      showMessage(text);
    },
    render: () => (
      <>
        <BoundField
          signal={name}
          name="display_name"
          label={t('Name')}
          hint={t(
            'Such as Rowing Club. It becomes the title of the page, and the address in small letters.',
          )}
          required
          autocomplete="off"
          spellcheck={false}
        />
        <KeepersField signal={keepers} />
      </>
    ),
  });
}

/** Suggests members for the last name that is typed. */
function KeepersField({ signal: keepers }: { signal: Signal<string> }) {
  const text = keepers.value;
  const last = text.slice(Math.max(text.lastIndexOf(','), text.lastIndexOf(';')) + 1);
  const typed = last.trimStart().replace(/^@/, '');
  const search = useDebounced(typed.trim());
  const found = useAsync(
    async () => (search === '' ? [] : (await owner.members.listMembers({ search })).members),
    [search],
  );
  const before = text.slice(0, text.length - typed.length);
  return (
    <>
      <BoundField
        signal={keepers}
        name="keepers"
        label={t('Who looks after it?')}
        hint={t(
          'Names here, such as @dan, with commas between them. The first one is the owner. Name yourself, too, to look after it.',
        )}
        required
        autocomplete="off"
        spellcheck={false}
        suggestions="keeper-names"
      />
      <datalist id="keeper-names">
        {found.value?.map(
          ({ id, display_name, page_title }) =>
            display_name !== null && (
              <option key={id} value={before + display_name}>
                {page_title}
              </option>
            ),
        )}
      </datalist>
    </>
  );
}
