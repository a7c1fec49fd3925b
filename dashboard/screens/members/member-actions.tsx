import { signal } from '@preact/signals';
import { NameplateError } from '#client/errors.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { owner } from '#dashboard/api/api.ts';
import { CopyButton } from '#dashboard/components/copy-button.tsx';
import { showDialog } from '#dashboard/components/dialog.tsx';
import { downloadAfterLogin } from '#dashboard/components/download-file.ts';
import { EMAIL_FIELD } from '#dashboard/components/email-field.tsx';
import { BoundField } from '#dashboard/components/field.tsx';
import { showFormDialog, showTextDialog } from '#dashboard/components/form-dialog.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { showMessage, withErrorMessage } from '#dashboard/components/messages.tsx';
import { Switch } from '#dashboard/components/switch.tsx';
import { loadCurrentAccount } from '#dashboard/current-account.ts';
import { dashboardHref, navigate } from '#dashboard/router.ts';
import { canMailLoginLinks, currentAccountId, pagesUrl } from '#dashboard/session.ts';
import { t } from '#dashboard/translate.ts';
import { lostLinkError, type Member, memberName } from './labels.ts';
import { hidePage, describeGroupsOf, resumeMember, suspendMember } from './suspend-member.tsx';

export interface MemberAction {
  label: string | ((member: Member) => string);
  iconPath: string;
  isFor: (member: Member) => boolean;
  /** How the screen of the member explains the action. */
  row?: (member: Member) => readonly [title: string, text: string, buttonLabel?: string];
  /** Calls `onChange` after every change of the account, also after an undo. */
  run: (member: Member, onChange: () => void) => unknown;
}

const isNoOperator = ({ operator }: Member) => !operator;
const hasLogin = ({ kept }: Member) => !kept;
const isActive = ({ state }: Member) => state === 'active';

/** In the order of the menu. */
export const MEMBER_ACTIONS = {
  link: {
    label: t('Create login link'),
    iconPath: ICON_PATHS.link,
    isFor: (member) => hasLogin(member) && (member.operator || isActive(member)),
    row: () => [t('Help them log in'), t('For a lost phone or passkey. The link works once.')],
    run: createLoginLink,
  },
  rename: {
    label: t('Rename'),
    iconPath: ICON_PATHS.edit,
    isFor: isNoOperator,
    row: () => [t('Change the name'), t('The page moves, and mail forwarding is turned off.')],
    run: updateMemberName,
  },
  email: {
    label: t('Change email'),
    iconPath: ICON_PATHS.mail,
    isFor: (member) => canMailLoginLinks && isNoOperator(member) && hasLogin(member),
    row: () => [
      t('Change the email address'),
      t('The member confirms the new one by a link in a mail.'),
    ],
    run: updateMemberEmail,
  },
  pictures: {
    label: t('Picture storage'),
    iconPath: ICON_PATHS.image,
    isFor: isNoOperator,
    row: ({ picture_limit_mb: limit }) => [
      t('Picture storage'),
      limit === null
        ? t('The same as everyone on this server.')
        : t('Up to {limit, number} MB.', { limit }),
      t('Change'),
    ],
    run: changePictureLimit,
  },
  export: {
    label: t('Export'),
    iconPath: ICON_PATHS.download,
    isFor: isNoOperator,
    row: () => [
      t('Save a copy'),
      t('Everything that is stored about the member, in one ZIP file.'),
    ],
    run: ({ id: account_id }) => downloadAfterLogin('members.exportMember', { account_id }),
  },
  role: {
    label: ({ id: account_id, operator }) => {
      if (!operator) return t('Make an operator');
      return account_id === currentAccountId.value ? t('Step down') : t('Make a member');
    },
    iconPath: ICON_PATHS.user,
    isFor: (member) => member.operator || (isActive(member) && hasLogin(member)),
    row: ({ operator }) =>
      operator
        ? [t('Operator'), t('Sees all members and reports, and changes this server.')]
        : [t('Member'), t('Changes only their own page and account.')],
    run: changeRole,
  },
  suspend: {
    label: t('Suspend account'),
    iconPath: ICON_PATHS.clock,
    isFor: (member) => isNoOperator(member) && isActive(member),
    run: suspendMember,
  },
  resume: {
    label: t('Resume account'),
    iconPath: ICON_PATHS.clock,
    isFor: (member) => isNoOperator(member) && !isActive(member),
    run: resumeMember,
  },
  hide: {
    label: t('Hide page'),
    iconPath: ICON_PATHS.eye,
    isFor: (member) => isNoOperator(member) && isActive(member) && !member.page_suspended,
    run: hidePage,
  },
  show: {
    label: t('Show page again'),
    iconPath: ICON_PATHS.eye,
    isFor: (member) => isNoOperator(member) && isActive(member) && member.page_suspended,
    run: resumeMember,
  },
  delete: {
    label: t('Delete account'),
    iconPath: ICON_PATHS.close,
    isFor: isNoOperator,
    run: deleteMember,
  },
} as const satisfies Record<string, MemberAction>;

