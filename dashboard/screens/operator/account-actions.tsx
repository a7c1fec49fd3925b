import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { LIMITS } from '#contract/shared/limits.ts';
import { NameplateError } from '../../../client/src/errors.ts';
import { type ResponseOf, owner } from '#dashboard/api/api.ts';
import { AsyncContent } from '#dashboard/components/async-content.tsx';
import { RequireRecentLogin } from '#dashboard/sign-in/require-recent-login.tsx';
import { confirm } from '#dashboard/components/confirm.tsx';
import { CopyButton } from '#dashboard/components/copy-button.tsx';
import { Icon } from '#dashboard/components/icon.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { downloadFile } from '#dashboard/components/download-file.ts';
import { Dialog } from '#dashboard/components/dialog.tsx';
import { BoundField } from '#dashboard/components/field.tsx';
import { Form } from '#dashboard/components/form.tsx';
import { showMessage, withErrorMessage } from '#dashboard/components/messages.tsx';
import { Switch } from '#dashboard/components/switch.tsx';
import { Table } from '#dashboard/components/table.tsx';
import { LocalDate } from '#dashboard/components/time.tsx';
import { dashboardHref, navigate } from '#dashboard/router.ts';
import { useAsync } from '#dashboard/components/use-async.ts';
import { loadCurrentAccount } from '#dashboard/current-account.ts';
import { currentAccountId, pagesUrl } from '#dashboard/session.ts';
import { t } from '#dashboard/translate.ts';
import { type Account, accountName, roleAction } from './labels.ts';
import { HidePageDialog, ResumeDialog, SuspendDialog } from './suspend-dialog.tsx';

type HeldBackName = ResponseOf<typeof owner.operator.getAccount>['held_names'][number];

interface DialogProps {
  account: Account;
  onCancel: () => void;
  onDone: () => void;
}

export type AccountDialogName = keyof typeof DIALOGS;

const DIALOGS = {
  link: LoginLinkDialog,
  rename: RenameDialog,
  pictures: PictureLimitDialog,
  hide: HidePageDialog,
  suspend: SuspendDialog,
  resume: ResumeDialog,
  remove: RemoveDialog,
  role: OperatorDialog,
};

export function AccountDialog({ name, ...props }: DialogProps & { name: AccountDialogName }) {
  const OpenDialog = DIALOGS[name];
  return <OpenDialog {...props} />;
}

export function downloadExport({ account_id }: Account): Promise<void> {
  return downloadFile('operator.exportAccount', { account_id });
}

/** Makes the account an operator, or a member again. */
export function Role({ account, onChange }: { account: Account; onChange: () => void }) {
  const isDialogOpen = useSignal(false);
  const close = () => (isDialogOpen.value = false);
  return (
    <section class="card">
      <h2>{t('Role')}</h2>
      <ul class="row-list operator-actions">
        <ActionRow
          title={account.operator ? t('Operator') : t('Member')}
          description={
            account.operator
              ? t('Sees all members and reports, and changes this server.')
              : t('Changes only their own page and account.')
          }
        >
          <button type="button" onClick={() => (isDialogOpen.value = true)}>
            {roleAction(account)}
          </button>
        </ActionRow>
      </ul>
      {isDialogOpen.value && (
        <OperatorDialog
          account={account}
          onCancel={close}
          onDone={() => {
            close();
            onChange();
          }}
        />
      )}
    </section>
  );
}

