import type { Reads } from '#db/connections/databases.ts';
import { SIGN_UP_REFUSALS } from '#contract/owner/registration.ts';
import { LIMITS } from '#contract/limits.ts';
import { listUnavailableNames } from '#db/queries/display-names.ts';
import type { Naming } from '../names/change-display-name.ts';
import { parseDisplayName } from '../names/display-name.ts';
import { RefusalError, refuserOf } from '#server/refusal.ts';

const refuse = refuserOf(SIGN_UP_REFUSALS);

/** Most suggestions. */
const SUGGESTIONS = 3;

export interface CheckedName {
  /** The sanitized name. */
  name: string;
  isAvailable: boolean;
  /** Similar names that are available, if it is not. */
  suggestions: string[];
}

/** Checks whether an account (a new one without `accountId`) can claim a name. Refuses invalid names. */
export async function checkName(
  reads: Reads,
  { isReserved, quarantineDays }: Pick<Naming, 'isReserved' | 'quarantineDays'>,
  input: string,
  accountId?: string,
): Promise<CheckedName> {
  const name = parseDisplayName(input, isReserved, { refusesReserved: false });
  const similar = [
    `its-${name}`,
    `${name}-online`,
    `${name}2`,
    `hey-${name}`,
    `${name}-here`,
    `${name}3`,
    `${name}4`,
  ].filter((each) => each.length <= LIMITS.displayNameMax && !isReserved(each));
  const unavailable = new Set(
    await listUnavailableNames(reads, [name, ...similar], { quarantineDays, accountId }),
  );
  const isAvailable = !isReserved(name) && !unavailable.has(name);
  return {
    name,
    isAvailable,
    // As many for reserved names as for taken ones: nobody learns which a name is.
    suggestions: isAvailable
      ? []
      : similar.filter((each) => !unavailable.has(each)).slice(0, SUGGESTIONS),
  };
}

/** Does something that takes a name; where that is reserved, taken or held back, it is refused in the same words. */
export async function claimingName<Result>(
  input: string,
  act: () => Promise<Result>,
): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    const isUnavailable =
      error instanceof RefusalError &&
      (error.code === 'displayNameReserved' || error.code === 'displayNameTaken');
    throw isUnavailable
      ? refuse('nameUnavailable', { name: parseDisplayName(input, () => false) })
      : error;
  }
}
