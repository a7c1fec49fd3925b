import { SIGN_UP_REFUSALS } from '#contract/owner/registration.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import type { ReadDatabase } from '#db/connections/handles.ts';
import { listUnavailableNames } from '#db/queries/display-names.ts';
import type { Core } from '#server/core.ts';
import { RefusalError, createRefuser } from '#server/platform/refusal.ts';
import { parseDisplayName } from './display-name.ts';
import type { NameRules } from './reserved-names.ts';

const refuse = createRefuser(SIGN_UP_REFUSALS);

const MAX_SUGGESTIONS = 3;

export interface NameAvailability {
  name: string;
  isAvailable: boolean;
  suggestions: string[];
}

export async function checkNameAvailability(
  readDb: ReadDatabase,
  { config, names: { isReserved } }: Pick<Core, 'config'> & { names: NameRules },
  input: string,
  accountId?: string,
): Promise<NameAvailability> {
  const name = parseDisplayName(input, isReserved, { rejectReserved: false });
  // The same in many languages.
  const endings = ['-online', '-web', '2', '3', '4', '5', '6'];
  const candidates = endings
    .map((ending) => `${name}${ending}`)
    .filter((candidate) => candidate.length <= LIMITS.displayNameMax && !isReserved(candidate));
  const unavailableNames = new Set(
    await listUnavailableNames(readDb, [name, ...candidates], {
      quarantineDays: config.NAME_QUARANTINE_DAYS,
      accountId,
    }),
  );
  const isAvailable = !isReserved(name) && !unavailableNames.has(name);
  return {
    name,
    isAvailable,
    // Suggestions do not depend on whether the name is reserved or taken, so that callers cannot
    // tell the difference.
    suggestions: isAvailable
      ? []
      : candidates
          .filter((candidate) => !unavailableNames.has(candidate))
          .slice(0, MAX_SUGGESTIONS),
  };
}

/** Throws the same refusal for reserved and taken names, so that callers cannot tell them apart. */
export async function withNameUnavailableError<Result>(
  input: string,
  operation: () => Promise<Result>,
): Promise<Result> {
  try {
    return await operation();
  } catch (error) {
    const isUnavailable =
      error instanceof RefusalError &&
      (error.code === 'displayNameReserved' || error.code === 'displayNameTaken');
    throw isUnavailable
      ? refuse('nameUnavailable', { name: parseDisplayName(input, () => false) })
      : error;
  }
}
