import { type ResponseOf, owner } from '#dashboard/api/api.ts';
import { confirm } from '#dashboard/components/confirm.tsx';
import { showMessage, withErrorMessage } from '#dashboard/components/messages.tsx';
import { Table } from '#dashboard/components/table.tsx';
import { LocalDate } from '#dashboard/components/time.tsx';
import { dashboardHref } from '#dashboard/router.ts';
import { downloadCsv } from './member-csv.ts';

type Invitation = ResponseOf<typeof owner.operator.listInvitations>['invitations'][number];

const PILLS: Record<string, readonly [text: string, tone: string]> = {
  open: ['Open link', 'good'],
  waiting: ['Waiting', ''],
  sent: ['No answer', ''],
  failed: ['Failed', 'bad'],
  accepted: ['Joined', 'good'],
  expired: ['Expired', ''],
};

export async function resend(ids: readonly string[], onDone: () => void): Promise<void> {
  const result = await withErrorMessage(
    owner.operator.resendInvitations({ invitation_ids: [...ids] }),
  );
  if (!result) return;
  if (result.links_csv !== null) downloadCsv(result.links_csv, 'invitation-links.csv');
  const count = result.resent === 1 ? '1 invitation' : `${result.resent} invitations`;
  showMessage(
    result.links_csv === null ? `Sending ${count} again.` : `Downloaded new links for ${count}.`,
  );
  onDone();
}

export function InvitationTable({
  invitations,
  onChange,
}: {
  invitations: readonly Invitation[];
  onChange: () => void;
}) {
  const revoke = async (invitation: Invitation) => {
    const isSure = await confirm({
      title: 'Revoke the invitation?',
      text: `${invitation.name ?? invitation.note ?? 'Anyone with the link'} can no longer sign up with it. You cannot undo this.`,
      action: 'Revoke',
    });
    const revoked =
      isSure &&
      (await withErrorMessage(owner.operator.revokeInvitation({ invitation_id: invitation.id })));
    if (!revoked) return;
    showMessage('Revoked the invitation.');
    onChange();
  };
  return (
    <Table
      caption="Invitations"
      rows={invitations}
      keyOf={({ id }) => id}
      columns={[
        { title: 'For', cell: (invitation) => <Person invitation={invitation} /> },
        { title: 'State', cell: (invitation) => <State invitation={invitation} /> },
        { title: 'Created', cell: ({ created_at }) => <LocalDate time={created_at} /> },
        {
          title: 'Expires',
          cell: ({ state, expires_at }) =>
            state === 'accepted' ? null : <LocalDate time={expires_at} />,
        },
        {
          title: 'Action',
          isTitleHidden: true,
          cell: (invitation) => {
            if (invitation.state === 'accepted') return null;
            const label = invitation.name ?? invitation.email ?? invitation.note ?? 'anyone';
            return (
              <div class="row member-actions">
                {invitation.email !== null && invitation.state !== 'waiting' && (
                  <button
                    type="button"
                    class="quiet"
                    aria-label={`Send again to ${label}`}
                    onClick={() => void resend([invitation.id], onChange)}
                  >
                    Send again
                  </button>
                )}
                <button
                  type="button"
                  class="quiet danger"
                  aria-label={`Revoke the invitation for ${label}`}
                  onClick={() => void revoke(invitation)}
                >
                  Revoke
                </button>
              </div>
            );
          },
        },
      ]}
    />
  );
}

function Person({ invitation }: { invitation: Invitation }) {
  const { name, email, note, display_name, account_id, max_uses } = invitation;
  const title = name ?? email ?? note ?? (max_uses > 1 ? 'A group' : 'Anyone');
  return (
    <>
      {account_id === null ? (
        <span class="strong">{title}</span>
      ) : (
        <a class="strong" href={dashboardHref(`operator/members/${account_id}`)}>
          {title}
        </a>
      )}
      <div class="hint operator-email">
        {[display_name && `@${display_name}`, name !== null && email].filter(Boolean).join(' · ')}
      </div>
    </>
  );
}

function State({ invitation }: { invitation: Invitation }) {
  const { state, max_uses, uses, mail_error, mail_tries } = invitation;
  const [text, tone] = PILLS[state] ?? [state, ''];
  const detail =
    max_uses > 1
      ? `${uses} of ${max_uses} joined`
      : state === 'failed'
        ? describeRefusal(mail_error)
        : state === 'waiting' && mail_error !== null
          ? `Tried ${mail_tries === 1 ? 'once' : `${mail_tries} times`} (${mail_error})`
          : undefined;
  return (
    <>
      <span class={`pill ${tone}`}>{text}</span>
      {detail && <div class="hint">{detail}</div>}
    </>
  );
}

/** Status codes of RFC 5321. */
function describeRefusal(error: string | null): string {
  const status = /\d+$/.exec(error ?? '')?.[0];
  if (status === '550' || status === '551' || status === '553')
    return `The mail server does not know the address (${status}).`;
  if (status === '552') return 'The mailbox is full (552).';
  return `The mail server refused the mail (${status ?? error}).`;
}
