import { useSignal } from '@preact/signals';
import { SegmentedControl } from '#dashboard/components/segmented-control.tsx';
import { dashboardHref } from '#dashboard/router.ts';
import { canMailLoginLinks, isLocalhost } from '#dashboard/session.ts';
import { t } from '#dashboard/translate.ts';
import { listedGroups } from '../invitations/listed-groups.tsx';
import type { CheckedMember } from '../invitations/member-csv.ts';
import { mailOptions } from './mail-preview.tsx';
import './messages.css';

const VALIDITY_DAYS = [
  ['7', t('{count, plural, one {# day} other {# days}}', { count: 7 })],
  ['14', t('{count, plural, one {# day} other {# days}}', { count: 14 })],
  ['30', t('{count, plural, one {# day} other {# days}}', { count: 30 })],
] as const;

export function SendBar({
  members,
  onBack,
  onSend,
}: {
  members: readonly CheckedMember[];
  onBack: () => void;
  onSend: () => Promise<void>;
}) {
  const { days } = mailOptions.value;
  const isSending = useSignal(false);
  const readyCount = members.filter(({ state }) => state === 'ready').length;
  const problemCount = members.filter(({ state }) => state === 'problem').length;
  const send = async () => {
    if (isSending.peek()) return;
    isSending.value = true;
    await onSend();
    isSending.value = false;
  };
  return (
    <div class="card row between message-send">
      <p>
        <strong>
          {t('{count, plural, one {# invitation} other {# invitations}} ready.', {
            count: readyCount,
          })}
        </strong>{' '}
        {problemCount > 0 && (
          <span class="muted">
            {t(
              '{count, plural, one {The other one waits} other {The other # wait}} until you have had a look.',
              { count: problemCount },
            )}
          </span>
        )}{' '}
        {isLocalhost &&
          t.rich('The links open only on this computer. <link>How to change that</link>', {
            link: (children) => <a href={dashboardHref('operator#addressSet')}>{children}</a>,
          })}
      </p>
      <div class="row">
        {readyCount > 0 && (
          <>
            <span class="muted">{t('Valid for')}</span>
            <SegmentedControl
              label={t('Valid for')}
              value={String(days)}
              options={VALIDITY_DAYS}
              onValue={(value) =>
                (mailOptions.value = { ...mailOptions.peek(), days: Number(value) })
              }
            />
          </>
        )}
        <button type="button" class="quiet" onClick={onBack}>
          {t('Back')}
        </button>
        <button
          type="button"
          class="primary"
          disabled={readyCount === 0 && !listedGroups.value}
          aria-busy={isSending.value}
          onClick={() => void send()}
        >
          {readyCount === 0 && listedGroups.value
            ? t('Save groups')
            : canMailLoginLinks
              ? t('Send {count, plural, one {# invitation} other {# invitations}}', {
                  count: readyCount,
                })
              : t('Create {count, plural, one {# link} other {# links}}', { count: readyCount })}
        </button>
      </div>
    </div>
  );
}
