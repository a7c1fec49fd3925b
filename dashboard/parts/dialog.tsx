import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from './icon.tsx';
import { LINES } from './icon-lines.ts';

/**
 * Something that has to be answered first. The focus goes into it, stays in it, and returns when it is
 * gone; Escape is the same as to cancel.
 */
export function Dialog({
  title,
  onCancel,
  children,
}: {
  title: string;
  onCancel: () => void;
  children: ComponentChildren;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useLayoutEffect(() => {
    const shown = dialog.current!;
    shown.showModal();
    // While it is in the document: afterwards the browser gives the focus back to nobody.
    return () => shown.close();
  }, []);
  const closed = () => {
    // A dialog that closed because it was answered is gone by now.
    if (!dialog.current) return;
    onCancel();
    // Some are not cancelled after all, and no browser lets a page keep them open.
    setTimeout(() => dialog.current?.open === false && dialog.current.showModal());
  };
  return (
    <dialog ref={dialog} aria-labelledby={titleId} onClose={closed}>
      <h2 id={titleId}>{title}</h2>
      {children}
      <button type="button" class="icon-button close" onClick={() => dialog.current!.close()}>
        <Icon lines={LINES.close} />
        <span class="unseen">Close</span>
      </button>
    </dialog>
  );
}
