import type { ComponentChildren } from 'preact';
import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';

/**
 * A button and what it opens above the rest of the screen. A click beside it or Escape closes it, and
 * the focus returns to the button. Its content is made when it is opened.
 */
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
  /** Name of what opens, and of the button where its content is no text. */
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
