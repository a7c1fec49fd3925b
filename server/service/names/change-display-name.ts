import type { Kysely } from 'kysely';
import { PROFILE } from '../../../contract/account.ts';
import { emailForwarding } from '../../../contract/email-forwarding.ts';
import { releaseDisplayName } from '../../../db/queries/display-names.ts';
import { deleteLoginLinks } from '../../../db/queries/sessions/login-links.ts';
import { clearForwarding, lockProfile } from '../../../db/queries/profiles.ts';
import { replaceAnswersAt } from '../../../db/queries/idempotency-keys.ts';
import type { Database } from '../../../db/schema.ts';
import { atOnce, inTransaction } from '../../../db/connections/transaction.ts';
import type { Allowances } from '../allowances/allowances.ts';
import type { Caller } from '../caller.ts';
import { logEvent } from '../events/log-event.ts';
import { askDestination } from '../forwarding/ask-destination.ts';
import type { Forwarding } from '../forwarding/service.ts';
import { refuserOf } from '../refusal.ts';
import { demandFreshProof } from '../sessions/fresh-proof.ts';
import { boundChanges, boundHeldBack, countChange } from './bound-names.ts';
import { parseDisplayName } from './display-name.ts';
import { takeName } from './take-name.ts';

const refuse = refuserOf(PROFILE);

/** Answer for repeats of changes of the forwarding, without the address that is cleared: nothing is done again. */
const TURNED_OFF = {
  success: true,
  message: 'Email forwarding was disabled afterwards, by a change of the display name.',
  enabled: false,
  email: null,
};

/** Dependencies of changes of names. */
export interface Naming {
  forwarding: Forwarding;
  isReserved: (name: string) => boolean;
  quarantineDays: number;
  allowances: Pick<Allowances, 'events' | 'heldBackNames' | 'nameChangesPerDay'>;
}

/**
 * Makes what was sent the display name of an account, which turns its forwarding off, also when the
 * name stays the same; refuses what cannot be a name, or is not free. Returns the change.
 */
export async function changeDisplayName(
  db: Kysely<Database>,
  naming: Naming,
  { accountId, via, input }: { accountId: string; via?: Caller['via']; input: string },
): Promise<{ from: string | null; to: string }> {
  const { forwarding, quarantineDays, allowances } = naming;
  const name = parseDisplayName(input, naming.isReserved);
  return inTransaction(db, async (trx) => {
    const profile = await lockProfile(trx, accountId);
    // It is cleared, and login links and notices go there.
    if (via && profile?.forwarding_confirmed) await demandFreshProof(trx, { accountId, via });
    const old = profile?.display_name ?? null;
    const change = { from: old, to: name };
    const taking = old !== name && takeName(trx, { accountId, name, quarantineDays });
    if (!profile) {
      // A name that is taken is refused as such, whether there is a profile or not.
      await taking;
      throw refuse('profileNotFound');
    }
    const { emailForwardingToggle } = emailForwarding;
    // A refusal below undoes all of this.
    const [, changes, isHeldBack] = await atOnce(
      taking,
      old !== name && countChange(trx, accountId, allowances),
      old !== null && old !== name && releaseDisplayName(trx, accountId, old),
      askDestination(trx, forwarding, { accountId, from: profile, email: null, enabled: false }),
      clearForwarding(trx, accountId),
      profile.forwarding_email !== null && deleteLoginLinks(trx, accountId),
      replaceAnswersAt(trx, accountId, { ...emailForwardingToggle, answer: TURNED_OFF }),
      old !== null && forwarding.queue(trx, old),
      old !== name && forwarding.queue(trx, name),
      logEvent(trx, { accountId, type: 'display_name_updated', detail: change }, allowances.events),
    );
    if (changes) boundChanges(changes, allowances);
    if (isHeldBack) await boundHeldBack(trx, accountId, naming);
    return change;
  });
}
