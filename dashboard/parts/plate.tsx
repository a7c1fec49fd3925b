import type { ComponentChildren } from 'preact';

/** The enamel sign with what stands on it: a name, an address, or a host. */
export function Plate({
  isOff = false,
  children,
}: {
  isOff?: boolean;
  children: ComponentChildren;
}) {
  return (
    <p class={isOff ? 'plate off' : 'plate'}>
      <span>{children}</span>
    </p>
  );
}
