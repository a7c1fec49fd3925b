import { signal } from '@preact/signals';
import { encode } from 'uqr';
import { owner } from '#dashboard/api/api.ts';
import { CopyButton } from '#dashboard/components/copy-button.tsx';
import { BoundField } from '#dashboard/components/field.tsx';
import { showFormDialog } from '#dashboard/components/form-dialog.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { Plate } from '#dashboard/components/plate.tsx';
import { instance } from '#dashboard/instance.ts';
import { forwardsMail } from '#dashboard/session.ts';
import { t } from '#dashboard/translate.ts';
import { lostLinkError } from '../members/labels.ts';
import './invitations.css';

export interface NewLink {
  url: string;
  maxUses: number;
  expiresAt: string;
}

const CARDS_PER_SHEET = 4;
const WEEK_MS = 604_800_000;

const dayFormat = new Intl.DateTimeFormat(t.locale, {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
});

/** The value of an `<input type="date">`, in local time. */
function toDateInput(date: Date): string {
  const pad = (number: number) => String(number).padStart(2, '0');
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
}

export function createLink(onCreated: (link: NewLink) => void): void {
  const note = signal('');
  const maxUses = signal('30');
  const lastDay = signal(toDateInput(new Date(Date.now() + WEEK_MS)));
  void showFormDialog({
    title: t('Create an invitation link'),
    fields: ['note', 'max_uses', 'expires_at'],
    submitLabel: t('Create link'),
    onSubmit: async () => {
      const max_uses = Number(maxUses.value);
      const { invitation_url: url, invitation } = await owner.invitations.createInvitationLink({
        max_uses,
        // Until the end of the day.
        expires_at: lastDay.value && new Date(`${lastDay.value}T23:59:59`).toISOString(),
        note: note.value.trim() || undefined,
      });
      if (url === null) throw lostLinkError();
      onCreated({ url, maxUses: max_uses, expiresAt: invitation.expires_at });
    },
    render: () => (
      <>
        <div class="invitation-link-fields">
          <BoundField signal={maxUses} name="max_uses" label={t('How many people')} type="number" />
          <BoundField signal={lastDay} name="expires_at" label={t('Last day')} type="date" />
        </div>
        <BoundField
          signal={note}
          name="note"
          label={t('For')}
          hint={t('Only operators see this note.')}
          placeholder={t('Autumn training weekend')}
          maxLength={200}
        />
      </>
    ),
  });
}

export function LinkCard({
  link: { url, maxUses, expiresAt },
  onClose,
}: {
  link: NewLink;
  onClose: () => void;
}) {
  const until = dayFormat.format(new Date(expiresAt));
  return (
    <>
      <section class="card shown-once invitation-link">
        <QrCode text={url} />
        <div>
          <h2>{t('The link is ready')}</h2>
          <p class="muted">
            {t('{count, plural, one {For one person} other {For # people}}, until {until}.', {
              count: maxUses,
              until,
            })}
          </p>
          <div class="code">
            <code>{url}</code>
            <CopyButton text={url} label={t('Copy link')} isPrimary />
          </div>
          <p class="note">
            <Icon path={ICON_PATHS.warning} />
            {t('Copy or print it now. It is not shown again.')}
          </p>
          <div class="row">
            <button type="button" onClick={() => print()}>
              {t('Print {count} cards', { count: CARDS_PER_SHEET })}
            </button>
            <button type="button" class="quiet" onClick={onClose}>
              {t('I saved it')}
            </button>
          </div>
        </div>
      </section>
      <div class="invitation-cards" aria-hidden="true">
        {Array.from({ length: CARDS_PER_SHEET }, (_, index) => (
          <div key={index}>
            <Plate>{instance.value.name ?? location.host}</Plate>
            <h3>{t('Your name is waiting')}</h3>
            <p>
              {forwardsMail
                ? t('Your own page and a mail address, in about two minutes.')
                : t('Your own page, in about two minutes.')}
            </p>
            <QrCode text={url} />
            <p>
              <strong>{t('Scan the code to join')}</strong>
              <br />
              {t('{count, plural, one {Until {until}} other {For # people, until {until}}}', {
                count: maxUses,
                until,
              })}
            </p>
          </div>
        ))}
      </div>
    </>
  );
}

/** Black on white even in dark mode, because many scanners read nothing else. */
function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 2 });
  const path = data.flatMap((row, y) =>
    row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')),
  );
  return (
    <svg
      class="invitation-qr"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={t('QR code of the link')}
      shape-rendering="crispEdges"
    >
      <path fill="#fff" d={`M0 0h${size}v${size}H0z`} />
      <path d={path.join('')} />
    </svg>
  );
}
