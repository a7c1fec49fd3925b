import { computed, type Signal, signal } from '@preact/signals';
import { useContext, useRef } from 'preact/hooks';
import { NameplateError } from '#client/errors.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { owner } from '#dashboard/api/api.ts';
import { errorMessage } from '#dashboard/api/error-message.ts';
import { BoundField, correctAddress, Correction } from '#dashboard/components/field.tsx';
import { showFormDialog } from '#dashboard/components/form-dialog.tsx';
import { FormProblemContext } from '#dashboard/components/form.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { useDebounced } from '#dashboard/components/use-debounced.ts';
import { readerName } from '#dashboard/display-name.ts';
import { t } from '#dashboard/translate.ts';
import type { Group } from '../groups/group-form.tsx';
import {
  type Address,
  type AddressList,
  type Member,
  READER_STATES,
  type Recipient,
} from '../members/labels.ts';

type Reader = Pick<Recipient, 'account_id' | 'display_name' | 'page_title' | 'email'> & {
  state?: Recipient['state'] | Member['state'];
};

const MAX_CHOICES = 4;
/** Checked here, because the server's message would say `recipients.0.email`. */
const EMAIL_PATTERN = /^[^\s@,]+@[^\s@.,]+(\.[^\s@.,]+)+$/;

export function openAddressForm(
  { mail_domain, recipient_limit }: AddressList,
  address: Address | undefined,
  {
    groups,
    onSaved,
    corrected,
  }: {
    groups: readonly Group[];
    onSaved: () => void;
    corrected?: Recipient;
  },
): void {
  const group = signal(address?.group_id ?? '');
  const name = signal(address?.name ?? '');
  // Names can have `--`, which stays until the name is edited.
  const slug = computed(() =>
    name.value === address?.name ? name.value : toAddressName(name.value),
  );
  const text = signal(corrected?.email ?? '');
  const readers = signal<readonly Reader[]>(
    address?.recipients.filter(
      ({ id, state, by_hand }) => by_hand && state !== 'left' && id !== corrected?.id,
    ) ?? [],
  );
  void showFormDialog({
    title: address?.email ?? t('New address'),
    fields: ['name', 'recipients'],
    submitLabel: address ? t('Save') : t('Create address'),
    onSubmit: async () => {
      const typed = text.value.trim();
      if (typed !== '') readers.value = withReader(readers.value, await findReader(typed));
      text.value = '';
      if (readers.value.length === 0 && group.value === '')
        throw readerProblem(t('Choose at least one reader.'));
      // Only warns once: the next submit sends it unchanged.
      const meant = correctAddress(typed);
      if (meant) throw readerProblem(t('Did you mean {address}?', { address: meant }));
      const change = {
        name: slug.value,
        recipients: readers.value.map(toInput),
        ...(groups.length > 0 && { group_id: group.value || null }),
      };
      if (address) await owner.addresses.updateAddress({ address_id: address.id, ...change });
      else await owner.addresses.createAddress(change);
      onSaved();
    },
    render: () => (
      <>
        <BoundField
          signal={name}
          name="name"
          label={t('Address')}
          hint={
            <>
              <span class="strong">{`${slug.value || '…'}@${mail_domain}`}</span>
              {address &&
                slug.value !== address.name &&
                ` · ${t('Mail to {email} is refused afterwards. Its readers get a mail. To keep both, add a new address instead.', address)}`}
            </>
          }
          maxLength={LIMITS.displayNameMax}
          autocomplete="off"
          spellcheck={false}
          required
        />
        {groups.length > 0 && (
          <BoundField
            signal={group}
            name="group_id"
            label={t('Group')}
            hint={t('Its members read along: who joins the group, and as long as they are in it.')}
            options={[
              ['', t('No group')],
              ...groups.map(({ id, name: title }) => [id, title] as const),
            ]}
          />
        )}
        <ReaderField
          text={text}
          readers={readers}
          isFull={readers.value.length >= recipient_limit}
          isFirst={address !== undefined}
        />
      </>
    ),
  });
}

/** The name in the form that the server stores. Ignores an @ and the domain, as in board@. */
function toAddressName(text: string): string {
  const [localPart = ''] = text.trim().toLowerCase().replace(/^@/, '').split('@');
  // Letters such as ä stay, because the server explains what to do about them.
  return localPart.replace(/[^\p{L}\p{M}\d]+/gu, '-').replace(/^-|-$/g, '');
}

export function toInput({ account_id, email }: Pick<Reader, 'account_id' | 'email'>) {
  return account_id ? { account_id } : { email };
}

function withReader(readers: readonly Reader[], reader: Reader): Reader[] {
  const name = readerName(reader);
  if (readers.some((other) => readerName(other) === name))
    throw readerProblem(t('{name} is already one of them.', { name }));
  return [...readers, reader];
}

const toReader = ({ id, ...member }: Member): Reader => ({ account_id: id, ...member });

const OUTSIDE = { account_id: null, display_name: null, page_title: null } as const;

/** An error at the field of readers. */
const readerProblem = (text: string) =>
  Object.assign(new NameplateError(text), { field: 'recipients' });

