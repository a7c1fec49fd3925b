import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { NameplateError } from '../../../client/src/errors.ts';
import { type ResponseOf, owner } from '#dashboard/api/api.ts';
import { routes } from '#dashboard/api/routes.ts';
import { RequireRecentLogin } from '#dashboard/sign-in/require-recent-login.tsx';
import { confirm } from '#dashboard/components/confirm.tsx';
import { CopyButton } from '#dashboard/components/copy-button.tsx';
import { Dialog } from '#dashboard/components/dialog.tsx';
import { BoundField } from '#dashboard/components/field.tsx';
import { Form } from '#dashboard/components/form.tsx';
import { showMessage, withErrorMessage } from '#dashboard/components/messages.tsx';
import { Table } from '#dashboard/components/table.tsx';
import { LocalDate } from '#dashboard/components/time.tsx';
import { navigate } from '#dashboard/router.ts';
import { pagesUrl, requireRecentLogin } from '#dashboard/session.ts';
import { type Account, accountName } from './labels.ts';
import { SuspendDialog } from './suspend-dialog.tsx';

type HeldBackName = ResponseOf<typeof owner.operator.getAccount>['held_names'][number];

interface DialogProps {
  account: Account;
  onCancel: () => void;
  onDone: () => void;
}

const DIALOGS = {
  link: LoginLinkDialog,
  rename: RenameDialog,
  suspend: SuspendDialog,
  remove: RemoveDialog,
};

async function downloadExport(accountId: string): Promise<void> {
  if (!(await withErrorMessage(requireRecentLogin()))) return;
  const [, path] = routes['operator.exportAccount'];
  const link = document.createElement('a');
  link.href = `${path}?account_id=${accountId}`;
  // `download` keeps the browser from leaving the dashboard, which would lose unsaved changes.
  link.download = '';
  link.click();
}

