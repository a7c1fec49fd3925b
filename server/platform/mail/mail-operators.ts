import type { Transaction } from '#db/connections/handles.ts';
import { lockAccounts } from '#db/queries/accounts.ts';
import { listOperators } from '#db/queries/operators.ts';
import type { OwnerMail, OwnerMailData } from '#server/platform/mail/define-mail.ts';
import type { Outbox } from '#server/platform/mail/outbox.ts';

/** Skips operators without a confirmed address. */
export async function mailOperators<Data extends OwnerMailData>(
  trx: Transaction,
  outbox: Outbox,
  mail: OwnerMail<Data>,
  data: Omit<Data, keyof OwnerMailData>,
  options?: { sender?: string },
): Promise<void> {
  const operators = outbox.isAvailable ? await listOperators(trx) : [];
  if (operators.length === 0) return;
  const ids = operators.map(({ account_id }) => account_id);
  await lockAccounts(trx, ids);
  for (const accountId of ids)
    await outbox.mailOwner(trx, mail as OwnerMail, { ...data, accountId }, options);
}