/** The member that has the text as name or confirmed address, or the address elsewhere. */
async function findReader(text: string): Promise<Reader> {
  const { members } = await owner.members.listMembers({ search: text });
  const name = text.toLowerCase().replace(/^@/, '');
  if (text.includes('@', 1)) {
    // Active members with the same address read the same mailbox.
    const owners = members.filter(({ email }) => email?.toLowerCase() === name);
    const member = owners.find(({ state }) => state === 'active') ?? owners[0];
    if (member) return toReader(member);
    if (EMAIL_PATTERN.test(text)) return { ...OUTSIDE, email: text };
    throw readerProblem(t('Enter an address such as jane@example.org.'));
  }
  const exact = members.filter(({ display_name }) => display_name === name);
  const [found, ...others] = exact.length > 0 ? exact : members;
  if (found && others.length === 0) return toReader(found);
  throw readerProblem(
    found
      ? t('Several members match “{text}”. Choose a suggestion.', { text })
      : t('No member is called “{text}”. Enter another name, or an email address.', { text }),
  );
}

function ReaderField({
  text,
  readers,
  isFull,
  isFirst,
}: {
  text: Signal<string>;
  readers: Signal<readonly Reader[]>;
  isFull: boolean;
  /** Whether the dialog opens with this field. */
  isFirst: boolean;
}) {
  const field = useRef<HTMLDivElement>(null);
  const choices = useChoices(isFull ? '' : text.value.trim(), readers.value);
  const add = (reader: Reader, typed = text.value) => {
    readers.value = withReader(readers.value, reader);
    // Keep what was typed during the search.
    if (text.value.startsWith(typed)) text.value = text.value.slice(typed.length);
    field.current?.querySelector('input')?.focus();
  };
  const problem = useContext(FormProblemContext);
  const addTyped = async () => {
    const [first] = choices;
    const entered = text.value;
    const typed = entered.trim();
    try {
      add(first && !typed.includes('@', 1) ? first : await findReader(typed), entered);
    } catch (error) {
      problem.value = { field: 'recipients', text: errorMessage(error) };
    }
  };
  const remove = (reader: Reader) => {
    readers.value = readers.value.filter((other) => other !== reader);
    field.current?.querySelector('input')?.focus();
  };
  return (
    <div
      ref={field}
      class="field"
      onKeyDown={(event) => {
        const isInput = event.target instanceof HTMLInputElement;
        if (event.key !== 'Enter' || isFull || !isInput || text.value.trim() === '') return;
        event.preventDefault();
        void addTyped();
      }}
    >
      <BoundField
        signal={text}
        name="recipients"
        label={t('Who reads it')}
        hint={
          isFull
            ? t('No more readers fit. Remove one first.')
            : t('A member, or an address elsewhere that confirms by mail.')
        }
        placeholder={t('Name or email address')}
        autofocus={isFirst}
        autocomplete="off"
        spellcheck={false}
      />
      <div class="chips" role="status">
        {choices.map((choice) => (
          <button key={readerName(choice)} type="button" class="chip" onClick={() => add(choice)}>
            <Icon path={ICON_PATHS.plus} />
            <span class="ellipsis">{readerName(choice)}</span>
          </button>
        ))}
      </div>
      <ReaderList readers={readers} onRemove={remove} />
    </div>
  );
}

function ReaderList({
  readers,
  onRemove,
}: {
  readers: Signal<readonly Reader[]>;
  onRemove: (reader: Reader) => void;
}) {
  return (
    <ul class="row-list">
      {readers.value.map((reader, index) => (
        <li key={readerName(reader)} class="row between">
          <span class="grow">
            {readerName(reader)}{' '}
            {reader.state && reader.state in READER_STATES && (
              <span class="pill warn">{READER_STATES[reader.state]}</span>
            )}
            {!reader.account_id && (
              <Correction
                address={reader.email!}
                onCorrect={(email) => {
                  readers.value = readers.value.with(index, { ...OUTSIDE, email });
                }}
              />
            )}
          </span>
          <button type="button" class="quiet" onClick={() => onRemove(reader)}>
            <Icon path={ICON_PATHS.close} />
            <span class="visually-hidden">{t('Remove {name}', { name: readerName(reader) })}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Members that match the text, then the text itself if it is an address elsewhere. */
function useChoices(text: string, readers: readonly Reader[]): Reader[] {
  const search = useDebounced(text);
  const found = useAsync(
    async () => {
      const members = search === '' ? [] : (await owner.members.listMembers({ search })).members;
      return { search, members };
    },
    [search],
    { keepsOldValue: true },
  );
  // Results of an earlier text could add somebody else.
  const members = found.value?.search === text ? found.value.members : [];
  const isPrefix = ({ display_name }: Reader) => display_name?.startsWith(text.toLowerCase());
  const choices: Reader[] = members
    .filter(({ id }) => !readers.some(({ account_id }) => account_id === id))
    .map(toReader)
    .toSorted((a, b) => Number(isPrefix(b) ?? false) - Number(isPrefix(a) ?? false))
    .slice(0, MAX_CHOICES);
  const isOutside =
    found.value?.search === text && members.length === 0 && EMAIL_PATTERN.test(text);
  return isOutside ? [{ ...OUTSIDE, email: text }] : choices;
}
