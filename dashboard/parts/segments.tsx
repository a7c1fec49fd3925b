import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

/** One of a few choices, side by side. */
export function Segments<Value extends string>({
  label,
  value,
  options,
  onValue,
  isWide = false,
}: {
  /** Label for those who do not see what the choices are about. */
  label: string;
  value: Value;
  /** Values with what is shown for each; an icon needs its name in an `.unseen` element. */
  options: readonly (readonly [value: Value, shown: ComponentChildren])[];
  onValue: (value: Value) => void;
  /** Whether it takes all of the line. */
  isWide?: boolean;
}) {
  const name = useId();
  return (
    <div class={isWide ? 'segments wide' : 'segments'} role="radiogroup" aria-label={label}>
      {options.map(([option, shown]) => (
        <label key={option}>
          <input
            type="radio"
            name={name}
            checked={option === value}
            onChange={() => onValue(option)}
          />
          {shown}
        </label>
      ))}
    </div>
  );
}
