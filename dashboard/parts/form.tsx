import { type Signal, signal, useSignal } from '@preact/signals';
import { type ComponentChildren, createContext } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { APIError } from '../../client/src/errors.ts';
import { sentenceOf } from '../api/sentence-of.ts';
import type { FormProblem } from './error-words.ts';

/** The refusal of the form around; a field clears the one about itself when it is changed. */
export const Problem = createContext<Signal<FormProblem | undefined>>(signal());

/**
 * A form that sends what its fields hold. A refusal that names one of them is shown beside it, in the
 * words of `error-words.ts`; any other is shown at the end. What was typed stays.
 */
export function Form({
  fields,
  submit,
  isDangerous = false,
  isMain = true,
  onCancel,
  onSubmit,
  children,
}: {
  /** The names of its fields; what is refused about a form with a single one is about that one. */
  fields: readonly string[];
  /** Label of its button. */
  submit: string;
  /** Whether it does what cannot be undone. */
  isDangerous?: boolean;
  /** Whether it is the one thing to do next. */
  isMain?: boolean;
  /** Leaves the form; without it there is no button for that. */
  onCancel?: () => void;
  onSubmit: () => Promise<unknown>;
  children: ComponentChildren;
}) {
  const problem = useSignal<FormProblem>();
  const isSending = useSignal(false);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [problem.value]);
  const send = async () => {
    if (isSending.peek()) return;
    isSending.value = true;
    try {
      await onSubmit();
      problem.value = undefined;
    } catch (error) {
      const refused = problemOf(error, fields);
      // The form may not show the field now, such as one that is another control than a `Field`.
      const isShown = refused.field && form.current?.elements.namedItem(refused.field);
      problem.value = isShown ? refused : { ...refused, field: undefined };
    } finally {
      isSending.value = false;
    }
  };
  return (
    <Problem.Provider value={problem}>
      <form
        ref={form}
        noValidate
        onInput={() => {
          if (problem.peek() && !problem.peek()!.field) problem.value = undefined;
        }}
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        {children}
        <FormError problem={problem.value} />
        <div class="actions">
          {onCancel && (
            <button type="button" class="quiet" onClick={onCancel}>
              Cancel
            </button>
          )}
          <button
            class={isDangerous ? 'danger' : isMain ? 'primary' : undefined}
            aria-busy={isSending.value}
          >
            {submit}
          </button>
        </div>
      </form>
    </Problem.Provider>
  );
}

/** Turns an error into the problem of a form with these fields. */
export function problemOf(error: unknown, fields?: readonly string[]): FormProblem {
  const { code, field } = error instanceof APIError ? error : {};
  const problem = { code, field, sentence: sentenceOf(error) };
  if (!fields) return problem;
  const named = fields.find((name) => `${field}.`.startsWith(`${name}.`));
  return { ...problem, field: named ?? (fields.length === 1 ? fields[0] : undefined) };
}

/** Shows a problem that no field shows; the focus goes to a field that does. */
function FormError({ problem }: { problem: FormProblem | undefined }) {
  return (
    <div role="alert">{problem && !problem.field && <p class="error">{problem.sentence}</p>}</div>
  );
}
