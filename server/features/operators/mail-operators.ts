import { lockAccounts } from '#db/queries/accounts.ts';
import { listOperators } from '#db/queries/operators.ts';
import type { Transaction } from '#db/connections/handles.ts';
import type { OperatorMail } from '../mails/mail-job.ts';
import type { Outbox } from '../mails/outbox.ts';

/** Skips operators without a confirmed address. */
export async function mailOperators(
  trx: Transaction,
  outbox: Outbox,
  mail: OperatorMail & { sender?: string },
): Promise<void> {
  const operators = outbox.isAvailable ? await listOperators(trx) : [];
  if (operators.length === 0) return;
  const ids = operators.map(({ account_id }) => account_id);
  await lockAccounts(trx, ids);
  for (const accountId of ids) await outbox.enqueue(trx, { ...mail, accountId });
}
