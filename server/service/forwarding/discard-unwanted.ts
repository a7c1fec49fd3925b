import { markAnyChanged } from '../../../db/queries/forwarding/forwarding-names.ts';
import {
  findNamesForwardedTo,
  findUnwantedDestinations,
  forgetProviderDestinations,
} from '../../../db/queries/forwarding/provider-destinations.ts';
import { inTransaction } from '../../../db/connections/transaction.ts';
import { ProviderError } from './provider.ts';
import type { Reconciler } from './reconcile.ts';

const DISCARD_MS = 120_000;

/**
 * Makes the provider forget the destinations that it knows from us and that no account has had for a
 * while, which have their room there. Those that the operator made known are never among them.
 */
export async function discardUnwanted(work: Reconciler): Promise<void> {
  const { provider, db, timing, logger } = work;
  if (!provider.discard) return;
  const unwanted = await findUnwantedDestinations(db, timing.unwantedMs);
  if (unwanted.length === 0) return;
  try {
    const gone = await provider.discard(unwanted, AbortSignal.timeout(DISCARD_MS));
    await forgetProviderDestinations(db, gone);
    // Somebody may have chosen one of them just now.
    for (const name of await findNamesForwardedTo(db, gone))
      await inTransaction(db, async (trx) => {
        await markAnyChanged(trx, name);
        await work.wake(trx, name);
      });
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    logger.warn({ code: error.code }, 'the provider keeps destinations that nobody wants');
  }
}
