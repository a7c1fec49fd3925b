import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren, InputHTMLAttributes } from 'preact';
import { useContext, useId } from 'preact/hooks';
import { errorWords } from './error-words.ts';
import { Problem } from './form.tsx';

type Attributes = Pick<
  InputHTMLAttributes,
  'maxLength' | 'required' | 'placeholder' | 'autocomplete' | 'spellcheck' | 'dir' | 'disabled'
>;

/** The part of the longest value from which on a field counts its characters. */
const COUNTED_FROM = 0.5;

interface FieldProps extends Attributes {
  /** The name of the field in the API: a refusal that is about it is shown beside it. */
  name: string;
  label: string;
  hint?: ComponentChildren;
  /** Flaw of the value; shown once the field has been left. */
  flaw?: string | undefined;
  value: string;
  onValue: (value: string) => void;
  onFocus?: () => void;
  /** Called when the field is left. */
  onLeave?: () => void;
  type?: 'text' | 'email' | 'url' | 'tel' | 'password' | 'number' | 'datetime-local';
  /** Id of a `datalist` with what can be chosen. */
  suggestions?: string;
  /** Makes it a field of several lines. */
  rows?: number;
  /** Text in front of what is typed, as the host of an address. */
  prefix?: string;
  /** Makes it a choice. */
  options?: readonly (readonly [value: string, label: string])[];
}

/** A field with its label, a hint, a count where its length has a limit, and what is wrong with it. */
export function Field({
  label,
  hint,
  flaw,
  onValue,
  onLeave,
  type = 'text',
  suggestions,
  rows,
  prefix,
  options,
  ...rest
}: FieldProps) {
  const id = useId();
  const refused = useContext(Problem);
  const problem = refused.value?.field === rest.name ? refused.value : undefined;
  // A value that was wrong before anybody touched the field is no half-typed one.
  const wasLeft = useSignal(rest.value !== '');
  const error = problem ? errorWords(problem, label) : wasLeft.value ? flaw : undefined;
  const counts = rest.value.length > COUNTED_FROM * Number(rest.maxLength ?? Infinity);
  const described = [hint && `${id}-hint`, counts && `${id}-count`, error && `${id}-error`]
    .filter(Boolean)
    .join(' ');
  const shared = {
    ...rest,
    id,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': described || undefined,
    onInput: ({ currentTarget }: { currentTarget: { value: string } }) => {
      if (problem) refused.value = undefined;
      onValue(currentTarget.value);
    },
    onBlur: () => {
      wasLeft.value = true;
      onLeave?.();
    },
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {options ? (
        <select {...shared}>
          {options.map(([option, text]) => (
            <option key={option} value={option}>
              {text}
            </option>
          ))}
        </select>
      ) : rows ? (
        <textarea {...shared} rows={rows} />
      ) : prefix ? (
        <div class="prefixed">
          <span>{prefix}</span>
          <input {...shared} type={type as 'text'} {...({ list: suggestions } as object)} />
        </div>
      ) : (
        <input {...shared} type={type as 'text'} {...({ list: suggestions } as object)} />
      )}
      {hint && (
        <p id={`${id}-hint`} class="hint">
          {hint}
        </p>
      )}
      {counts && (
        <p id={`${id}-count`} class="hint">
          {rest.value.length} of {rest.maxLength} characters
        </p>
      )}
      {error && (
        <p id={`${id}-error`} class="error">
          {error}
        </p>
      )}
    </div>
  );
}

/** A field whose value is a signal. */
export function Bound({
  to,
  ...props
}: Omit<FieldProps, 'value' | 'onValue'> & { to: Signal<string> }) {
  return <Field {...props} value={to.value} onValue={(value) => (to.value = value)} />;
}
