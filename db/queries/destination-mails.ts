import { sql } from 'kysely';
import type { Transaction } from '#db/connections/handles.ts';
import { hashDestination } from './forwarding-destinations.ts';

const MAX_MAILS_PER_DAY = 3;
const DAY = sql`interval '1 day'`;

/** Returns the id of the address, or undefined if the daily limit has been reached. */
export async function recordDestinationMail(
  trx: Transaction,
  { accountId, address }: { accountId: string; address: string },
): Promise<string | undefined> {
  const isDayOver = sql<boolean>`forwarding_destinations.mail_count_since <= now() - ${DAY}`;
  const row = await trx
    .insertInto('forwarding_destinations')
    .values({
      account_id: accountId,
      address_hash: hashDestination(accountId, address),
      // Does not count toward the daily limit of new addresses (see `recordDestination`).
      added_at: sql<Date>`'-infinity'`,
      mail_count: 1,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'address_hash'])
        .doUpdateSet({
          mail_count: sql<number>`CASE WHEN ${isDayOver} THEN 1 ELSE forwarding_destinations.mail_count + 1 END`,
          mail_count_since: sql<Date>`CASE WHEN ${isDayOver} THEN excluded.mail_count_since ELSE forwarding_destinations.mail_count_since END`,
        })
        .where(
          sql<boolean>`forwarding_destinations.mail_count < ${MAX_MAILS_PER_DAY} OR ${isDayOver}`,
        ),
    )
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

/** The link is valid for a day. Earlier links stop working. */
export async function setConfirmationToken(
  trx: Transaction,
  id: string,
  tokenHash: Buffer,
): Promise<void> {
  await trx
    .updateTable('forwarding_destinations')
    .set({ token_hash: tokenHash, token_expires_at: sql<Date>`now() + ${DAY}` })
    .where('id', '=', id)
    .execute();
}
