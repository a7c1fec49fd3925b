import type { Transaction } from 'kysely';
import { NAME_CHANGE } from '../../../contract/account.ts';
import { countNameChange } from '../../../db/queries/account-days.ts';
import { listHeldBackNames } from '../../../db/queries/display-names.ts';
import type { Database } from '../../../db/schema.ts';
import type { Allowances } from '../allowances/allowances.ts';
import { today, waiting, waitingUntilTomorrow } from '../allowances/waiting.ts';
import { refuserOf } from '../refusal.ts';

const refuse = refuserOf(NAME_CHANGE);
/** An alias that a provider still has may be gone soon. */
const ALIAS_MS = 60_000;

/** Counts a change of name where they are bounded; says how many there were on that day. */
export async function countChange(
  trx: Transaction<Database>,
  accountId: string,
  { nameChangesPerDay: limit }: Pick<Allowances, 'nameChangesPerDay'>,
): Promise<number> {
  return limit > 0 ? countNameChange(trx, accountId, today()) : 0;
}

/** Refuses a change of name when they are too many on a day. */
export function boundChanges(
  count: number,
  { nameChangesPerDay: limit }: Pick<Allowances, 'nameChangesPerDay'>,
): void {
  if (count > limit) throw refuse('nameChangeLimitReached', waitingUntilTomorrow());
}

/** Refuses when an account that has just left a name holds back too many, until one of the others is free. */
export async function boundHeldBack(
  trx: Transaction<Database>,
  accountId: string,
  {
    allowances: { heldBackNames: limit },
    quarantineDays,
  }: { allowances: Pick<Allowances, 'heldBackNames'>; quarantineDays: number },
): Promise<void> {
  if (limit === 0) return;
  const names = await listHeldBackNames(trx, quarantineDays, accountId);
  if (names.length <= limit) return;
  // As many of them must be free as are too many, one at least.
  const freeAt = names[names.length - limit - 1]?.free_at;
  throw refuse('heldNameLimitReached', waiting(freeAt ? freeAt.getTime() - Date.now() : ALIAS_MS));
}
