import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import './radio-cards.css';

export function RadioCards<Value extends string>({
  label,
  value,
  options,
  onValue,
}: {
  label: string;
  value: Value;
  options: readonly {
    value: Value;
    title: string;
    description: string;
    badge?: ComponentChildren;
  }[];
  onValue: (value: Value) => void;
}) {
  const id = useId();
  return (
    <fieldset>
      <legend class="label">{label}</legend>
      <div class="options">
        {options.map(({ value: option, title, description, badge }) => (
          <label key={option} class="radio-card">
            <input
              type="radio"
              name={id}
              checked={option === value}
              aria-label={title}
              aria-describedby={`${id}-${option}`}
              onChange={() => onValue(option)}
            />
            <span class="strong">{title}</span>
            <span>{badge}</span>
            <span id={`${id}-${option}`} class="hint">
              {description}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
