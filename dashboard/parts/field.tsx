import type { Signal } from '@preact/signals';
import type { ComponentChildren, InputHTMLAttributes } from 'preact';
import { useContext, useId } from 'preact/hooks';
import { Problem } from './form.tsx';

type Attributes = Pick<
  InputHTMLAttributes,
  'maxLength' | 'required' | 'placeholder' | 'autocomplete' | 'spellcheck' | 'dir' | 'disabled'
>;

interface FieldProps extends Attributes {
  /** What the API calls it: what is refused about it is said beside it. */
  name: string;
  label: string;
  hint?: ComponentChildren;
  value: string;
  onValue: (value: string) => void;
  type?: 'text' | 'email' | 'url' | 'tel' | 'password' | 'number' | 'datetime-local';
  /** Makes it a field of several lines. */
  rows?: number;
  /** Makes it a choice. */
  options?: readonly (readonly [value: string, label: string])[];
}

/** A field with its label, a hint, and what the server says about it. */
export function Field({ label, hint, onValue, type = 'text', rows, options, ...rest }: FieldProps) {
  const id = useId();
  const problem = useContext(Problem).value;
  const error = problem?.field === rest.name ? problem.sentence : undefined;
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  const shared = {
    ...rest,
    id,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': described || undefined,
    onInput: ({ currentTarget }: { currentTarget: { value: string } }) =>
      onValue(currentTarget.value),
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
      ) : (
        <input {...shared} type={type as 'text'} />
      )}
      {hint && (
        <p id={`${id}-hint`} class="hint">
          {hint}
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
