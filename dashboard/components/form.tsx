import { type Signal, signal, useSignal } from '@preact/signals';
import { type ComponentChildren, createContext } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { type APIError, NameplateError } from '#client/errors.ts';
import { errorMessage } from '../api/error-message.ts';
import { t } from '../translate.ts';
import { ActingFace } from './acting-face.tsx';
import type { FormProblem } from './form-problem.ts';

/** The error of the enclosing form. A field clears its own error when it changes. */
export const FormProblemContext = createContext<Signal<FormProblem | undefined>>(signal());

/**
 * Shows an API error below its field or, if the form does not show that field, above the buttons.
 */
export function Form({
  id,
  fields = [],
  submitLabel,
  isDangerous = false,
  isPrimary = true,
  isDisabled = false,
  onCancel,
  cancelLabel = t('Cancel'),
  onSubmit,
  children,
}: {
  id?: string;
  /** Names of the fields. If there is only one, it shows all errors. */
  fields?: readonly string[];
  /** Without it, the form has no buttons. Buttons elsewhere can submit or reset it by `id`. */
  submitLabel?: string;
  isDangerous?: boolean;
  isPrimary?: boolean;
  isDisabled?: boolean;
  onCancel?: (() => void) | undefined;
  cancelLabel?: string;
  onSubmit: () => Promise<unknown>;
  children?: ComponentChildren;
}) {
  const problem = useSignal<FormProblem>();
  const isSending = useSignal(false);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
    // Not behind a bar that sticks to the edge of the screen.
    if (problem.value) form.current?.querySelector('.error')?.scrollIntoView({ block: 'center' });
  }, [problem.value]);
  const send = async () => {
    if (isSending.peek()) return;
    isSending.value = true;
    try {
      await onSubmit();
      problem.value = undefined;
    } catch (error) {
      const formProblem = toFormProblem(error, fields);
      // A field may not be rendered at the moment, or may have no named control to show its error.
      const hasShownField =
        formProblem.field && form.current?.elements.namedItem(formProblem.field);
      problem.value = hasShownField ? formProblem : { ...formProblem, field: undefined };
    } finally {
      isSending.value = false;
    }
  };
  return (
    <FormProblemContext.Provider value={problem}>
      <form
        ref={form}
        id={id}
        noValidate
        onInput={() => {
          if (problem.peek() && !problem.peek()!.field) problem.value = undefined;
        }}
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
        onReset={(event) => {
          event.preventDefault();
          onCancel?.();
        }}
      >
        {children}
        <div role="alert">
          {problem.value && !problem.value.field && <p class="error">{problem.value.text}</p>}
        </div>
        {submitLabel !== undefined && (
          <div class="actions">
            {onCancel && (
              <button type="button" class="quiet" onClick={() => onCancel()}>
                {cancelLabel}
              </button>
            )}
            <ActingFace />
            <button
              class={isDangerous ? 'danger' : isPrimary ? 'primary' : undefined}
              disabled={isDisabled}
              aria-busy={isSending.value}
            >
              {submitLabel}
            </button>
          </div>
        )}
      </form>
    </FormProblemContext.Provider>
  );
}

export function toFormProblem(error: unknown, fields?: readonly string[]): FormProblem {
  const { code, field }: Partial<APIError> = error instanceof NameplateError ? error : {};
  const problem = { code, field, text: errorMessage(error) };
  if (!fields) return problem;
  // An error at `blocks.0.type` belongs to the field `blocks`.
  const matchingField = fields.find((name) => `${field}.`.startsWith(`${name}.`));
  return { ...problem, field: matchingField ?? (fields.length === 1 ? fields[0] : undefined) };
}
