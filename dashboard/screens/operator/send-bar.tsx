import { signal, useSignal } from '@preact/signals';
import { SegmentedControl } from '#dashboard/components/segmented-control.tsx';
import { canMailLoginLinks } from '#dashboard/session.ts';
import { language, t } from '#dashboard/translate.ts';
import { type MailOptions, MailPreview } from './mail-preview.tsx';
import type { CheckedMember } from './member-csv.ts';

const VALIDITY_DAYS = [
  ['7', t('{count, plural, one {# day} other {# days}}', { count: 7 })],
  ['14', t('{count, plural, one {# day} other {# days}}', { count: 14 })],
  ['30', t('{count, plural, one {# day} other {# days}}', { count: 30 })],
] as const;

/** Kept in the module, like the list, so that they survive navigation to other screens. */
const options = signal<MailOptions>({ language, sentence: null });

export function SendBar({
  members,
  onBack,
  onSend,
}: {
  members: readonly CheckedMember[];
  onBack: () => void;
  onSend: (days: number, options: MailOptions) => Promise<void>;
}) {
  const days = useSignal<(typeof VALIDITY_DAYS)[number][0]>('14');
  const isSending = useSignal(false);
  const ready = members.filter(({ state }) => state === 'ready');
  const readyCount = ready.length;
  const problemCount = members.filter(({ state }) => state === 'problem').length;
  const send = async () => {
    if (isSending.peek()) return;
    isSending.value = true;
    await onSend(Number(days.value), options.value);
    isSending.value = false;
  };
  return (
    <>
      {canMailLoginLinks && ready[0] && (
        <MailPreview
          member={ready[0]}
          days={Number(days.value)}
          options={options.value}
          onOptions={(changed) => (options.value = changed)}
        />
      )}
      <div class="card member-send">
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
          )}
        </p>
        <div class="row">
          <span class="muted">{t('Valid for')}</span>
          <SegmentedControl
            label={t('Valid for')}
            value={days.value}
            options={VALIDITY_DAYS}
            onValue={(value) => (days.value = value)}
          />
          <button type="button" class="quiet" onClick={onBack}>
            {t('Back')}
          </button>
          <button
            type="button"
            class="primary"
            disabled={readyCount === 0}
            aria-busy={isSending.value}
            onClick={() => void send()}
          >
            {canMailLoginLinks
              ? t('Send {count, plural, one {# invitation} other {# invitations}}', {
                  count: readyCount,
                })
              : t('Create {count, plural, one {# link} other {# links}}', { count: readyCount })}
          </button>
        </div>
      </div>
    </>
  );
}
