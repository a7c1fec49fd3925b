import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { navigationCount } from '../router.ts';
import { t } from '../translate.ts';
import { ICON_PATHS } from './icon-paths.ts';
import { Icon } from './icon.tsx';
import { Messages } from './messages.tsx';

interface OpenDialog {
  title: string;
  banner: ComponentChildren;
  render: () => ComponentChildren;
  close: () => void;
}

const openDialogs = signal<readonly OpenDialog[]>([]);
// A dialog closes with the screen that opened it.
navigationCount.subscribe(() => openDialogs.peek().forEach(({ close }) => close()));

/** Opens a dialog above all others. Resolves to undefined if the user cancels it. */
export function showDialog<Result = true>(
  title: string,
  render: (close: (result?: Result) => void) => ComponentChildren,
  banner?: ComponentChildren,
): Promise<Result | undefined> {
  return new Promise((resolve) => {
    const close = (result?: Result) => {
      openDialogs.value = openDialogs.peek().filter((other) => other !== dialog);
      resolve(result);
    };
    const dialog = { title, banner, render: () => render(close), close: () => close() };
    openDialogs.value = [...openDialogs.peek(), dialog];
  });
}

/** Renders the dialogs that `showDialog` opened. */
export function OpenDialogs() {
  return openDialogs.value.map((dialog) => (
    <Dialog key={dialog} title={dialog.title} banner={dialog.banner} onCancel={dialog.close}>
      {dialog.render()}
    </Dialog>
  ));
}

export function Dialog({
  title,
  banner,
  onCancel,
  children,
}: {
  title: string;
  /** Decoration above the title. */
  banner?: ComponentChildren;
  onCancel: () => void;
  children: ComponentChildren;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useLayoutEffect(() => {
    const element = dialog.current!;
    element.showModal();
    const observer = new MutationObserver(() => {
      if (element.querySelector('.loading')) return;
      observer.disconnect();
      // The close button has the focus if the dialog opened before its content was loaded.
      if (document.activeElement?.matches('.close'))
        element.querySelector<HTMLElement>('input, select, textarea, button')?.focus();
    });
    if (element.querySelector('.loading'))
      observer.observe(element, { childList: true, subtree: true });
    return () => {
      observer.disconnect();
      // Close before the element is removed, or the browser does not restore the focus.
      element.close();
    };
  }, []);
  const onClose = () => {
    // Already unmounted: the parent removed the dialog, so the user did not cancel it.
    if (!dialog.current) return;
    onCancel();
    // If the parent keeps the dialog, reopen it: a page cannot always stop the browser closing it.
    setTimeout(() => dialog.current?.open === false && dialog.current.showModal());
  };
  return (
    <dialog ref={dialog} aria-labelledby={titleId} onClose={onClose}>
      {banner && (
        <div class="wall" aria-hidden="true">
          {banner}
        </div>
      )}
      <h2 id={titleId}>{title}</h2>
      {children}
      <button type="button" class="icon-button close" onClick={() => dialog.current!.close()}>
        <Icon path={ICON_PATHS.close} />
        <span class="visually-hidden">{t('Close')}</span>
      </button>
      <Messages />
    </dialog>
  );
}
