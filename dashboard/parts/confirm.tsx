import { signal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';

interface Question {
  title: string;
  text: string;
  /** What the button says that does it. */
  action: string;
  answer: (yes: boolean) => void;
}

const question = signal<Question>();

/** Asks before something that cannot be undone. */
export function confirm(asked: Omit<Question, 'answer'>): Promise<boolean> {
  return new Promise((answer) => {
    question.value = { ...asked, answer };
  });
}

/** Where questions appear: above everything, with the focus in them and given back after them. */
export function Confirmation() {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const asked = question.value;
  useEffect(() => {
    if (asked) dialog.current?.showModal();
  }, [asked]);
  if (!asked) return null;
  const close = (yes: boolean) => {
    dialog.current?.close();
    question.value = undefined;
    asked.answer(yes);
  };
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        close(false);
      }}
    >
      <h2 id={titleId}>{asked.title}</h2>
      <p>{asked.text}</p>
      <div class="actions">
        <button type="button" onClick={() => close(false)}>
          Cancel
        </button>
        <button type="button" class="danger" onClick={() => close(true)}>
          {asked.action}
        </button>
      </div>
    </dialog>
  );
}
