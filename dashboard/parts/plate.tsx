import type { ComponentChildren } from 'preact';

/** The enamel sign with what stands on it: a name, an address, or a host. */
export function Plate({
  state,
  children,
}: {
  /** `off` without a name, `taken` if the name is not available. */
  state?: 'off' | 'taken' | undefined;
  children: ComponentChildren;
}) {
  return (
    <p class={state ? `plate ${state}` : 'plate'}>
      <span>{children}</span>
    </p>
  );
}
