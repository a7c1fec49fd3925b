import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import './radio-cards.css';

export function RadioCards({
  label,
  signal,
  options,
}: {
  label: string;
  signal: Signal<string>;
  options: readonly {
    value: string;
    title: string;
    description: string;
    badge?: ComponentChildren;
  }[];
}) {
  const id = useId();
  return (
    <fieldset>
      <legend class="label">{label}</legend>
      <div class="options">
        {options.map(({ value, title, description, badge }) => (
          <label key={value} class="radio-card">
            <input
              type="radio"
              name={id}
              checked={signal.value === value}
              aria-label={title}
              aria-describedby={`${id}-${value}`}
              onChange={() => (signal.value = value)}
            />
            <span class="strong">{title}</span>
            <span>{badge}</span>
            <span id={`${id}-${value}`} class="hint">
              {description}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
