import type { Reads } from '../../../db/connections/databases.ts';
import type { Kysely } from 'kysely';
import { confirm, findConfirmation } from '../../../db/queries/forwarding/confirmations.ts';
import { lockProfile } from '../../../db/queries/profiles.ts';
import type { Database } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/connections/transaction.ts';
import { hashToken, isToken } from '../token.ts';
import type { Forwarding } from './service.ts';

/** The name whose mail a link is about; undefined if the link is not, or no longer, valid. */
export async function findLinkedName(reads: Reads, token: string): Promise<string | undefined> {
  if (!isToken(token)) return undefined;
  return (await findConfirmation(reads, hashToken(token)))?.name;
}

/** Confirms the address that a link was sent to, once. Returns as `findLinkedName`. */
export async function confirmDestination(
  db: Kysely<Database>,
  forwarding: Forwarding,
  token: string,
): Promise<string | undefined> {
  const tokenHash = hashToken(token);
  return inTransaction(db, async (trx) => {
    const seen = await findConfirmation(trx, tokenHash);
    if (!seen) return undefined;
    await lockProfile(trx, seen.accountId);
    // The transaction that held the lock may have changed the address.
    const found = await findConfirmation(trx, tokenHash);
    if (!found) return undefined;
    await confirm(trx, found);
    await forwarding.queue(trx, found.name);
    return found.name;
  });
}
