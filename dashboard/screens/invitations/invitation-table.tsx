import { useSignal } from '@preact/signals';
import { LIMITS } from '#contract/shared/limits.ts';
import { type ResponseOf, owner } from '#dashboard/api/api.ts';
import { confirm } from '#dashboard/components/confirm.tsx';
import { BoundField } from '#dashboard/components/field.tsx';
import { Form } from '#dashboard/components/form.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Menu } from '#dashboard/components/menu.tsx';
import { showMessage, withErrorMessage } from '#dashboard/components/messages.tsx';
import { Table } from '#dashboard/components/table.tsx';
import { LocalDate, TimeAgo } from '#dashboard/components/time.tsx';
import { visuallyHidden } from '#dashboard/components/visually-hidden.tsx';
import { dashboardHref } from '#dashboard/router.ts';
import { canMailLoginLinks } from '#dashboard/session.ts';
import { t } from '#dashboard/translate.ts';
import { downloadCsv } from './download-csv.ts';
import './invitations.css';

type Invitation = ResponseOf<typeof owner.invitations.listInvitations>['invitations'][number];

const PILLS: Record<string, { text: string; tone: string }> = {
  open: { text: t('Open link'), tone: 'good' },
  waiting: { text: t('Waiting'), tone: '' },
  sent: { text: t('Sent'), tone: '' },
  failed: { text: t('Failed'), tone: 'bad' },
  accepted: { text: t('invitation|Joined'), tone: 'good' },
  expired: { text: t('Expired'), tone: '' },
};

export async function resend(
  selection: Parameters<typeof owner.invitations.sendInvitations>[0],
  onDone: () => void,
): Promise<void> {
  const result = await withErrorMessage(owner.invitations.sendInvitations(selection));
  if (!result) return;
  showSent(result);
  onDone();
}

function showSent(result: ResponseOf<typeof owner.invitations.sendInvitations>): void {
  if (result.links_csv !== null) downloadCsv(result.links_csv, 'invitation-links.csv');
  const count = result.resent;
  if (count === 0)
    return showMessage(
      t('Nothing was sent: they have joined, or the mail is less than an hour old.'),
    );
  showMessage(
    result.links_csv === null
      ? t('Sending {count, plural, one {# invitation} other {# invitations}} again.', { count })
      : t('Downloaded new links for {count, plural, one {# invitation} other {# invitations}}.', {
          count,
        }),
  );
}

export function InvitationTable({
  invitations,
  onChange,
}: {
  invitations: readonly Invitation[];
  onChange: () => void;
}) {
  const corrected = useSignal<string>();
  const cancel = () => (corrected.value = undefined);
  return (
    <Table
      caption={t('Invitations')}
      rows={invitations}
      rowKey={({ id: invitation_id }) => invitation_id}
      columns={[
        {
          title: t('For'),
          cell: (invitation) => (
            <>
              <Person invitation={invitation} />
              {corrected.value === invitation.id && (
                <Correction
                  invitation={invitation}
                  onCancel={cancel}
                  onDone={() => {
                    cancel();
                    onChange();
                  }}
                />
              )}
            </>
          ),
        },
        { title: t('State'), cell: (invitation) => <State invitation={invitation} /> },
        {
          title: t('Expires'),
          cellClass: 'invitation-expiry',
          cell: ({ state, expires_at }) =>
            state === 'accepted' ? null : <LocalDate time={expires_at} />,
        },
      ]}
      actions={(invitation) =>
        invitation.state === 'accepted' || invitation.id === corrected.value ? null : (
          <Actions
            invitation={invitation}
            onCorrect={() => (corrected.value = invitation.id)}
            onChange={onChange}
          />
        )
      }
    />
  );
}

async function revoke(
  { id: invitation_id, name, note }: Invitation,
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
  if (!(await withErrorMessage(owner.invitations.revokeInvitation({ invitation_id })))) return;
  showMessage(t('Revoked the invitation.'));
  onRevoked();
}

function Actions({
  invitation,
  onCorrect,
  onChange,
}: {
  invitation: Invitation;
  onCorrect: () => void;
  onChange: () => void;
}) {
  const { id: invitation_id, state, name, email, note } = invitation;
  const label = name ?? email ?? note ?? t('anyone');
  const sendAgain = () => void resend({ invitation_ids: [invitation_id] }, onChange);
  const isFailed = state === 'failed';
  return (
    <div class="row">
      {email !== null && state !== 'waiting' && (
        <button type="button" class="quiet" onClick={isFailed ? onCorrect : sendAgain}>
          {isFailed
            ? t.rich('Correct<hidden> the address of {label}</hidden>', {
                label,
                hidden: visuallyHidden,
              })
            : t.rich('Send again<hidden> to {label}</hidden>', { label, hidden: visuallyHidden })}
        </button>
      )}
      <Menu
        label={t('More for {name}', { name: label })}
        items={() => [
          ...(email === null
            ? []
            : [
                isFailed
                  ? { label: t('Send again'), iconPath: ICON_PATHS.refresh, run: sendAgain }
                  : { label: t('Correct address'), iconPath: ICON_PATHS.edit, run: onCorrect },
              ]),
          {
            label: t('Revoke'),
            iconPath: ICON_PATHS.close,
            isDangerous: true,
            run: () => revoke(invitation, onChange),
          },
        ]}
      />
    </div>
  );
}

function Correction({
  invitation: { id: invitation_id, email },
  onCancel,
  onDone,
}: {
  invitation: Invitation;
  onCancel: () => void;
  onDone: () => void;
}) {
  const address = useSignal(email ?? '');
  return (
    <div class="invitation-correction">
      <Form
        fields={['email']}
        submitLabel={canMailLoginLinks ? t('Save and send') : t('Save')}
        onCancel={onCancel}
        onSubmit={async () => {
          showSent(
            await owner.invitations.updateInvitation({
              invitation_id,
              email: address.value.trim(),
            }),
          );
          onDone();
        }}
      >
        <BoundField
          signal={address}
          name="email"
          type="email"
          label={t('Email address')}
          maxLength={LIMITS.email}
          autocomplete="off"
          autofocus
        />
      </Form>
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
      <div class="row hint">
        {name !== null && email !== null && <span>{email}</span>}
        {display_name && <span>@{display_name}</span>}
      </div>
    </>
  );
}

function State({ invitation }: { invitation: Invitation }) {
  const { state, max_uses, uses, mail_error, mail_tries } = invitation;
  const { accepted_at, sent_at, created_at } = invitation;
  const { text, tone } = PILLS[state] ?? { text: state, tone: '' };
  const detail =
    max_uses > 1
      ? t('{count, number} of {total, number} joined', { count: uses, total: max_uses })
      : state === 'failed'
        ? describeRefusal(mail_error)
        : state === 'waiting' && mail_error !== null
          ? t('Tried {count, plural, one {# time} other {# times}}', { count: mail_tries })
          : undefined;
  return (
    <>
      <span class="row invitation-state">
        <span class={`pill ${tone}`}>{text}</span>
        <span class="hint">
          <TimeAgo time={accepted_at ?? sent_at ?? created_at} />
        </span>
      </span>
      {detail && <div class="hint">{detail}</div>}
    </>
  );
}

/** Status codes of RFC 5321. */
export function describeRefusal(error: string | null): string {
  const status = /(?<!\d)\d+$/.exec(error ?? '')?.[0];
  if (status === '550' || status === '551' || status === '553')
    return t('The mail server does not know the address.');
  return status === '552' ? t('The mailbox is full.') : t('The mail server refused the mail.');
}
