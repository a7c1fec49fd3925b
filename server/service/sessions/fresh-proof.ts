import type { Reads } from '../../../db/connections/databases.ts';
import type { Kysely } from 'kysely';
import { FRESH_PROOF } from '../../../contract/fresh-proof.ts';
import { findProof, type SessionProof } from '../../../db/queries/sessions/sessions.ts';
import type { Database } from '../../../db/schema.ts';
import type { Caller } from '../caller.ts';
import { refuserOf } from '../refusal.ts';

const refuse = refuserOf(FRESH_PROOF);

/** Refuses a session that was begun a while ago: its browser may be in other hands by now. */
export async function demandFreshProof(
  db: Reads,
  caller: Pick<Caller, 'accountId' | 'via'>,
): Promise<void> {
  if ((await proofOf(db, caller)) !== 'fresh') throw refuse('reauthenticationRequired');
}

/** Does the same before a key or a passkey is added, but lets a new account add its first ones. */
export async function demandProofToAddLogin(
  db: Kysely<Database>,
  caller: Pick<Caller, 'accountId' | 'via'>,
): Promise<void> {
  if ((await proofOf(db, caller)) === 'stale') throw refuse('reauthenticationRequired');
}

/** Returns the proof that a caller has given; a key proves who it is each time. */
export async function proofOf(
  db: Reads,
  { accountId, via }: Pick<Caller, 'accountId' | 'via'>,
): Promise<SessionProof> {
  return via.kind === 'key' ? 'fresh' : findProof(db, accountId, via.sessionId);
}
