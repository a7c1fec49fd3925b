import { owner } from '#dashboard/api/api.ts';
import { errorMessage } from '#dashboard/api/error-message.ts';
import { showFormDialog, showTextDialog } from '#dashboard/components/form-dialog.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { showError, showMessage, withErrorMessage } from '#dashboard/components/messages.tsx';
import { loadCurrentAccount } from '#dashboard/current-account.ts';
import { isOn } from '#dashboard/facts.ts';
import { instance } from '#dashboard/instance.ts';
import { requireRecentLogin } from '#dashboard/session.ts';
import { formatList, t } from '#dashboard/translate.ts';
import { describeGroups } from '../mail/forwarding-text.ts';
import { editContact } from './contact-dialog.tsx';
import { type Member, memberName } from './labels.ts';

type SuspendableMember = Pick<Member, 'id' | 'display_name' | 'state' | 'page_suspended'>;

type Suspend = (member: SuspendableMember, onChange: () => void) => unknown;

export const suspendMember: Suspend = (...args) => suspend(false, ...args);

export const hidePage: Suspend = (...args) => suspend(true, ...args);

/** Empty if the member reads none, or if they cannot be loaded. */
export async function describeGroupsOf(accountId: string, areResumed = false): Promise<string> {
  if (!isOn('addresses')) return '';
  const { addresses } = await owner.addresses.listAddresses().catch(() => ({ addresses: [] }));
  const read = addresses.filter(({ recipients }) =>
    recipients.some(({ account_id, state }) => account_id === accountId && state !== 'stopped'),
  );
  const unread = read.filter(({ recipients }) =>
    recipients.every(({ account_id, state }) => account_id === accountId || state !== 'active'),
  );
  const emails = read.map(({ email }) => email);
  if (!areResumed)
    return describeGroups(
      emails,
      unread.map(({ email }) => email),
    );
  return read.length > 0
    ? t('Mail to {addresses} reaches it again.', {
        addresses: formatList(emails),
      })
    : '';
}

async function suspend(
  isPageOnly: boolean,
  member: SuspendableMember,
  onChange: () => void,
): Promise<void> {
  const groups = isPageOnly ? '' : await describeGroupsOf(member.id);
  const name = memberName(member);
  const title = isPageOnly
    ? t('Hide the page of {name}?', { name })
    : t('Suspend {name}?', { name });
  const text = isPageOnly
    ? t('Only the member and operators still see it, in the dashboard.')
    : `${t(
        'The member is signed out. Page, API keys and mail forwarding stop working. Nothing is deleted.',
      )} ${groups}`;
  showReasonDialog({ title, text, isPageOnly }, (reason) =>
    sendSuspension({ member, isPageOnly, reason, onChange }),
  );
}

/** Suspends them one after the other, with the same reason, and says who could not be suspended. */
export async function suspendMembers(
  members: readonly SuspendableMember[],
  onChange: () => void,
): Promise<void> {
  const [member] = members;
  if (member && members.length === 1) return void suspendMember(member, onChange);
  // Asks once, not for each member.
  if (!(await withErrorMessage(requireRecentLogin()))) return;
  const groups = await Promise.all(members.map(({ id }) => describeGroupsOf(id)));
  const title = t('Suspend {count, number} members?', { count: members.length });
  const text = t(
    '{names} are signed out. Their pages, API keys and mail forwarding stop working. Nothing is deleted.',
    { names: formatList(members.map(memberName)) },
  );
  showReasonDialog({ title, text: [text, ...new Set(groups)].join(' ') }, async (reason) => {
    const failures: string[] = [];
    for (const { id: account_id, ...names } of members)
      await owner.members
        .suspendMember({ account_id, reason, page_only: false })
        .catch((error: unknown) =>
          failures.push(`${memberName({ id: account_id, ...names })}: ${errorMessage(error)}`),
        );
    loadCurrentAccount().catch(() => undefined);
    onChange();
    const count = members.length - failures.length;
    const result = t('Suspended {count, plural, one {# member} other {# members}}.', {
      count,
    });
    const show = failures.length > 0 ? showError : showMessage;
    show([result, ...failures].join(' '));
  });
}

function showReasonDialog(
  { title, text, isPageOnly = false }: { title: string; text: string; isPageOnly?: boolean },
  onReason: (reason: string) => Promise<void>,
): void {
  void showTextDialog({
    title,
    text,
    field: {
      name: 'reason',
      label: t('Reason'),
      hint: isPageOnly
        ? t('The member reads it in the dashboard, and in a mail if an address is confirmed.')
        : t('We mail it to the member’s confirmed address.'),
      maxLength: 500,
      required: true,
    },
    submitLabel: isPageOnly ? t('Hide page') : t('Suspend account'),
    isDangerous: true,
    onSubmit: onReason,
    render: (input) => (
      <>
        {input}
        {instance.value.contact === null && (
          <p class="note">
            <Icon path={ICON_PATHS.warning} />
            <span>
              {t('The member cannot answer: this server has no contact.')}{' '}
              <button type="button" class="link" onClick={editContact}>
                {t('Set a contact')}
              </button>
            </span>
          </p>
        )}
      </>
    ),
  });
}

async function sendSuspension({
  member,
  isPageOnly,
  reason,
  onChange,
}: {
  member: SuspendableMember;
  isPageOnly: boolean;
  reason: string;
  onChange: () => void;
}): Promise<void> {
  const { id: account_id } = member;
  const name = memberName(member);
  const finish = () => {
    // The marks in the menu: suspending closes reports, and group addresses can lose their readers.
    loadCurrentAccount().catch(() => undefined);
    onChange();
  };
  const undo = async () => {
    await owner.members.resumeMember({ account_id });
    finish();
    showMessage(
      isPageOnly
        ? t('The page of {name} is no longer hidden.', { name })
        : t('Resumed {name}. The member has to log in again.', { name }),
    );
  };
  const { member: before } = await owner.members.getMember({ account_id });
  await owner.members.suspendMember({ account_id, reason, page_only: isPageOnly });
  finish();
  // Another operator may have done the same before. Undo would end that, too.
  const wasShown = before.state === 'active' && !(isPageOnly && before.page_suspended);
  showMessage(
    isPageOnly ? t('The page of {name} is hidden.', { name }) : t('Suspended {name}.', { name }),
    wasShown ? { label: t('Undo'), run: () => void withErrorMessage(undo()) } : undefined,
  );
}

export async function resumeMember(member: SuspendableMember, onChange: () => void): Promise<void> {
  const { id: account_id, page_suspended } = member;
  const name = memberName(member);
  const isPageOnly = member.state === 'active';
  const groups = isPageOnly ? '' : await describeGroupsOf(account_id, true);
  const title = isPageOnly
    ? t('Show the page of {name}?', { name })
    : t('Resume {name}?', { name });
  void showFormDialog({
    title,
    text: isPageOnly
      ? t('It is public again if its owner published it.')
      : `${
          page_suspended
            ? t(
                'Its API keys and mail work again. The member has to log in again. The page stays hidden.',
              )
            : t('Its page, API keys and mail work again. The member has to log in again.')
        } ${groups}`,
    submitLabel: isPageOnly ? t('Show page again') : t('Resume account'),
    onSubmit: async () => {
      await owner.members.resumeMember({ account_id });
      loadCurrentAccount().catch(() => undefined);
      showMessage(
        isPageOnly
          ? t('The page of {name} is no longer hidden.', { name })
          : t('Resumed {name}.', { name }),
      );
      onChange();
    },
  });
}
