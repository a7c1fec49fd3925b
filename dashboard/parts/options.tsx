import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

/** One of a few choices below each other, each with a line about it. */
export function Options({
  label,
  to,
  options,
}: {
  label: string;
  /** Value that is chosen. */
  to: Signal<string>;
  options: readonly { value: string; title: string; about: string; mark?: ComponentChildren }[];
}) {
  const id = useId();
  return (
    <fieldset>
      <legend class="label">{label}</legend>
      <div class="options">
        {options.map(({ value, title, about, mark }) => (
          <label key={value} class="option">
            <input
              type="radio"
              name={id}
              checked={to.value === value}
              aria-label={title}
              aria-describedby={`${id}-${value}`}
              onChange={() => (to.value = value)}
            />
            <span class="strong">{title}</span>
            <span>{mark}</span>
            <span id={`${id}-${value}`} class="hint">
              {about}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
