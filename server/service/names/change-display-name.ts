import type { Kysely } from 'kysely';
import { DISPLAY_NAME, PROFILE } from '../../../contract/account.ts';
import { emailForwarding } from '../../../contract/email-forwarding.ts';
import { releaseDisplayName, takeDisplayName } from '../../../db/queries/display-names.ts';
import { clearForwarding, lockProfile } from '../../../db/queries/profiles.ts';
import { replaceAnswersAt } from '../../../db/queries/idempotency-keys.ts';
import type { Database } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import type { Allowances } from '../allowances/allowances.ts';
import { logEvent } from '../events/log-event.ts';
import { askDestination } from '../forwarding/ask-destination.ts';
import type { Forwarding } from '../forwarding/service.ts';
import { refuserOf } from '../refusal.ts';
import { boundChanges, boundHeldBack } from './bound-names.ts';
import { parseDisplayName } from './display-name.ts';

const refuse = refuserOf({ ...DISPLAY_NAME, ...PROFILE });

/** What repeats of changes of the forwarding get instead of the address that is cleared: nothing is done again. */
const TURNED_OFF = {
  success: true,
  message: 'Email forwarding was disabled afterwards, by a change of the display name.',
  enabled: false,
  email: null,
};

/** What changes of names need to know. */
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
  { accountId, input }: { accountId: string; input: string },
): Promise<{ from: string | null; to: string }> {
  const { forwarding, quarantineDays, allowances } = naming;
  const name = parseDisplayName(input, naming.isReserved);
  return inTransaction(db, async (trx) => {
    const profile = await lockProfile(trx, accountId);
    const old = profile?.display_name ?? null;
    // Before a missing profile is refused, so that a name which is taken is always said to be.
    if (old !== name && !(await takeDisplayName(trx, { accountId, name, quarantineDays })))
      throw refuse('displayNameTaken', { name });
    if (!profile) throw refuse('profileNotFound');
    if (old !== name) await boundChanges(trx, accountId, naming);
    if (old !== null && old !== name && (await releaseDisplayName(trx, accountId, old)))
      await boundHeldBack(trx, accountId, naming);
    await askDestination(trx, forwarding, {
      accountId,
      from: profile,
      email: null,
      enabled: false,
    });
    await clearForwarding(trx, accountId);
    await replaceAnswersAt(trx, accountId, {
      path: emailForwarding.emailForwardingToggle.path,
      answer: TURNED_OFF,
    });
    if (old !== null) await forwarding.queue(trx, old);
    if (old !== name) await forwarding.queue(trx, name);
    const change = { from: old, to: name };
    await logEvent(
      trx,
      { accountId, type: 'display_name_updated', detail: change },
      allowances.events,
    );
    return change;
  });
}
