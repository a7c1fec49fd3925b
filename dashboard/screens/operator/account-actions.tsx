import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { LIMITS } from '#contract/shared/limits.ts';
import { NameplateError } from '../../../client/src/errors.ts';
import { owner } from '#dashboard/api/api.ts';
import { AsyncContent } from '#dashboard/components/async-content.tsx';
import { CopyButton } from '#dashboard/components/copy-button.tsx';
import { showDialog } from '#dashboard/components/dialog.tsx';
import { downloadFile } from '#dashboard/components/download-file.ts';
import { BoundField } from '#dashboard/components/field.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { showMessage } from '#dashboard/components/messages.tsx';
import { Switch } from '#dashboard/components/switch.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { loadCurrentAccount } from '#dashboard/current-account.ts';
import { dashboardHref, navigate } from '#dashboard/router.ts';
import { currentAccountId, pagesUrl } from '#dashboard/session.ts';
import { RecentLoginForm } from '#dashboard/sign-in/require-recent-login.tsx';
import { t } from '#dashboard/translate.ts';
import { type Account, accountName } from './labels.ts';
import { hidePage, resumeMember, suspendMember } from './suspend-account.tsx';

export interface AccountAction {
  label: string | ((account: Account) => string);
  iconPath: string;
  isFor: (account: Account) => boolean;
  /** How the screen of the member explains the action. */
  row?: (account: Account) => readonly [title: string, text: string, buttonLabel?: string];
  /** Calls `onChange` after every change of the account, also after an undo. */
  run: (account: Account, onChange: () => void) => unknown;
}

const isMember = ({ operator }: Account) => !operator;
const isActive = ({ state }: Account) => state === 'active';

/** In the order of the menu. */
export const ACCOUNT_ACTIONS = {
  link: {
    label: t('Create login link'),
    iconPath: ICON_PATHS.link,
    isFor: (account) => account.operator || isActive(account),
    row: () => [t('Help them log in'), t('For a lost phone or passkey. The link works once.')],
    run: createLoginLink,
  },
  rename: {
    label: t('Rename'),
    iconPath: ICON_PATHS.edit,
    isFor: isMember,
    row: () => [t('Change the name'), t('The page moves, and mail forwarding is turned off.')],
    run: updateMemberName,
  },
  pictures: {
    label: t('Picture storage'),
    iconPath: ICON_PATHS.image,
    isFor: isMember,
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
    isFor: isMember,
    row: () => [
      t('Save a copy'),
      t('Everything that is stored about the member, in one ZIP file.'),
    ],
    run: ({ id: account_id }) => downloadFile('members.exportMember', { account_id }),
  },
  role: {
    label: ({ id: account_id, operator }) => {
      if (!operator) return t('Make an operator');
      return account_id === currentAccountId.value ? t('Step down') : t('Make a member');
    },
    iconPath: ICON_PATHS.user,
    isFor: (account) => account.operator || isActive(account),
    row: ({ operator }) =>
      operator
        ? [t('Operator'), t('Sees all members and reports, and changes this server.')]
        : [t('Member'), t('Changes only their own page and account.')],
    run: changeRole,
  },
  suspend: {
    label: t('Suspend account'),
    iconPath: ICON_PATHS.clock,
    isFor: (account) => isMember(account) && isActive(account),
    run: suspendMember,
  },
  resume: {
    label: t('Resume account'),
    iconPath: ICON_PATHS.clock,
    isFor: (account) => isMember(account) && !isActive(account),
    run: resumeMember,
  },
  hide: {
    label: t('Hide page'),
    iconPath: ICON_PATHS.eye,
    isFor: (account) => isMember(account) && isActive(account) && !account.page_suspended,
    run: hidePage,
  },
  show: {
    label: t('Show page again'),
    iconPath: ICON_PATHS.eye,
    isFor: (account) => isMember(account) && isActive(account) && account.page_suspended,
    run: resumeMember,
  },
  delete: {
    label: t('Delete account'),
    iconPath: ICON_PATHS.close,
    isFor: isMember,
    run: deleteAccount,
  },
} as const satisfies Record<string, AccountAction>;

export function actionLabel({ label }: AccountAction, account: Account): string {
  return typeof label === 'string' ? label : label(account);
}