export function actionLabel({ label }: MemberAction, member: Member): string {
  return typeof label === 'string' ? label : label(member);
}

function createLoginLink(member: Member, onChange: () => void): void {
  const name = memberName(member);
  void showFormDialog({
    title: t('Create a login link for {name}?', { name }),
    text: t(
      'Anyone who opens the link is logged in as {name}. Make sure that you send it to the right person. The audit trail records that you created it.',
      { name },
    ),
    submitLabel: t('Create login link'),
    onSubmit: async () => {
      const { login_url } = await owner.members.createLoginLink({ account_id: member.id });
      if (login_url === null) throw lostLinkError();
      void showLoginLink(name, login_url).then(onChange);
    },
  });
}

function showLoginLink(name: string, link: string): Promise<unknown> {
  return showDialog(t('A login link for {name}', { name }), (close) => (
    <>
      <p>
        {t('Send it to {name} yourself. It works once, within an hour, and is not shown again.', {
          name,
        })}
      </p>
      <div class="code">
        <code>{link}</code>
      </div>
      <div class="actions">
        <button type="button" class="quiet" onClick={() => close()}>
          {t('button|Done')}
        </button>
        <CopyButton text={link} label={t('Copy link')} isPrimary />
      </div>
    </>
  ));
}

function updateMemberName(member: Member, onChange: () => void): void {
  const nameInput = signal('');
  const redirects = signal(true);
  void showFormDialog({
    title: t('Rename {name}', { name: memberName(member) }),
    text: t(
      'The page moves to the new address, and mail forwarding is turned off. Without a redirect, old links and printed QR codes stop working.',
    ),
    fields: ['display_name'],
    submitLabel: t('Rename'),
    isDangerous: true,
    onSubmit: async () => {
      const { member: renamed } = await owner.members.updateMemberName({
        account_id: member.id,
        display_name: nameInput.value,
        redirect: redirects.value,
      });
      showMessage(t('Renamed to {name}.', { name: memberName(renamed) }));
      onChange();
    },
    render: () => (
      <>
        <BoundField
          signal={nameInput}
          name="display_name"
          label={t('New name')}
          prefix={`${new URL(pagesUrl).host}/@`}
          autocomplete="off"
          spellcheck={false}
        />
        <Switch
          label={t('Redirect the old address for {days} days', { days: LIMITS.redirectDays })}
          checked={redirects.value}
          onChange={(isOn) => (redirects.value = isOn)}
        />
      </>
    ),
  });
}

function updateMemberEmail(member: Member, onChange: () => void): void {
  void showTextDialog({
    title: t('Email address of {name}', { name: memberName(member) }),
    text: t(
      'An address that the member confirmed before is used at once. A new one gets a link: until the member opens it, login links and mail go to the old address. The old address gets a notice.',
    ),
    field: {
      ...EMAIL_FIELD,
      label: t('New email address'),
      hint: member.email && t('Current address: {email}', { email: member.email }),
      autocomplete: 'off',
      value: member.pending_email ?? '',
    },
    submitLabel: t('Change'),
    onSubmit: async (email) => {
      const { member: changed } = await owner.members.updateMemberEmail({
        account_id: member.id,
        email,
      });
      showMessage(
        changed.pending_email === null
          ? t('The email address is now {email}.', { email })
          : t('Sent a link to {email}.', { email }),
      );
      onChange();
    },
  });
}

