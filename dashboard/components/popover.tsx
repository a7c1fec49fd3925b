import type { ComponentChildren } from 'preact';
import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';

/** A button that opens a popover. The content is rendered only while it is open. */
export function Popover({
  button,
  buttonClass,
  label,
  class: classes,
  children,
}: {
  /** Content of the button. */
  button: ComponentChildren;
  buttonClass: string;
  /** Accessible name of the popover. */
  label: string;
  class: string;
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
        class={`popover ${classes}`}
        role="dialog"
        aria-label={label}
        onToggle={(event) => (isOpen.value = event.newState === 'open')}
      >
        {isOpen.value && children(() => document.getElementById(id)?.hidePopover())}
      </div>
    </>
  );
}