function OperatorDialog({ account, onCancel, onDone }: DialogProps) {
  const name = accountName(account);
  const operator = !account.operator;
  const isSelf = account.account_id === currentAccountId.value;
  const title = operator
    ? t('Make {name} an operator?', { name })
    : isSelf
      ? t('Step down as an operator?')
      : t('Make {name} a member?', { name });
  const isLast = useAsync(
    async () =>
      account.operator &&
      (await owner.operator.listAccounts({ state: 'operators', limit: 2 })).accounts.length === 1,
  );
  if (account.operator && isLast.value !== false)
    return (
      <Dialog title={title} onCancel={onCancel}>
        <AsyncContent state={isLast}>
          {() => (
            <>
              <p>{t('You are the only operator. Make somebody else an operator first.')}</p>
              <div class="actions">
                <a
                  class="button primary"
                  href={dashboardHref('operator/members')}
                  // The list may be open already.
                  onClick={() => {
                    onCancel();
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
          )}
        </AsyncContent>
      </Dialog>
    );
  return (
    <Dialog title={title} onCancel={onCancel}>
      <RequireRecentLogin onCancel={onCancel}>
        <p>
          {operator
            ? t(
                'Operators see all members, their addresses and reports. They can suspend and delete members, and make others operators. {name} has to log in again.',
                { name },
              )
            : isSelf
              ? t('You keep your account and your page, but no longer see other members.')
              : t('{name} keeps the account and the page, but no longer sees other members.', {
                  name,
                })}{' '}
          {t('All operators get a mail about it.')}
        </p>
        <Form
          fields={['operator']}
          submitLabel={roleAction(account)}
          isDangerous={!operator}
          onCancel={onCancel}
          onSubmit={async () => {
            await owner.operator.setOperator({ account_id: account.account_id, operator });
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
            onDone();
          }}
        >
          {null}
        </Form>
      </RequireRecentLogin>
    </Dialog>
  );
}

/** Shows since when and why the account or its page is suspended, and can resume it. */
export function Suspension({ account, onChange }: { account: Account; onChange: () => void }) {
  const isDialogOpen = useSignal(false);
  const isPageOnly = account.state === 'active';
  return (
    <section class="card row server-notice bad">
      <span class="tile bad">
        <Icon path={ICON_PATHS.warning} />
      </span>
      <div class="grow">
        <h2>{isPageOnly ? t('An operator has hidden the page') : t('The account is suspended')}</h2>
        <p class="hint">
          {account.suspended_at && (
            <>
              <LocalDate time={account.suspended_at} />
              {' · '}
            </>
          )}
          {account.suspension_reason &&
            t('Reason: {reason}', { reason: account.suspension_reason })}
        </p>
      </div>
      <button type="button" onClick={() => (isDialogOpen.value = true)}>
        {isPageOnly ? t('Show page again') : t('Resume account')}
      </button>
      {isDialogOpen.value && (
        <ResumeDialog
          account={account}
          onCancel={() => (isDialogOpen.value = false)}
          onDone={onChange}
        />
      )}
    </section>
  );
}

/** For another operator, offers only a login link. */
export function AccountActions({ account, onChange }: { account: Account; onChange: () => void }) {
  const openDialogName = useSignal<AccountDialogName>();
  const close = () => (openDialogName.value = undefined);
  const open = (name: AccountDialogName) => () => (openDialogName.value = name);
  return (
    <>
      <section class="card">
        <h2>{t('Help')}</h2>
        <ul class="row-list operator-actions">
          {account.state === 'active' && (
            <ActionRow
              title={t('Help them log in')}
              description={t('For a lost phone or passkey. The link works once.')}
            >
              <button type="button" onClick={open('link')}>
                {t('Create login link')}
              </button>
            </ActionRow>
          )}
          {!account.operator && <MemberHelp account={account} onOpen={open} />}
        </ul>
      </section>
      {!account.operator && <SuspendOrDelete account={account} onOpen={open} />}
      {openDialogName.value && (
        <AccountDialog
          name={openDialogName.value}
          account={account}
          onCancel={close}
          onDone={() => {
            if (openDialogName.value === 'remove') return navigate('operator/members');
            close();
            onChange();
          }}
        />
      )}
    </>
  );
}

interface ActionProps {
  account: Account;
  onOpen: (name: AccountDialogName) => () => void;
}

function MemberHelp({ account, onOpen }: ActionProps) {
  return (
    <>
      <ActionRow
        title={t('Change the name')}
        description={t('The page moves, and mail forwarding is turned off.')}
      >
        <button type="button" onClick={onOpen('rename')}>
          {t('Rename')}
        </button>
      </ActionRow>
      <ActionRow
        title={t('Picture storage')}
        description={
          account.picture_limit_mb === null
            ? t('The same as everyone on this server.')
            : t('Up to {limit, number} MB.', { limit: account.picture_limit_mb })
        }
      >
        <button type="button" onClick={onOpen('pictures')}>
          {t('Change')}
        </button>
      </ActionRow>
      <ActionRow
        title={t('Save a copy')}
        description={t('Everything that is stored about the member, in one ZIP file.')}
      >
        <button type="button" onClick={() => void downloadExport(account)}>
          {t('Export')}
        </button>
      </ActionRow>
    </>
  );
}

function SuspendOrDelete({ account, onOpen }: ActionProps) {
  return (
    <section class="card">
      <h2>{t('Suspend or delete')}</h2>
      <ul class="row-list operator-actions">
        {account.state === 'active' && (
          <ActionRow
            title={t('For a while')}
            description={t('The page, or all of the account, stops at once. Nothing is deleted.')}
          >
            {!account.page_suspended && (
              <button type="button" class="danger" onClick={onOpen('hide')}>
                {t('Hide page')}
              </button>
            )}
            <button type="button" class="danger" onClick={onOpen('suspend')}>
              {t('Suspend account')}
            </button>
          </ActionRow>
        )}
        <ActionRow
          title={t('For good')}
          description={t('Page, pictures, keys, projects and metrics.')}
        >
          <button type="button" class="danger" onClick={onOpen('remove')}>
            {t('Delete account')}
          </button>
        </ActionRow>
      </ul>
    </section>
  );
}

function ActionRow({
  title,
  description,
  children,
}: {
  title: string;
  description: string;
  children: ComponentChildren;
}) {
  return (
    <li class="row between">
      <div>
        <strong>{title}</strong>
        <p class="hint">{description}</p>
      </div>
      {children}
    </li>
  );
}

function LoginLinkDialog({ account, onCancel, onDone }: DialogProps) {
  const name = accountName(account);
  const link = useSignal<string>();
  if (link.value)
    return (
      <Dialog title={t('A login link for {name}', { name })} onCancel={onDone}>
        <p>
          {t('Send it to {name} yourself. It works once, within an hour, and is not shown again.', {
            name,
          })}
        </p>
        <div class="code">
          <code>{link.value}</code>
        </div>
        <div class="actions">
          <button type="button" class="quiet" onClick={onDone}>
            {t('button|Done')}
          </button>
          <CopyButton text={link.value} label={t('Copy link')} isPrimary />
        </div>
      </Dialog>
    );
  return (
    <Dialog title={t('Create a login link for {name}?', { name })} onCancel={onCancel}>
      <RequireRecentLogin onCancel={onCancel}>
        <p>
          {t(
            'Anyone who opens the link is logged in as {name}. Make sure that you send it to the right person. The audit trail records that you created it.',
            { name },
          )}
        </p>
        <Form
          fields={[]}
          submitLabel={t('Create login link')}
          onCancel={onCancel}
          onSubmit={async () => {
            const { login_link } = await owner.operator.createLoginLink({
              account_id: account.account_id,
            });
            link.value = login_link ?? undefined;
          }}
        >
          {null}
        </Form>
      </RequireRecentLogin>
    </Dialog>
  );
}

function RenameDialog({ account, onCancel, onDone }: DialogProps) {
  const nameInput = useSignal('');
  const redirects = useSignal(true);
  return (
    <Dialog title={t('Rename {name}', { name: accountName(account) })} onCancel={onCancel}>
      <RequireRecentLogin onCancel={onCancel}>
        <p>
          {t(
            'The page moves to the new address, and mail forwarding is turned off. Without a redirect, old links and printed QR codes stop working.',
          )}
        </p>
        <Form
          fields={['display_name']}
          submitLabel={t('Rename')}
          isDangerous
          onCancel={onCancel}
          onSubmit={async () => {
            const { account: renamedAccount } = await owner.operator.renameAccount({
              account_id: account.account_id,
              display_name: nameInput.value,
              redirect: redirects.value,
            });
            showMessage(t('Renamed to {name}.', { name: accountName(renamedAccount) }));
            onDone();
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
        </Form>
      </RequireRecentLogin>
    </Dialog>
  );
}

function PictureLimitDialog({ account, onCancel, onDone }: DialogProps) {
  const limit = useSignal(String(account.picture_limit_mb ?? ''));
  return (
    <Dialog
      title={t('Picture storage of {name}', { name: accountName(account) })}
      onCancel={onCancel}
    >
      <RequireRecentLogin onCancel={onCancel}>
        <Form
          fields={['picture_limit_mb']}
          submitLabel={t('Save')}
          onCancel={onCancel}
          onSubmit={async () => {
            await owner.operator.setPictureLimit({
              account_id: account.account_id,
              picture_limit_mb: limit.value === '' ? null : Number(limit.value),
            });
            showMessage(t('Changed the picture storage.'));
            onDone();
          }}
        >
          <BoundField
            signal={limit}
            name="picture_limit_mb"
            type="number"
            label={t('Limit in MB')}
            hint={t('Leave it empty for the limit of this server. Nothing is deleted.')}
          />
        </Form>
      </RequireRecentLogin>
    </Dialog>
  );
}

function RemoveDialog({ account, onCancel, onDone }: DialogProps) {
  const nameInput = useSignal('');
  const name = account.display_name ?? account.account_id;
  return (
    <Dialog title={t('Delete {name}?', { name: accountName(account) })} onCancel={onCancel}>
      <RequireRecentLogin onCancel={onCancel}>
        <p>
          {t(
            'Its page, pictures, keys, projects and metrics are deleted at once, and its mail stops. You cannot undo this. To block the account for a while, suspend it instead.',
          )}
        </p>
        <Form
          fields={['confirm']}
          submitLabel={t('Delete account')}
          isDangerous
          onCancel={onCancel}
          onSubmit={async () => {
            if (nameInput.value.trim().toLowerCase() !== name)
              throw new NameplateError(t('This is not the name of the account.'));
            await owner.operator.removeAccount({ account_id: account.account_id });
            showMessage(t('Deleted {name}.', { name: accountName(account) }));
            onDone();
          }}
        >
          <BoundField
            signal={nameInput}
            name="confirm"
            label={t('Type {name} to confirm', { name })}
            autocomplete="off"
            spellcheck={false}
          />
        </Form>
      </RequireRecentLogin>
    </Dialog>
  );
}

export function HeldBackNames({
  names,
  onReleased,
}: {
  names: readonly HeldBackName[];
  onReleased: () => void;
}) {
  const release = async (display_name: string) => {
    const isConfirmed = await confirm({
      title: t('Release {name}?', { name: display_name }),
      text: t('Anyone can then claim the name. Old links then open the new owner’s page.'),
      action: t('Release'),
    });
    if (!isConfirmed || !(await withErrorMessage(owner.operator.releaseName({ display_name }))))
      return;
    showMessage(t('Released {name}.', { name: display_name }));
    onReleased();
  };
  return (
    <section class="card">
      <h2>{t('Names held back')}</h2>
      <Table
        caption={t('Names held back')}
        rows={names}
        keyOf={({ display_name }) => display_name}
        columns={[
          { title: t('Name'), cell: ({ display_name }) => <>@{display_name}</> },
          {
            title: t('Available'),
            cell: ({ free_at }) =>
              free_at === null ? t('When its mail alias is deleted') : <LocalDate time={free_at} />,
          },
          {
            title: t('Action'),
            isTitleHidden: true,
            cell: ({ display_name }) => (
              <button
                type="button"
                class="quiet"
                aria-label={t('Release {name}', { name: display_name })}
                onClick={() => void release(display_name)}
              >
                {t('Release')}
              </button>
            ),
          },
        ]}
      />
    </section>
  );
}
