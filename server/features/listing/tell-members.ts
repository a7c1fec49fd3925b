import { findInstance } from '#db/queries/instance.ts';
import { claimUntoldMembers } from '#db/queries/listings.ts';
import type { Core } from '#server/core.ts';
import { listingMail } from './listing-mail.ts';
import { listsUnlessObjected } from './lists-unless-objected.ts';

const BATCH_SIZE = 500;

/** Mails members with a published page, also those who published it in the last hour, once each. */
export async function tellMembers(
  { config, db, outbox }: Pick<Core, 'config' | 'db' | 'outbox'>,
  signal?: AbortSignal,
): Promise<void> {
  if (!outbox.isAvailable || !listsUnlessObjected(config, await findInstance(db))) return;
  let count = BATCH_SIZE;
  while (count === BATCH_SIZE && !signal?.aborted)
    count = await db.transaction().execute(async (trx) => {
      const members = await claimUntoldMembers(trx, BATCH_SIZE);
      await outbox.enqueueAll(trx, listingMail, members);
      return members.length;
    });
}
