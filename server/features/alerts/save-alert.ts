import type { Transaction } from 'kysely';
import { LIMITS } from '#contract/limits.ts';
import { ALERT_ADDRESS_REFUSALS, ALERT_LIMIT_REFUSALS } from '#contract/owner/alerts.ts';
import { STORED_WEBHOOK_REFUSALS } from '#contract/owner/webhooks.ts';
import { lockAccount } from '#db/queries/accounts.ts';
import { countAlerts } from '#db/queries/alerts/alerts.ts';
import { lockWebhook } from '#db/queries/chat/chat-webhooks.ts';
import { findOwnerAddress } from '#db/queries/owner-mails.ts';
import type { ReadDatabase } from '#db/connections/read-database.ts';
import type { Database } from '#db/schema.ts';
import type { Outbox } from '#server/mail/outbox.ts';
import { createRefuser } from '#server/refusal.ts';

const refuse = createRefuser({
  ...ALERT_LIMIT_REFUSALS,
  ...ALERT_ADDRESS_REFUSALS,
  ...STORED_WEBHOOK_REFUSALS,
});

export async function assertAlertAllowed(
  trx: Transaction<Database>,
  accountId: string,
): Promise<void> {
  // Without the lock, concurrent requests could exceed the alert limit.
  await lockAccount(trx, accountId);
  if ((await countAlerts(trx, accountId)) >= LIMITS.alerts)
    throw refuse('alertLimitReached', { limit: LIMITS.alerts });
}

export async function assertAlertTarget(
  trx: Transaction<Database>,
  outbox: Pick<Outbox, 'isAvailable'>,
  { accountId, webhookId }: { accountId: string; webhookId: string | null },
): Promise<void> {
  if (webhookId !== null) {
    if (!(await lockWebhook(trx, accountId, webhookId))) throw refuse('storedWebhookNotFound');
  } else if ((await findAlertAddress(trx, outbox, accountId)) === null)
    throw refuse('alertAddressMissing');
}

/** Returns null if there is no confirmed address or the server cannot send mail. */
export async function findAlertAddress(
  db: ReadDatabase,
  { isAvailable }: Pick<Outbox, 'isAvailable'>,
  accountId: string,
): Promise<string | null> {
  return isAvailable ? ((await findOwnerAddress(db, accountId)) ?? null) : null;
}
