import { inTransaction } from '#db/connections/transaction.ts';
import {
  type Confirmation,
  findConfirmation,
  setDestinationConfirmed,
} from '#db/queries/confirmations.ts';
import { lockForwardingSettings } from '#db/queries/forwarding-settings.ts';
import type { ReadDatabase } from '#db/connections/handles.ts';
import type { Core } from '#server/core.ts';
import { hashToken, isToken } from '#server/platform/secrets/token.ts';
import { type AddressServices, runAddressStep } from './address-effects.ts';
import { confirmAddress } from './next-address.ts';

export async function findConfirmationByToken(
  readDb: ReadDatabase,
  token: string,
): Promise<Confirmation | undefined> {
  return isToken(token) ? findConfirmation(readDb, hashToken(token)) : undefined;
}

/** Resolves to undefined if the link is invalid. Each link works once. */
export async function confirmWithToken(
  app: AddressServices & Pick<Core, 'db'>,
  token: string,
): Promise<Confirmation | undefined> {
  const tokenHash = hashToken(token);
  return inTransaction(app.db, async (trx) => {
    const unlocked = await findConfirmation(trx, tokenHash);
    if (!unlocked) return undefined;
    const { accountId } = unlocked;
    const settings = await lockForwardingSettings(trx, accountId);
    // The address may have changed before this transaction got the lock.
    const confirmation = await findConfirmation(trx, tokenHash);
    const step = settings && confirmAddress(settings.address);
    if (!step || !confirmation) return undefined;
    await setDestinationConfirmed(trx, confirmation.id);
    await runAddressStep(trx, app, { accountId, name: settings.display_name }, step);
    return confirmation;
  });
}
