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
        onChange={({ currentTarget: input }) => {
          const wanted = input.checked;
          // It shows what is, not what was asked for and may be refused.
          input.checked = on;
          onSwitch(wanted);
        }}
      />
      <span>{label}</span>
    </label>
  );
}
