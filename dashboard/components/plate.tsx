import type { ComponentChildren } from 'preact';

/** An enamel sign with a name, an address or a host on it. */
export function Plate({
  state,
  children,
}: {
  /** `off`: no name yet. `taken`: the name is not available. */
  state?: 'off' | 'taken' | undefined;
  children: ComponentChildren;
}) {
  return (
    <p class={state ? `plate ${state}` : 'plate'}>
      <span>{children}</span>
    </p>
  );
}
