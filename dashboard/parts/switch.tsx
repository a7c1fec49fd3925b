import type { ComponentChildren } from 'preact';

/** Something that is on or off. */
export function Switch({
  label,
  on,
  onSwitch,
  disabled = false,
}: {
  label: ComponentChildren;
  on: boolean;
  onSwitch: (on: boolean) => void;
  disabled?: boolean;
}) {
  return (
    <label class="switch">
      <input
        type="checkbox"
        role="switch"
        checked={on}
        disabled={disabled}
        onChange={(event) => onSwitch(event.currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
  );
}
