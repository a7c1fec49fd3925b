import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import './segmented-control.css';

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
  /** An icon needs a label in a `.visually-hidden` element. */
  options: readonly (readonly [value: Value, label: ComponentChildren])[];
  onValue: (value: Value) => void;
  isWide?: boolean;
}) {
  const name = useId();
  return (
    <div class={isWide ? 'segments wide' : 'segments'} role="radiogroup" aria-label={label}>
      {options.map(([option, content]) => (
        <label key={option} class="picture-radio">
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