export function Manage({ account, onChange }: { account: Account; onChange: () => void }) {
  const openDialogName = useSignal<keyof typeof DIALOGS>();
  const close = () => (openDialogName.value = undefined);
  const OpenDialog = openDialogName.value && DIALOGS[openDialogName.value];
  return (
    <>
      <section class="card">
        <h2>Help</h2>
        <ul class="row-list operator-manage">
          {account.state === 'active' && (
            <ActionRow
              title="Help them log in"
              description="For a lost phone or passkey. The link works once."
            >
              <button type="button" onClick={() => (openDialogName.value = 'link')}>
                Create login link
              </button>
            </ActionRow>
          )}
          <ActionRow
            title="Change the name"
            description="The page moves, and mail forwarding is turned off."
          >
            <button type="button" onClick={() => (openDialogName.value = 'rename')}>
              Rename
            </button>
          </ActionRow>
          <ActionRow
            title="Save a copy"
            description="Everything that is stored about the member, in one ZIP file."
          >
            <button type="button" onClick={() => void downloadExport(account.account_id)}>
              Export
            </button>
          </ActionRow>
        </ul>
      </section>
      <section class="card">
        <h2>Suspend or delete</h2>
        <ul class="row-list operator-manage">
          <ActionRow
            title="For a while"
            description="Page, keys, sessions and mail stop at once. Nothing is deleted."
          >
            <button
              type="button"
              class={account.state === 'active' ? 'danger' : undefined}
              onClick={() => (openDialogName.value = 'suspend')}
            >
              {account.state === 'active' ? 'Suspend account' : 'Resume account'}
            </button>
          </ActionRow>
          <ActionRow title="For good" description="Page, pictures, keys, projects and metrics.">
            <button type="button" class="danger" onClick={() => (openDialogName.value = 'remove')}>
              Delete account
            </button>
          </ActionRow>
        </ul>
      </section>
      {OpenDialog && (
        <OpenDialog
          account={account}
          onCancel={close}
          onDone={() => {
            close();
            onChange();
          }}
        />
      )}
    </>
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
      <Dialog title={`A login link for ${name}`} onCancel={onDone}>
        <p>Send it to {name} yourself. It works once, within 10 minutes, and is not shown again.</p>
        <div class="code">
          <code>{link.value}</code>
        </div>
        <div class="actions">
          <button type="button" onClick={onDone}>
            Done
          </button>
          <CopyButton text={link.value} label="Copy link" isPrimary />
        </div>
      </Dialog>
    );
  return (
    <Dialog title={`Create a login link for ${name}?`} onCancel={onCancel}>
      <RequireRecentLogin onCancel={onCancel}>
        <p>
          Anyone who opens the link is logged in as {name}. Make sure that you send it to the right
          person. The audit trail records that you created it.
        </p>
        <Form
          fields={[]}
          submitLabel="Create login link"
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
  return (
    <Dialog title={`Rename ${accountName(account)}`} onCancel={onCancel}>
      <RequireRecentLogin onCancel={onCancel}>
        <p>
          The page moves to the new address: old links and printed QR codes stop working, and mail
          forwarding is turned off.
        </p>
        <Form
          fields={['display_name']}
          submitLabel="Rename"
          isDangerous
          onCancel={onCancel}
          onSubmit={async () => {
            const { account: renamedAccount } = await owner.operator.renameAccount({
              account_id: account.account_id,
              display_name: nameInput.value,
            });
            showMessage(`Renamed to ${accountName(renamedAccount)}.`);
            onDone();
          }}
        >
          <BoundField
            signal={nameInput}
            name="display_name"
            label="New name"
            prefix={`${new URL(pagesUrl).host}/@`}
            autocomplete="off"
            spellcheck={false}
          />
        </Form>
      </RequireRecentLogin>
    </Dialog>
  );
}

function RemoveDialog({ account, onCancel }: DialogProps) {
  const nameInput = useSignal('');
  const name = account.display_name ?? account.account_id;
  return (
    <Dialog title={`Delete ${accountName(account)}?`} onCancel={onCancel}>
      <RequireRecentLogin onCancel={onCancel}>
        <p>
          Its page, pictures, keys, projects and metrics are deleted at once, and its mail stops.
          You cannot undo this. To block the account for a while, suspend it instead.
        </p>
        <Form
          fields={['confirm']}
          submitLabel="Delete account"
          isDangerous
          onCancel={onCancel}
          onSubmit={async () => {
            if (nameInput.value.trim().toLowerCase() !== name)
              throw new NameplateError('This is not the name of the account.');
            await owner.operator.removeAccount({ account_id: account.account_id });
            showMessage(`Deleted ${accountName(account)}.`);
            navigate('operator/members');
          }}
        >
          <BoundField
            signal={nameInput}
            name="confirm"
            label={`Type ${name} to confirm`}
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
    const isSure = await confirm({
      title: `Release ${display_name}?`,
      text: 'Anyone can then claim the name. Old links will lead to the new owner’s page.',
      action: 'Release',
    });
    if (!isSure || !(await withErrorMessage(owner.operator.releaseName({ display_name })))) return;
    showMessage(`Released ${display_name}.`);
    onReleased();
  };
  return (
    <section class="card">
      <h2>Names held back</h2>
      <Table
        caption="Names held back"
        rows={names}
        keyOf={({ display_name }) => display_name}
        columns={[
          { title: 'Name', cell: ({ display_name }) => <>@{display_name}</> },
          {
            title: 'Available',
            cell: ({ free_at }) =>
              free_at === null ? 'When its mail alias is deleted' : <LocalDate time={free_at} />,
          },
          {
            title: 'Action',
            isTitleHidden: true,
            cell: ({ display_name }) => (
              <button
                type="button"
                class="quiet"
                aria-label={`Release ${display_name}`}
                onClick={() => void release(display_name)}
              >
                Release
              </button>
            ),
          },
        ]}
      />
    </section>
  );
}