async function createLoginLink(account: Account, onChange: () => void): Promise<void> {
  const name = accountName(account);
  const link = await showDialog<string>(t('Create a login link for {name}?', { name }), (close) => (
    <RecentLoginForm
      text={t(
        'Anyone who opens the link is logged in as {name}. Make sure that you send it to the right person. The audit trail records that you created it.',
        { name },
      )}
      submitLabel={t('Create login link')}
      onCancel={close}
      onSubmit={async () => {
        const { login_url } = await owner.members.createLoginLink({
          account_id: account.id,
        });
        if (login_url !== null) close(login_url);
      }}
    />
  ));
  if (link === undefined) return;
  await showDialog(t('A login link for {name}', { name }), (close) => (
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
  onChange();
}

function updateMemberName(account: Account, onChange: () => void): void {
  const nameInput = signal('');
  const redirects = signal(true);
  void showDialog(t('Rename {name}', { name: accountName(account) }), (close) => (
    <RecentLoginForm
      text={t(
        'The page moves to the new address, and mail forwarding is turned off. Without a redirect, old links and printed QR codes stop working.',
      )}
      fields={['display_name']}
      submitLabel={t('Rename')}
      isDangerous
      onCancel={close}
      onSubmit={async () => {
        const { member: renamedAccount } = await owner.members.updateMemberName({
          account_id: account.id,
          display_name: nameInput.value,
          redirect: redirects.value,
        });
        showMessage(t('Renamed to {name}.', { name: accountName(renamedAccount) }));
        close();
        onChange();
      }}
    >
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
    </RecentLoginForm>
  ));
}

function changePictureLimit(account: Account, onChange: () => void): void {
  const limit = signal(String(account.picture_limit_mb ?? ''));
  void showDialog(t('Picture storage of {name}', { name: accountName(account) }), (close) => (
    <RecentLoginForm
      fields={['picture_limit_mb']}
      submitLabel={t('Save')}
      onCancel={close}
      onSubmit={async () => {
        await owner.members.updatePictureLimit({
          account_id: account.id,
          picture_limit_mb: limit.value === '' ? null : Number(limit.value),
        });
        showMessage(t('Changed the picture storage.'));
        close();
        onChange();
      }}
    >
      <BoundField
        signal={limit}
        name="picture_limit_mb"
        type="number"
        label={t('Limit in MB')}
        hint={t('Leave it empty for the limit of this server. Nothing is deleted.')}
      />
    </RecentLoginForm>
  ));
}

function deleteAccount(account: Account, onChange: () => void): void {
  const nameInput = signal('');
  const name = account.display_name ?? account.id;
  void showDialog(t('Delete {name}?', { name: accountName(account) }), (close) => (
    <RecentLoginForm
      text={t(
        'Its page, pictures, keys, projects and metrics are deleted at once, and its mail stops. You cannot undo this. To block the account for a while, suspend it instead.',
      )}
      fields={['confirm']}
      submitLabel={t('Delete account')}
      isDangerous
      onCancel={close}
      onSubmit={async () => {
        if (nameInput.value.trim().toLowerCase() !== name)
          throw new NameplateError(t('This is not the name of the account.'));
        await owner.members.deleteMember({ account_id: account.id });
        showMessage(t('Deleted {name}.', { name: accountName(account) }));
        close();
        onChange();
      }}
    >
      <BoundField
        signal={nameInput}
        name="confirm"
        label={t('Type {name} to confirm', { name })}
        autocomplete="off"
        spellcheck={false}
      />
    </RecentLoginForm>
  ));
}

/** Makes the account an operator, or a member again. */
function changeRole(account: Account, onChange: () => void): void {
  const name = accountName(account);
  const operator = !account.operator;
  const isSelf = account.id === currentAccountId.value;
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
  void showDialog(title, (close) => {
    const form = (
      <RecentLoginForm
        text={`${text} ${t('All operators get a mail about it.')}`}
        fields={['operator']}
        submitLabel={actionLabel(ACCOUNT_ACTIONS.role, account)}
        isDangerous={!operator}
        onCancel={close}
        onSubmit={async () => {
          await owner.members.updateMemberRole({ account_id: account.id, operator });
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
          close();
          onChange();
        }}
      />
    );
    return operator ? form : <UnlessOnlyOperator onLeave={close}>{form}</UnlessOnlyOperator>;
  });
}

function UnlessOnlyOperator({
  onLeave,
  children,
}: {
  onLeave: () => void;
  children: ComponentChildren;
}) {
  const operators = useAsync(() => owner.members.listMembers({ state: 'operators', limit: 2 }));
  return (
    <AsyncContent state={operators}>
      {({ members: accounts }) =>
        accounts.length > 1 ? (
          children
        ) : (
          <>
            <p>{t('You are the only operator. Make somebody else an operator first.')}</p>
            <div class="actions">
              <a
                class="button primary"
                href={dashboardHref('operator/members')}
                // The list may be open already.
                onClick={() => {
                  onLeave();
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
        )
      }
    </AsyncContent>
  );
}
