import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

/** The content is only rendered while the popover is open. */
export function Popover({
  button,
  buttonClass,
  label,
  class: lookClass,
  children,
}: {
  button: ComponentChildren;
  buttonClass: string;
  label: string;
  /** Such as `centered`. */
  class?: string;
  children: (close: () => void) => ComponentChildren;
}) {
  const id = useId();
  const isOpen = useSignal(false);
  return (
    <>
      <button type="button" class={buttonClass} popovertarget={id} aria-haspopup="dialog">
        {button}
      </button>
      <div
        id={id}
        popover="auto"
        class={lookClass ? `popover ${lookClass}` : 'popover'}
        role="dialog"
        aria-label={label}
        onToggle={(event) => (isOpen.value = event.newState === 'open')}
      >
        {isOpen.value && children(() => document.getElementById(id)?.hidePopover())}
      </div>
    </>
  );
}
