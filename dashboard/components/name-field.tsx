import type { Signal } from '@preact/signals';
import { APIError } from '#client/errors.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { errorMessage } from '../api/error-message.ts';
import { pagesUrl } from '../session.ts';
import { t } from '../translate.ts';
import { BoundField } from './field.tsx';
import { Plate } from './plate.tsx';
import { useAsync } from './use-async.ts';
import { useDebounced } from './use-debounced.ts';

/** More would need a second row on phones, and so move the button below. */
const MAX_SUGGESTIONS = 2;

export interface NameCheck {
  display_name?: string;
  available: boolean;
  suggestions: readonly string[];
  problem?: string;
}

/** Checks a name once the user has stopped typing. Undefined until then. */
export function useNameCheck(
  nameInput: Signal<string>,
  check: (input: { display_name: string }) => Promise<NameCheck | undefined>,
): NameCheck | undefined {
  const typedName = nameInput.value.trim();
  const display_name = useDebounced(typedName);
  const { value } = useAsync(
    async () =>
      display_name === '' ? undefined : check({ display_name }).catch(nameCheckFromError),
    [display_name],
  );
  return display_name === typedName ? value : undefined;
}

/** Undefined for errors that are not about the name; the form shows those. */
function nameCheckFromError(error: unknown): NameCheck | undefined {
  if (!(error instanceof APIError) || error.field !== 'display_name') return undefined;
  const unavailable = { available: false, suggestions: [] };
  if (error.code !== 'displayNameTooShort' && error.code !== 'displayNameInvalid')
    return { ...unavailable, problem: errorMessage(error) };
  // The sentence ends with the suggestion in every language.
  const [, suggestion] = /(?<![a-z0-9-])([a-z0-9-]+)\?$/.exec(errorMessage(error)) ?? [];
  return {
    ...unavailable,
    suggestions: suggestion === undefined ? [] : [suggestion],
    problem: t('A name has {min} to {max} letters a to z, digits and hyphens.', {
      min: LIMITS.displayNameMin,
      max: LIMITS.displayNameMax,
    }),
  };
}

export function NameField({
  signal,
  nameCheck,
  hint,
  label = t('Name'),
}: {
  signal: Signal<string>;
  nameCheck: NameCheck | undefined;
  hint: string;
  label?: string;
}) {
  return (
    <div class="name-field">
      <BoundField
        signal={signal}
        name="display_name"
        label={label}
        prefix={`${new URL(pagesUrl).host}/@`}
        autocomplete="off"
        spellcheck={false}
        placeholder={t('jane-doe')}
      />
      <div class="name-status" role="status">
        {signal.value.trim() === '' ? (
          <span class="hint">{hint}</span>
        ) : (
          nameCheck && <Availability {...nameCheck} />
        )}
        {nameCheck?.suggestions.slice(0, MAX_SUGGESTIONS).map((name) => (
          <button key={name} type="button" class="chip" onClick={() => (signal.value = name)}>
            {name}
          </button>
        ))}
      </div>
    </div>
  );
}

function Availability({ display_name: name = '', available, problem, suggestions }: NameCheck) {
  if (available) return <span class="good">{t('{name} is available', { name })}</span>;
  return (
    <p>
      <span class="strong">{problem ?? t('{name} is not available', { name })}</span>
      {suggestions.length > 0 && <span class="muted"> {t('How about')}</span>}
    </p>
  );
}

/** Label of the button that claims the checked name. Undefined if the name is not available. */
export function claimLabel(nameCheck: NameCheck | undefined): string | undefined {
  if (!nameCheck?.available) return undefined;
  return t('Claim @{name}', { name: nameCheck.display_name! });
}

/** A plate with the name: green if available, gray if not. Dashed until it is checked. */
export function NamePlate({
  input,
  nameCheck,
}: {
  input: string;
  nameCheck: NameCheck | undefined;
}) {
  const { display_name, available } = nameCheck ?? {};
  if (display_name === undefined)
    return <Plate state="off">{input.trim() ? `@${input.trim()}` : t('@name')}</Plate>;
  return <Plate state={available ? undefined : 'taken'}>@{display_name}</Plate>;
}
