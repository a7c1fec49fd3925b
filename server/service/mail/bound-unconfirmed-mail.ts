import type { Kysely } from 'kysely';
import { HOUR_MS } from '../../../contract/durations.ts';
import { UNCONFIRMED_MAIL } from '../../../contract/request-refusals.ts';
import { countUnconfirmedMail } from '../../../db/queries/unconfirmed-mails.ts';
import type { Database } from '../../../db/schema.ts';
import { waiting } from '../allowances/waiting.ts';
import { refuserOf } from '../refusal.ts';

const refuse = refuserOf(UNCONFIRMED_MAIL);

/** Counts a mail to an unconfirmed address, and refuses it above the hourly `limit`; 0 for no limit. */
export async function boundUnconfirmedMail(
  db: Kysely<Database>,
  purpose: Database['unconfirmed_mails']['purpose'],
  limit: number,
): Promise<void> {
  if (limit === 0 || (await countUnconfirmedMail(db, purpose, limit))) return;
  throw refuse('mailLimitReached', waiting(HOUR_MS - (Date.now() % HOUR_MS)));
}
