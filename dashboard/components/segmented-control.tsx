import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';
import './segmented-control.css';

export function SegmentedControl<Value extends string>({
  label,
  value,
  options,
  onValue,
  look = 'segments',
}: {
  /** For screen readers. */
  label: string;
  value: Value;
  /** An icon needs a label in a `.visually-hidden` element. */
  options: readonly (readonly [value: Value, label: ComponentChildren])[];
  onValue: (value: Value) => void;
  /** Tabs switch between views, chips filter, and wide segments fill their card. */
  look?: 'segments' | 'wide segments' | 'tabs' | 'chips';
}) {
  const name = useId();
  const group = useRef<HTMLDivElement>(null);
  return (
    <div ref={group} class={look} role="radiogroup" aria-label={label}>
      {options.map(([option, content]) => (
        <label key={option} class={look === 'chips' ? 'chip picture-radio' : 'picture-radio'}>
          <input
            type="radio"
            name={name}
            checked={option === value}
            onChange={() => {
              // Keep the old state until the change succeeds.
              const index = options.findIndex(([current]) => current === value);
              const inputs = group.current!.querySelectorAll('input');
              if (inputs[index]) inputs[index].checked = true;
              onValue(option);
            }}
          />
          {content}
        </label>
      ))}
    </div>
  );
}
