import { setTimeout as sleep } from 'node:timers/promises';
import { deleteAccount as deleteRow, lockWholeAccount } from '../../../db/queries/accounts.ts';
import { revokeApiKeys } from '../../../db/queries/api-keys.ts';
import { findDisplayName, releaseDisplayName } from '../../../db/queries/display-names.ts';
import { deleteLoginLinks } from '../../../db/queries/login-links.ts';
import { deleteMetrics } from '../../../db/queries/metrics.ts';
import { deleteSessions } from '../../../db/queries/sessions.ts';
import type { InStep } from '../deletion.ts';
import type { Forwarding } from '../forwarding/service.ts';
import { REFUSED_WITHIN_MS } from '../believed.ts';
import { withAccount } from './with-account.ts';

/**
 * Deletes an account with all that it has. Its keys are revoked and its sessions ended first, and every
 * server has let go of them. A name that had mail stays out of reach of others, and its alias is removed.
 */
export async function deleteAccount(
  inStep: InStep,
  forwarding: Forwarding,
  nameOrId: string,
): Promise<{ account_id: string; display_name: string | null }> {
  const { account_id } = await inStep('begun', (trx) =>
    withAccount(trx, nameOrId, async (_trx, account) => {
      await revokeApiKeys(trx, account.account_id);
      await deleteLoginLinks(trx, account.account_id);
      await deleteSessions(trx, account.account_id);
      return account;
    }),
  );
  await sleep(REFUSED_WITHIN_MS);
  return inStep('done', async (trx) => {
    // They take long: they go before rows are locked.
    await deleteMetrics(trx, account_id);
    await lockWholeAccount(trx, account_id);
    const name = await findDisplayName(trx, account_id);
    if (name !== undefined) {
      await releaseDisplayName(trx, account_id, name);
      await forwarding.queue(trx, name);
    }
    await deleteRow(trx, account_id);
    return { account_id, display_name: name ?? null };
  });
}
