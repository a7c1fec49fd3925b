import type { Reads } from '#db/connections/databases.ts';
import { RECENT_LOGIN_REFUSALS } from '#contract/recent-login.ts';
import { AUTHORIZATION_REFUSALS } from '#contract/request-refusals.ts';
import { isOperator } from '#db/queries/operators.ts';
import { findProof, type SessionProof } from '#db/queries/sessions/sessions.ts';
import type { Caller } from '#server/caller.ts';
import { refuserOf } from '#server/refusal.ts';

const refuse = refuserOf({ ...RECENT_LOGIN_REFUSALS, ...AUTHORIZATION_REFUSALS });

/** Refuses a session without a recent login: somebody else may be using the browser by now. */
export async function demandFreshProof(
  db: Reads,
  caller: Pick<Caller, 'accountId' | 'via'>,
): Promise<void> {
  if ((await proofOf(db, caller)) !== 'fresh') throw refuse('reauthenticationRequired');
}

/**
 * Like `demandFreshProof`, before a new way to log in is added. In an operator's account, it also refuses keys
 * without the scope `operator` and sessions started with them: the new login would have more rights than the key.
 */
export async function demandProofToAddLogin(
  db: Reads,
  caller: Pick<Caller, 'accountId' | 'via' | 'scope'>,
): Promise<void> {
  await demandFreshProof(db, caller);
  const { accountId, scope } = caller;
  if (scope !== 'operator' && (await isOperator(db, accountId)))
    throw refuse('insufficientScope', { scope });
}

/** Whether a caller has logged in recently. Requests with a key always count as fresh. */
export async function proofOf(
  db: Reads,
  { accountId, via }: Pick<Caller, 'accountId' | 'via'>,
): Promise<SessionProof> {
  return via.kind === 'key' ? 'fresh' : findProof(db, accountId, via.sessionId);
}
