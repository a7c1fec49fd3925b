import type { Transaction } from '#db/connections/handles.ts';
import { inSavepoint } from '#db/connections/transaction.ts';
import { lockForwardingSettings } from '#db/queries/forwarding-settings.ts';
import { RefusalError } from '#server/platform/refusal.ts';
import type { ConfirmedAddress } from '../facts.ts';
import { changeForwarding, clearForwarding } from './change-forwarding.ts';

/**
 * Forwards the mail of a new account. A mailed link proves only the address that it was mailed to.
 * Another forwarding address has to be confirmed by its own mail; if that is refused, mail goes to
 * the proven address.
 */
export async function startForwarding(
  trx: Transaction,
  app: Parameters<typeof changeForwarding>[1],
  { session, email, forward_to: forwardTo }: ConfirmedAddress,
): Promise<void> {
  if (!app.forwarding.isAvailable) return;
  const { id: sessionId, account_id: accountId } = session;
  const credential = { kind: 'session', sessionId, keyId: undefined } as const;
  const caller = { accountId, credential, scope: 'operator' } as const;
  // Without this, the proven address would get a notice that mail is no longer forwarded to it.
  await clearForwarding(trx, app, accountId, (await lockForwardingSettings(trx, accountId))!);
  for (const address of new Set([forwardTo ?? email, email]))
    try {
      const change = { ...caller, enabled: true, email: address };
      await inSavepoint(trx, () => changeForwarding(trx, app, change));
      return;
    } catch (error) {
      if (!(error instanceof RefusalError)) throw error;
    }
}
