import { useSignal } from '@preact/signals';
import { type ResponseOf, owner } from '#dashboard/api/api.ts';
import { ApiCall } from '#dashboard/components/api-call.tsx';
import { confirm } from '#dashboard/components/confirm.tsx';
import { CopyButton } from '#dashboard/components/copy-button.tsx';
import { Dialog } from '#dashboard/components/dialog.tsx';
import { BoundField } from '#dashboard/components/field.tsx';
import { Form } from '#dashboard/components/form.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { showMessage, withErrorMessage } from '#dashboard/components/messages.tsx';
import { SegmentedControl } from '#dashboard/components/segmented-control.tsx';
import { Empty, AsyncContent } from '#dashboard/components/async-content.tsx';
import { ScreenHeader } from '#dashboard/components/screen-header.tsx';
import { Table } from '#dashboard/components/table.tsx';
import { LocalDate } from '#dashboard/components/time.tsx';
import { BackToMembers } from './back-to-members.tsx';
import { ShowMore } from './show-more.tsx';
import { useBatches } from '#dashboard/components/use-batches.ts';

type Invitation = ResponseOf<typeof owner.operator.listInvitations>['invitations'][number];

const VALIDITY_DAYS = [
  ['1', '1 day'],
  ['7', '7 days'],
  ['30', '30 days'],
] as const;

const EXAMPLE_CSV = 'name,email\nJane Doe,jane@example.com\n';

export function Invitations() {
  const { loaded, batches, loadMore } = useBatches((cursor) =>
    owner.operator.listInvitations(cursor),
  );
  const isCreating = useSignal(false);
  const link = useSignal<string>();
  const close = () => (isCreating.value = false);
  const invitations = batches.flatMap((batch) => batch.invitations);
  return (
    <>
      <BackToMembers />
      <ScreenHeader title="Invitations" />
      {isCreating.value && (
        <Dialog title="Create invitation" onCancel={close}>
          <CreateInvitation
            onCancel={close}
            onCreated={(createdLink) => {
              close();
              link.value = createdLink;
              loaded.reload();
            }}
          />
        </Dialog>
      )}
      {link.value && (
        <section class="card operator-link">
          <h2>The invitation is ready</h2>
          <div class="code">
            <code>{link.value}</code>
            <CopyButton text={link.value} label="Copy link" isPrimary />
          </div>
          <div class="row between">
            <p class="note">
              <Icon path={ICON_PATHS.warning} />
              Copy it now. It works once, and this is the only time it is shown.
            </p>
            <button type="button" onClick={() => (link.value = undefined)}>
              I saved it
            </button>
          </div>
        </section>
      )}
      <section class="card">
        <div class="card-head">
          <h2>Open invitations</h2>
          <button
            type="button"
            class={link.value ? undefined : 'primary'}
            onClick={() => (isCreating.value = true)}
          >
            <Icon path={ICON_PATHS.plus} />
            Create invitation
          </button>
        </div>
        <AsyncContent state={loaded}>
          {() =>
            invitations.length === 0 ? (
              <Empty icon={ICON_PATHS.mail} title="No open invitations">
                <p class="muted">An invitation is a link that lets one person sign up.</p>
              </Empty>
            ) : (
              <>
                <InvitationTable invitations={invitations} onRevoked={loaded.reload} />
                <ShowMore onMore={loadMore} />
              </>
            )
          }
        </AsyncContent>
        <ApiCall
          endpoint="operator.listInvitations"
          otherCalls={[
            ['operator.createInvitation', { days: 7, note: 'Jane Doe' }],
            ['operator.checkMembers', { csv: EXAMPLE_CSV }],
            ['operator.inviteMembers', { csv: EXAMPLE_CSV, mail: false }],
            ['operator.resendInvitations', { invitation_ids: [invitations[0]?.id ?? 'id'] }],
            ['operator.revokeInvitation', { invitation_id: invitations[0]?.id ?? 'id' }],
          ]}
        />
      </section>
    </>
  );
}

function InvitationTable({
  invitations,
  onRevoked,
}: {
  invitations: readonly Invitation[];
  onRevoked: () => void;
}) {
  const revoke = async ({ id, note }: Invitation) => {
    const isSure = await confirm({
      title: 'Revoke the invitation?',
      text: `${note ?? 'Anyone with the link'} can no longer sign up with it. You cannot undo this.`,
      action: 'Revoke',
    });
    if (
      !isSure ||
      !(await withErrorMessage(owner.operator.revokeInvitation({ invitation_id: id })))
    )
      return;
    showMessage('Revoked the invitation.');
    onRevoked();
  };
  return (
    <Table
      caption="Invitations"
      rows={invitations}
      keyOf={({ id }) => id}
      columns={[
        {
          title: 'For',
          cell: ({ note }) =>
            note === null ? <span class="muted">Anyone</span> : <span class="strong">{note}</span>,
        },
        { title: 'Created', cell: ({ created_at }) => <LocalDate time={created_at} /> },
        { title: 'Expires', cell: ({ expires_at }) => <LocalDate time={expires_at} /> },
        {
          title: 'Action',
          isTitleHidden: true,
          cell: (invitation) => (
            <button
              type="button"
              class="quiet danger"
              aria-label={`Revoke the invitation for ${invitation.note ?? 'anyone'}`}
              onClick={() => void revoke(invitation)}
            >
              Revoke
            </button>
          ),
        },
      ]}
    />
  );
}

function CreateInvitation({
  onCreated,
  onCancel,
}: {
  onCreated: (link: string) => void;
  onCancel: () => void;
}) {
  const note = useSignal('');
  const days = useSignal<(typeof VALIDITY_DAYS)[number][0]>('7');
  return (
    <Form
      fields={['note', 'days']}
      submitLabel="Create invitation"
      onCancel={onCancel}
      onSubmit={async () => {
        const trimmedNote = note.value.trim();
        const { invitation_link } = await owner.operator.createInvitation({
          days: Number(days.value),
          ...(trimmedNote && { note: trimmedNote }),
        });
        if (invitation_link !== null) onCreated(invitation_link);
      }}
    >
      <BoundField
        signal={note}
        name="note"
        label="For"
        hint="Only operators see this note."
        placeholder="Jane Doe"
        maxLength={200}
      />
      <div>
        <p class="label">Valid for</p>
        <SegmentedControl
          label="Valid for"
          value={days.value}
          options={VALIDITY_DAYS}
          onValue={(value) => (days.value = value)}
          isWide
        />
      </div>
    </Form>
  );
}
