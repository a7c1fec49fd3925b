import { type ReadonlySignal, signal, useSignal } from '@preact/signals';
import { type ComponentChildren, createContext } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { sentenceOf } from '../api/refused.ts';

/** Why a form was not accepted, and the field that it is about, if it is about one. */
export interface FormProblem {
  field: string | undefined;
  sentence: string;
}

/** What the server said about the form around. */
export const Problem = createContext<ReadonlySignal<FormProblem | undefined>>(signal());

/**
 * A form that sends what its fields hold. What the server refuses is said in its words: beside the
 * field that the sentence begins with, else at the end. What was typed stays.
 */
export function Form({
  fields,
  submit,
  isDangerous = false,
  onSubmit,
  children,
}: {
  /** The names of its fields; what is refused about a form with a single one is about that one. */
  fields: readonly string[];
  /** What its button says. */
  submit: string;
  /** Whether it does what cannot be undone. */
  isDangerous?: boolean;
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
      problem.value = problemOf(error, fields);
    } finally {
      isSending.value = false;
    }
  };
  return (
    <Problem.Provider value={problem}>
      <form
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        {children}
        <FormError problem={problem.value} />
        <div class="actions">
          <button class={isDangerous ? 'danger' : 'primary'} aria-busy={isSending.value}>
            {submit}
          </button>
        </div>
      </form>
    </Problem.Provider>
  );
}

/** What is said of a form that was not accepted, and the field that the sentence begins with. */
export function problemOf(error: unknown, fields?: readonly string[]): FormProblem {
  const sentence = sentenceOf(error);
  const [first] = /^[a-z][\w.]*(?= )/.exec(sentence) ?? [];
  if (!fields) return { field: first, sentence };
  const named = fields.find((field) => first === field || first?.startsWith(`${field}.`));
  return { field: named ?? (fields.length === 1 ? fields[0] : undefined), sentence };
}

function FormError({ problem }: { problem: FormProblem | undefined }) {
  return (
    <div role="alert">
      {problem && !problem.field && <p class="error">{problem.sentence}</p>}
      {problem?.field && <p class="unseen">{problem.sentence}</p>}
    </div>
  );
}
