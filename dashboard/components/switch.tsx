import type { ComponentChildren } from 'preact';

export function Switch({
  label,
  checked,
  onChange,
  disabled = false,
}: {
  label: ComponentChildren;
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
}) {
  return (
    <label class="switch">
      <input
        type="checkbox"
        role="switch"
        checked={checked}
        disabled={disabled}
        onChange={({ currentTarget: input }) => {
          const next = input.checked;
          // Keep the old state until the change succeeds.
          input.checked = checked;
          onChange(next);
        }}
      />
      <span>{label}</span>
    </label>
  );
}
