import { type ResponseOf, owner } from '#dashboard/api/api.ts';
import { confirm } from '#dashboard/components/confirm.tsx';
import { showMessage, withErrorMessage } from '#dashboard/components/messages.tsx';
import { Table } from '#dashboard/components/table.tsx';
import { LocalDate } from '#dashboard/components/time.tsx';
import { dashboardHref } from '#dashboard/router.ts';
import { t } from '#dashboard/translate.ts';
import { downloadCsv } from './member-csv.ts';

type Invitation = ResponseOf<typeof owner.operator.listInvitations>['invitations'][number];

const PILLS: Record<string, readonly [text: string, tone: string]> = {
  open: [t('Open link'), 'good'],
  waiting: [t('Waiting'), ''],
  sent: [t('No answer'), ''],
  failed: [t('Failed'), 'bad'],
  accepted: [t('invitation|Joined'), 'good'],
  expired: [t('Expired'), ''],
};

export async function resend(ids: readonly string[], onDone: () => void): Promise<void> {
  const result = await withErrorMessage(
    owner.operator.resendInvitations({ invitation_ids: [...ids] }),
  );
  if (!result) return;
  if (result.links_csv !== null) downloadCsv(result.links_csv, 'invitation-links.csv');
  const count = result.resent;
  showMessage(
    result.links_csv === null
      ? t('Sending {count, plural, one {# invitation} other {# invitations}} again.', { count })
      : t('Downloaded new links for {count, plural, one {# invitation} other {# invitations}}.', {
          count,
        }),
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
  return (
    <Table
      caption={t('Invitations')}
      rows={invitations}
      keyOf={({ invitation_id }) => invitation_id}
      columns={[
        { title: t('For'), cell: (invitation) => <Person invitation={invitation} /> },
        { title: t('State'), cell: (invitation) => <State invitation={invitation} /> },
        { title: t('Created'), cell: ({ created_at }) => <LocalDate time={created_at} /> },
        {
          title: t('Expires'),
          cell: ({ state, expires_at }) =>
            state === 'accepted' ? null : <LocalDate time={expires_at} />,
        },
        {
          title: t('Action'),
          isTitleHidden: true,
          cell: (invitation) =>
            invitation.state === 'accepted' ? null : (
              <Actions invitation={invitation} onChange={onChange} />
            ),
        },
      ]}
    />
  );
}

async function revoke(
  { invitation_id, name, note }: Invitation,
  onRevoked: () => void,
): Promise<void> {
  const isConfirmed = await confirm({
    title: t('Revoke the invitation?'),
    text: t('{person} can no longer sign up with it. You cannot undo this.', {
      person: name ?? note ?? t('Anyone with the link'),
    }),
    action: t('Revoke'),
  });
  if (!isConfirmed) return;
  if (!(await withErrorMessage(owner.operator.revokeInvitation({ invitation_id })))) return;
  showMessage(t('Revoked the invitation.'));
  onRevoked();
}

function Actions({ invitation, onChange }: { invitation: Invitation; onChange: () => void }) {
  const { invitation_id, state, name, email, note } = invitation;
  const label = name ?? email ?? note ?? t('anyone');
  return (
    <div class="row member-actions">
      {email !== null && state !== 'waiting' && (
        <button
          type="button"
          class="quiet"
          aria-label={t('Send again to {label}', { label })}
          onClick={() => void resend([invitation_id], onChange)}
        >
          {t('Send again')}
        </button>
      )}
      <button
        type="button"
        class="quiet danger"
        aria-label={t('Revoke the invitation for {label}', { label })}
        onClick={() => void revoke(invitation, onChange)}
      >
        {t('Revoke')}
      </button>
    </div>
  );
}

function Person({ invitation }: { invitation: Invitation }) {
  const { name, email, note, display_name, account_id, max_uses } = invitation;
  const title = name ?? email ?? note ?? (max_uses > 1 ? t('A group') : t('Anyone'));
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
      ? t('{count, number} of {total, number} joined', { count: uses, total: max_uses })
      : state === 'failed'
        ? describeRefusal(mail_error)
        : state === 'waiting' && mail_error !== null
          ? t('Tried {count, plural, one {# time} other {# times}} ({error})', {
              count: mail_tries,
              error: mail_error,
            })
          : undefined;
  return (
    <>
      <span class={`pill ${tone}`}>{text}</span>
      {detail && <div class={max_uses > 1 ? 'hint member-uses' : 'hint'}>{detail}</div>}
    </>
  );
}

/** Status codes of RFC 5321. */
function describeRefusal(error: string | null): string {
  const status = /\d+$/.exec(error ?? '')?.[0];
  if (status === '550' || status === '551' || status === '553')
    return t('The mail server does not know the address ({status}).', { status });
  if (status === '552') return t('The mailbox is full (552).');
  return t('The mail server refused the mail ({error}).', { error: status ?? error ?? '' });
}
