import { LAST_OPERATOR_REFUSALS } from '#contract/owner/account.ts';
import { ACCOUNT_KEPT_REFUSALS } from '#contract/owner/keepers.ts';
import { MEMBER_REFUSALS, NEW_OPERATOR_REFUSALS } from '#contract/owner/members.ts';
import type { Transaction } from '#db/connections/handles.ts';
import { findDisplayName } from '#db/queries/display-names.ts';
import { findMember } from '#db/queries/members.ts';
import { canLoseOperator, deleteOperator, insertOperator } from '#db/queries/operators.ts';
import { findOwnerAddress } from '#db/queries/owner-mails.ts';
import type { Core } from '#server/core.ts';
import { OPERATOR_ACTOR, SIGN_ON_ACTOR } from '#server/platform/caller.ts';
import { mailOperators } from '#server/platform/mail/mail-operators.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import { storeEvent } from '../events/log-event.ts';
import { operatorMail } from './operator-mail.ts';

const refuse = createRefuser({
  ...MEMBER_REFUSALS,
  ...NEW_OPERATOR_REFUSALS,
  ...LAST_OPERATOR_REFUSALS,
  ...ACCOUNT_KEPT_REFUSALS,
});

async function describeAccount(trx: Transaction, accountId: string): Promise<string> {
  const name = await findDisplayName(trx, accountId);
  return name ?? (await findOwnerAddress(trx, accountId)) ?? accountId;
}

/**
 * Makes an account an operator, or a member again, and mails all operators, old and new.
 * `provider` names the identity provider that did it.
 */
export async function changeOperator(
  trx: Transaction,
  { allowances, outbox }: Pick<Core, 'allowances' | 'outbox'>,
  {
    targetId,
    isOperator,
    ...actor
  }: { targetId: string; isOperator: boolean } & ({ operatorId: string } | { provider: string }),
): Promise<void> {
  const canRemove = await canLoseOperator(trx, targetId);
  const account = await findMember(trx, targetId);
  if (!account) throw refuse('accountNotFound');
  if (account.operator === isOperator) return;
  if (isOperator && account.suspended_at) throw refuse('accountNotActive');
  if (isOperator && account.kept) throw refuse('accountKept');
  if (!isOperator && !canRemove) throw refuse('lastOperator');
  const bySignOn = 'provider' in actor;
  const by = bySignOn ? null : ((await findDisplayName(trx, actor.operatorId)) ?? null);
  const member = await describeAccount(trx, targetId);
  const detail = {
    by: bySignOn ? SIGN_ON_ACTOR : actor.operatorId === targetId ? undefined : OPERATOR_ACTOR,
    ...(isOperator && { sessions: await insertOperator(trx, targetId, { bySignOn }) }),
  };
  const type = isOperator ? 'operator_added' : 'operator_removed';
  await storeEvent(trx, { allowances }, { accountId: targetId, type, detail });
  const provider = bySignOn ? actor.provider : undefined;
  const change = { by, provider, member, memberId: targetId, isOperator };
  await mailOperators(trx, outbox, operatorMail, change);
  if (!isOperator) await deleteOperator(trx, targetId);
}
