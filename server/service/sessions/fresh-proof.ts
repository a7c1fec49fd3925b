import type { Reads } from '../../../db/connections/databases.ts';
import { FRESH_PROOF } from '../../../contract/fresh-proof.ts';
import { findProof, type SessionProof } from '../../../db/queries/sessions/sessions.ts';
import type { Caller } from '../caller.ts';
import { refuserOf } from '../refusal.ts';

const refuse = refuserOf(FRESH_PROOF);

/** Refuses a session without a recent login: somebody else may use its browser by now. */
export async function demandFreshProof(
  db: Reads,
  caller: Pick<Caller, 'accountId' | 'via'>,
): Promise<void> {
  if ((await proofOf(db, caller)) !== 'fresh') throw refuse('reauthenticationRequired');
}

/** Whether a caller has logged in recently. Requests with a key always count as fresh. */
export async function proofOf(
  db: Reads,
  { accountId, via }: Pick<Caller, 'accountId' | 'via'>,
): Promise<SessionProof> {
  return via.kind === 'key' ? 'fresh' : findProof(db, accountId, via.sessionId);
}
