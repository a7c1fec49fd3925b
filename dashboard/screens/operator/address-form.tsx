import { type Signal, useSignal } from '@preact/signals';
import { LIMITS } from '#contract/shared/limits.ts';
import { owner } from '#dashboard/api/api.ts';
import { showDialog } from '#dashboard/components/dialog.tsx';
import { BoundField } from '#dashboard/components/field.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { useDebounced } from '#dashboard/components/use-debounced.ts';
import { RecentLoginForm } from '#dashboard/sign-in/require-recent-login.tsx';
import { t } from '#dashboard/translate.ts';
import { type Address, type AddressList, type Recipient, recipientName } from './labels.ts';

type Reader = Pick<Recipient, 'account_id' | 'display_name' | 'email'>;

const MAX_CHOICES = 4;

export function openAddressForm(
  list: AddressList,
  address: Address | undefined,
  onSaved: () => void,
): void {
  const title = address ? t('Who reads {name}?', { name: address.email }) : t('New address');
  void showDialog(title, (close) => (
    <AddressForm
      list={list}
      address={address}
      onDone={(isSaved) => {
        close();
        if (isSaved) onSaved();
      }}
    />
  ));
}

function AddressForm({
  list: { mail_domain, recipient_limit },
  address,
  onDone,
}: {
  list: AddressList;
  address: Address | undefined;
  onDone: (isSaved: boolean) => void;
}) {
  const name = useSignal('');
  // Also with an @ or the domain, such as board@.
  const [localPart = ''] = name.value.trim().replace(/^@/, '').split('@');
  const text = useSignal('');
  const readers = useSignal<readonly Reader[]>(address?.recipients ?? []);
  const save = async () => {
    const typed = text.value.trim();
    const recipients = [
      ...readers.value.map(({ account_id, email }) => (account_id ? { account_id } : { email })),
      // Also what was typed, but not added.
      ...(typed ? [{ email: typed.includes('@') ? typed : `${typed}@${mail_domain}` }] : []),
    ];
    if (address) await owner.addresses.updateAddress({ address_id: address.id, recipients });
    else await owner.addresses.createAddress({ name: localPart, recipients });
    onDone(true);
  };
  return (
    <RecentLoginForm
      fields={['name', 'recipients']}
      submitLabel={address ? t('Save') : t('Create address')}
      onCancel={() => onDone(false)}
      onSubmit={save}
    >
      {!address && (
        <BoundField
          signal={name}
          name="name"
          label={t('Address')}
          hint={localPart && `${localPart}@${mail_domain}`}
          maxLength={LIMITS.displayNameMax}
          autocomplete="off"
          spellcheck={false}
          required
        />
      )}
      {readers.value.length > 0 && (
        <div class="chips">
          {readers.value.map((reader) => (
            <button
              key={recipientName(reader)}
              type="button"
              class="chip"
              onClick={() => (readers.value = readers.value.filter((other) => other !== reader))}
            >
              <span class="ellipsis">{recipientName(reader)}</span>
              <Icon path={ICON_PATHS.close} />
              <span class="visually-hidden">{t('Remove')}</span>
            </button>
          ))}
        </div>
      )}
      {readers.value.length < recipient_limit && <ReaderField text={text} readers={readers} />}
    </RecentLoginForm>
  );
}

function ReaderField({
  text,
  readers,
}: {
  text: Signal<string>;
  readers: Signal<readonly Reader[]>;
}) {
  const choices = useChoices(text.value.trim(), readers.value);
  const add = (reader: Reader) => {
    readers.value = [...readers.value, reader];
    text.value = '';
  };
  return (
    <div
      onKeyDown={(event) => {
        const [first] = choices;
        if (event.key !== 'Enter' || !first || !(event.target instanceof HTMLInputElement)) return;
        event.preventDefault();
        add(first);
      }}
    >
      <BoundField
        signal={text}
        name="recipients"
        label={t('Who reads it')}
        hint={t('A member, or an address elsewhere that confirms by mail.')}
        placeholder={t('Name or email address')}
        autocomplete="off"
        spellcheck={false}
      />
      <div class="chips" role="status">
        {choices.map((choice) => (
          <button
            key={recipientName(choice)}
            type="button"
            class="chip"
            onClick={() => add(choice)}
          >
            <Icon path={choice.account_id ? ICON_PATHS.user : ICON_PATHS.mail} />
            <span class="ellipsis">{recipientName(choice)}</span>
          </button>
        ))}
      </div>
    </div>
  );
}

/** Members that match the text, then the text itself if it is an address elsewhere. */
function useChoices(text: string, readers: readonly Reader[]): Reader[] {
  const search = useDebounced(text);
  const found = useAsync(async () => {
    const members = search === '' ? [] : (await owner.members.listMembers({ search })).members;
    return { search, members };
  }, [search]);
  // Results of an earlier text could add somebody else.
  const members = found.value?.search === text ? found.value.members : [];
  const isPrefix = ({ display_name }: Reader) => display_name?.startsWith(text.toLowerCase());
  const choices: Reader[] = members
    .filter(({ id }) => !readers.some(({ account_id }) => account_id === id))
    .map(({ id, display_name, email }) => ({ account_id: id, display_name, email }))
    .toSorted((a, b) => Number(isPrefix(b) ?? false) - Number(isPrefix(a) ?? false))
    .slice(0, MAX_CHOICES);
  const isAddress = text.includes('@') && !text.includes(' ');
  return isAddress ? [...choices, { account_id: null, display_name: null, email: text }] : choices;
}
