import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

/** Radio buttons in a row. */
export function SegmentedControl<Value extends string>({
  label,
  value,
  options,
  onValue,
  isWide = false,
}: {
  /** For screen readers. */
  label: string;
  value: Value;
  /** An icon needs a label in an `.unseen` element. */
  options: readonly (readonly [value: Value, label: ComponentChildren])[];
  onValue: (value: Value) => void;
  /** Whether it takes the full width. */
  isWide?: boolean;
}) {
  const name = useId();
  return (
    <div class={isWide ? 'segments wide' : 'segments'} role="radiogroup" aria-label={label}>
      {options.map(([option, content]) => (
        <label key={option}>
          <input
            type="radio"
            name={name}
            checked={option === value}
            onChange={() => onValue(option)}
          />
          {content}
        </label>
      ))}
    </div>
  );
}
