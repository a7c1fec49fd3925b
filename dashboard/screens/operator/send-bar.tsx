import { useSignal } from '@preact/signals';
import { SegmentedControl } from '#dashboard/components/segmented-control.tsx';
import { canMailLoginLinks } from '#dashboard/session.ts';
import type { CheckedMember } from './member-csv.ts';

const VALIDITY_DAYS = [
  ['7', '7 days'],
  ['14', '14 days'],
  ['30', '30 days'],
] as const;

export function SendBar({
  members,
  onBack,
  onSend,
}: {
  members: readonly CheckedMember[];
  onBack: () => void;
  onSend: (days: number) => Promise<void>;
}) {
  const days = useSignal<(typeof VALIDITY_DAYS)[number][0]>('14');
  const isSending = useSignal(false);
  const readyCount = members.filter(({ state }) => state === 'ready').length;
  const problemCount = members.filter(({ state }) => state === 'problem').length;
  const invitations = readyCount === 1 ? '1 invitation' : `${readyCount} invitations`;
  const send = async () => {
    if (isSending.peek()) return;
    isSending.value = true;
    await onSend(Number(days.value));
    isSending.value = false;
  };
  return (
    <div class="card member-send">
      <p>
        <strong>{invitations} ready.</strong>{' '}
        {problemCount > 0 && (
          <span class="muted">
            {problemCount === 1 ? 'The other one waits' : `The other ${problemCount} wait`} until
            you have had a look.
          </span>
        )}
      </p>
      <div class="row">
        <span class="muted">Valid for</span>
        <SegmentedControl
          label="Valid for"
          value={days.value}
          options={VALIDITY_DAYS}
          onValue={(value) => (days.value = value)}
        />
        <button type="button" class="quiet" onClick={onBack}>
          Back
        </button>
        <button
          type="button"
          class="primary"
          disabled={readyCount === 0}
          aria-busy={isSending.value}
          onClick={() => void send()}
        >
          {canMailLoginLinks
            ? `Send ${invitations}`
            : `Create ${readyCount === 1 ? '1 link' : `${readyCount} links`}`}
        </button>
      </div>
    </div>
  );
}
