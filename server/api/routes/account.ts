import type { contract } from '../../../contract/index.ts';
import {
  clearForwarding,
  findDisplayName,
  lockProfile,
  releaseDisplayName,
} from '../../../db/queries/account.ts';
import { insertEvent } from '../../../db/queries/events.ts';
import { inTransaction } from '../../../db/transaction.ts';
import type { Handlers } from '../../http/adapter.ts';
import type { Dependencies } from '../dependencies.ts';
import { parseFreeDisplayName, takeDisplayName } from '../../service/names/claim-display-name.ts';

export function accountRoutes({
  forwarding,
  isReserved,
  quarantineDays,
}: Pick<Dependencies, 'forwarding' | 'isReserved' | 'quarantineDays'>): Handlers<
  typeof contract.account
> {
  return {
    getDisplayName: async ({ accountId, db }) => {
      const name = await findDisplayName(db, accountId);
      return { status: 200, body: { display_name: name ?? '' } };
    },

    updateDisplayName: async ({ accountId, body, db, refuse }) => {
      const name = parseFreeDisplayName(body.display_name, isReserved);
      await inTransaction(db, async (trx) => {
        const profile = await lockProfile(trx, accountId);
        const old = profile?.display_name ?? null;
        if (old !== name) await takeDisplayName(trx, { accountId, name, quarantineDays });
        if (!profile) throw refuse('profileNotFound');
        if (old !== null && old !== name) await releaseDisplayName(trx, accountId, old);
        await clearForwarding(trx, accountId);
        if (old !== null) await forwarding.queue(trx, old);
        if (old !== name) await forwarding.queue(trx, name);
        await insertEvent(trx, {
          accountId,
          type: 'display_name_updated',
          outcome: 'succeeded',
          detail: { from: old, to: name },
        });
      });
      return {
        status: 200,
        body: {
          success: true,
          message: `The display name was updated to ${name}. Email forwarding was disabled and can be re-enabled via the API or dashboard.`,
        },
      };
    },
  };
}
