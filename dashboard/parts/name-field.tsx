import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { LIMITS } from '#contract/limits.ts';
import { APIError } from '../../client/src/errors.ts';
import { pagesUrl } from '../session.ts';
import { Bound } from './field.tsx';
import { Plate } from './plate.tsx';

/** Debounce for checks while typing. */
const CHECK_AFTER_MS = 250;

/** Result of the server's check of a typed name. */
export interface NameCheck {
  display_name?: string;
  available: boolean;
  suggestions: readonly string[];
  /** Why the name is not valid. */
  problem?: string;
}

/** Checks the name in a field whenever it changes. */
export function useNameCheck(
  typed: Signal<string>,
  ask: (input: { display_name: string }) => Promise<NameCheck>,
): Signal<NameCheck | undefined> {
  const checked = useSignal<NameCheck>();
  const display_name = typed.value.trim();
  useEffect(() => {
    checked.value = undefined;
    if (display_name === '') return undefined;
    let isOutdated = false;
    const timer = setTimeout(() => {
      void ask({ display_name })
        .catch((error: unknown) => refusedName(error, display_name))
        .then((result) => {
          if (!isOutdated) checked.value = result;
        });
    }, CHECK_AFTER_MS);
    return () => {
      isOutdated = true;
      clearTimeout(timer);
    };
  }, [display_name]);
  return checked;
}

/** Turns a refusal of the name into a problem. Other errors are undefined here: the form shows them. */
function refusedName(error: unknown, typed: string): NameCheck | undefined {
  const code = error instanceof APIError ? error.code : undefined;
  if (code === 'displayNameTooShort')
    return {
      available: false,
      suggestions: [],
      problem: `Use at least ${LIMITS.displayNameMin} letters, digits or hyphens.`,
    };
  if (code !== 'displayNameInvalid') return undefined;
  const similar = typed
    .normalize('NFKD')
    .replace(/[^ -~]/g, '')
    .toLowerCase()
    .replaceAll(' ', '-');
  return {
    available: false,
    suggestions: similar === typed ? [] : [similar],
    problem: 'Only letters a to z, digits and hyphens.',
  };
}

/** A field for a display name, which says whether the name is available while it is typed. */
export function NameField({
  to,
  checked,
  hint,
  label = 'Name',
}: {
  to: Signal<string>;
  checked: NameCheck | undefined;
  /** Shown while the field is empty. */
  hint: string;
  label?: string;
}) {
  return (
    <div class="name-field">
      <Bound
        to={to}
        name="display_name"
        label={label}
        prefix={`${new URL(pagesUrl).host}/@`}
        autocomplete="off"
        spellcheck={false}
        placeholder="jane-doe"
      />
      <div class="name-state" role="status">
        {to.value.trim() === '' ? <span class="hint">{hint}</span> : checked && words(checked)}
        {checked?.suggestions.map((name) => (
          <button key={name} type="button" class="chip" onClick={() => (to.value = name)}>
            {name}
          </button>
        ))}
      </div>
    </div>
  );
}

function words({ display_name, available, problem, suggestions }: NameCheck) {
  if (available) return <span class="good">{display_name} is available</span>;
  return (
    <>
      <span class="strong">{problem ?? `${display_name} is not available`}</span>
      {suggestions.length > 0 && <span class="muted">How about</span>}
    </>
  );
}

/** The plate of a name: green if it is available, grey if it is not, dashed while unknown. */
export function NamePlate({ checked }: { checked: NameCheck | undefined }) {
  const { display_name, available } = checked ?? {};
  if (display_name === undefined) return <Plate state="off">@name</Plate>;
  return <Plate state={available ? undefined : 'taken'}>@{display_name}</Plate>;
}
