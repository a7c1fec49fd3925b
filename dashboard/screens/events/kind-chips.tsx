import { t } from '#dashboard/translate.ts';
import './events.css';

/** One line of chips that filters a list. An empty value shows everything. */
export function KindChips({
  label,
  value = '',
  kinds,
  onValue,
}: {
  /** For screen readers. */
  label: string;
  value: string | undefined;
  kinds: readonly (readonly [value: string, title: string])[];
  onValue: (value: string) => void;
}) {
  return (
    <div class="row event-kinds" role="group" aria-label={label}>
      {[['', t('All')] as const, ...kinds].map(([kind, title]) => (
        <button
          key={kind}
          type="button"
          class="chip"
          aria-pressed={value === kind}
          onClick={() => onValue(kind)}
        >
          {title}
        </button>
      ))}
    </div>
  );
}
