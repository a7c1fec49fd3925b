import { signal } from '@preact/signals';
import { Dialog } from './dialog.tsx';

interface Question {
  title: string;
  text: string;
  /** Label of the button that does it. */
  action: string;
  /** Whether the action cannot be undone; true by default. */
  isDangerous?: boolean;
  answer: (yes: boolean) => void;
}

const question = signal<Question>();

/** Asks for confirmation. Resolves to true if the user agrees. */
export function confirm(asked: Omit<Question, 'answer'>): Promise<boolean> {
  return new Promise((answer) => {
    question.value = { ...asked, answer };
  });
}

/** Where questions appear. */
export function Confirmation() {
  const asked = question.value;
  if (!asked) return null;
  const close = (yes: boolean) => {
    question.value = undefined;
    asked.answer(yes);
  };
  return (
    <Dialog title={asked.title} onCancel={() => close(false)}>
      <p>{asked.text}</p>
      <div class="actions">
        <button type="button" onClick={() => close(false)}>
          Cancel
        </button>
        <button
          type="button"
          class={asked.isDangerous === false ? 'primary' : 'danger'}
          onClick={() => close(true)}
        >
          {asked.action}
        </button>
      </div>
    </Dialog>
  );
}
