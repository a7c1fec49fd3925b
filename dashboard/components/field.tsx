import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren, InputHTMLAttributes } from 'preact';
import { useContext, useEffect, useId } from 'preact/hooks';
import { MISSPELLED_DOMAINS } from '#contract/shared/misspelled-domains.ts';
import { t } from '../translate.ts';
import { fieldErrorMessage } from './form-problem.ts';
import { FormProblemContext } from './form.tsx';

type Attributes = Pick<
  InputHTMLAttributes,
  | 'maxLength'
  | 'min'
  | 'required'
  | 'placeholder'
  | 'autocomplete'
  | 'spellcheck'
  | 'dir'
  | 'disabled'
>;

/** Share of `maxLength` above which the counter is shown. */
const COUNTER_THRESHOLD = 0.5;

export interface FieldProps extends Attributes {
  /** Name of the field in the API. Server errors for this name are shown below the field. */
  name: string;
  autofocus?: boolean;
  /** `unlabeled` hides the label. `dashed` also looks like a button that adds something. */
  class?: 'unlabeled' | 'dashed' | undefined;
  label: string;
  hint?: ComponentChildren;
  /** Validation error. See `wasBlurred` for when it is shown. */
  error?: string | undefined;
  value: string;
  onValue: (value: string) => void;
  onFocus?: () => void;
  onBlur?: () => void;
  type?: 'text' | 'email' | 'url' | 'tel' | 'password' | 'number' | 'datetime-local' | 'date';
  /** Id of a `<datalist>`. */
  suggestions?: string;
  /** Renders a textarea with this number of rows. */
  rows?: number;
  /** Fixed text before the value, such as a host name. */
  prefix?: string;
  options?: readonly (readonly [value: string, label: string, isDisabled?: boolean])[];
}

export function Field({
  class: lookClass,
  label,
  hint,
  error,
  onValue,
  onBlur,
  type = 'text',
  suggestions,
  rows,
  prefix,
  options,
  ...rest
}: FieldProps) {
  const id = useId();
  useAutofocus(id, rest.autofocus);
  const formProblem = useContext(FormProblemContext);
  const problem = formProblem.value?.field === rest.name ? formProblem.value : undefined;
  // Show the error of an initial value at once, but that of a typed value only after a blur.
  // A date is typed or chosen as a whole.
  const wasBlurred = useSignal(rest.value !== '');
  const message = problem
    ? rest.required && rest.value.trim() === ''
      ? t('{label} is missing.', { label })
      : fieldErrorMessage(problem, label, rest.value)
    : wasBlurred.value || type.startsWith('date')
      ? error
      : undefined;
  const showsCounter = rest.value.length > COUNTER_THRESHOLD * Number(rest.maxLength ?? Infinity);
  const describedBy = [
    hint && `${id}-hint`,
    showsCounter && `${id}-count`,
    message && `${id}-error`,
  ]
    .filter(Boolean)
    .join(' ');
  const inputProps = {
    ...rest,
    id,
    'aria-invalid': message ? true : undefined,
    'aria-describedby': describedBy || undefined,
    onInput: ({ currentTarget }: { currentTarget: { value: string } }) => {
      if (problem) formProblem.value = undefined;
      onValue(currentTarget.value);
    },
    onBlur: () => {
      wasBlurred.value = true;
      onBlur?.();
    },
  };
  return (
    <div class={lookClass ? `field ${lookClass}` : 'field'}>
      <label for={id}>
        {label}
        {rest.required && <span class="muted"> {t('(required)')}</span>}
      </label>
      {options ? (
        <select {...inputProps}>
          {options.map(([option, text, isDisabled]) => (
            <option key={option} value={option} disabled={isDisabled}>
              {text}
            </option>
          ))}
        </select>
      ) : rows ? (
        <textarea {...inputProps} rows={rows} />
      ) : prefix ? (
        <div class="prefixed">
          <span class="ellipsis">{prefix}</span>
          <input {...inputProps} type={type as 'text'} {...({ list: suggestions } as object)} />
        </div>
      ) : (
        <input {...inputProps} type={type as 'text'} {...({ list: suggestions } as object)} />
      )}
      {hint && (
        <p id={`${id}-hint`} class="hint">
          {hint}
        </p>
      )}
      {type === 'email' && wasBlurred.value && (
        <Correction address={rest.value.trim()} onCorrect={onValue} />
      )}
      {showsCounter && (
        <p id={`${id}-count`} class="hint">
          {t('{count} of {max} characters', {
            count: rest.value.length,
            max: Number(rest.maxLength),
          })}
        </p>
      )}
      {message && (
        <p id={`${id}-error`} class="error">
          {message}
        </p>
      )}
    </div>
  );
}

/** After the document has loaded, browsers heed the attribute only when a dialog opens. */
function useAutofocus(id: string, isWanted = false): void {
  useEffect(() => {
    if (isWanted) document.getElementById(id)!.focus();
  }, []);
}

/** The address with the domain that was probably meant. */
export function correctAddress(address: string): string | undefined {
  const [localPart, domain = ''] = address.split('@');
  const correctDomain = MISSPELLED_DOMAINS.get(domain.toLowerCase());
  return correctDomain && `${localPart}@${correctDomain}`;
}

export function Correction({
  address,
  onCorrect,
}: {
  address: string;
  onCorrect: (address: string) => void;
}) {
  const corrected = correctAddress(address);
  if (!corrected) return null;
  return (
    <p class="hint" role="status">
      <button type="button" class="link" onClick={() => onCorrect(corrected)}>
        {t('Did you mean {address}?', { address: corrected })}
      </button>
    </p>
  );
}

export function BoundField({
  signal,
  ...props
}: Omit<FieldProps, 'value' | 'onValue'> & { signal: Signal<string> }) {
  return <Field {...props} value={signal.value} onValue={(value) => (signal.value = value)} />;
}