function changePictureLimit(member: Member, onChange: () => void): void {
  void showTextDialog({
    title: t('Picture storage of {name}', { name: memberName(member) }),
    field: {
      name: 'picture_limit_mb',
      type: 'number',
      label: t('Limit in MB'),
      hint: t('Leave it empty for the limit of this server. Nothing is deleted.'),
      value: String(member.picture_limit_mb ?? ''),
    },
    submitLabel: t('Save'),
    onSubmit: async (limit) => {
      await owner.members.updatePictureLimit({
        account_id: member.id,
        picture_limit_mb: limit === '' ? null : Number(limit),
      });
      showMessage(t('Changed the picture storage.'));
      onChange();
    },
  });
}

async function deleteMember(member: Member, onChange: () => void): Promise<void> {
  const groups = await describeGroupsOf(member.id);
  const name = member.display_name ?? member.id;
  void showTextDialog({
    title: t('Delete {name}?', { name: memberName(member) }),
    text: [
      t(
        'Its page, pictures, keys, projects and metrics are deleted at once, and its mail stops. You cannot undo this.',
      ),
      ...(isActive(member) ? [t('To block the account for a while, suspend it instead.')] : []),
      groups,
    ].join(' '),
    field: {
      name: 'confirm',
      label: t('Type {name} to confirm', { name }),
      autocomplete: 'off',
      spellcheck: false,
    },
    submitLabel: t('Delete account'),
    isDangerous: true,
    onSubmit: async (confirmed) => {
      if (confirmed.toLowerCase() !== name)
        throw new NameplateError(t('This is not the name of the account.'));
      await owner.members.deleteMember({ account_id: member.id });
      loadCurrentAccount().catch(() => undefined);
      showMessage(t('Deleted {name}.', { name: memberName(member) }));
      onChange();
    },
  });
}

/** Makes the account an operator, or a member again. */
async function changeRole(member: Member, onChange: () => void): Promise<void> {
  const name = memberName(member);
  const operator = !member.operator;
  const isSelf = member.id === currentAccountId.value;
  const [title, text] = operator
    ? [
        t('Make {name} an operator?', { name }),
        t(
          'Operators see all members, their addresses and reports. They can suspend and delete members, and make others operators. {name} has to log in again.',
          { name },
        ),
      ]
    : isSelf
      ? [
          t('Step down as an operator?'),
          t('You keep your account and your page, but no longer see other members.'),
        ]
      : [
          t('Make {name} a member?', { name }),
          t('{name} keeps the account and the page, but no longer sees other members.', { name }),
        ];
  if (!operator) {
    const operators = owner.members.listMembers({ state: 'operators', limit: 2 });
    if ((await withErrorMessage(operators))?.members.length === 1) return showOnlyOperator(title);
  }
  void showFormDialog({
    title,
    text: `${text} ${t('All operators get a mail about it.')}`,
    fields: ['operator'],
    submitLabel: actionLabel(MEMBER_ACTIONS.role, member),
    isDangerous: !operator,
    onSubmit: async () => {
      await owner.members.updateMemberRole({ account_id: member.id, operator });
      if (isSelf) {
        await loadCurrentAccount();
        showMessage(t('You are now a member.'));
        return navigate('');
      }
      showMessage(
        operator
          ? t('{name} is now an operator.', { name })
          : t('{name} is now a member.', { name }),
      );
      onChange();
    },
  });
}

function showOnlyOperator(title: string): void {
  void showDialog(title, (close) => (
    <>
      <p>{t('You are the only operator. Make somebody else an operator first.')}</p>
      <div class="actions">
        <a
          class="button primary"
          href={dashboardHref('operator/members')}
          // The list may be open already.
          onClick={() => {
            close();
            showMessage(
              t(
                'A second operator can let you back in: open the menu of a member, “Make an operator”.',
              ),
            );
          }}
        >
          {t('Choose a second one')}
        </a>
      </div>
    </>
  ));
}
