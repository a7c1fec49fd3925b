import type { Kysely } from 'kysely';
import { FRESH_PROOF } from '../../../contract/fresh-proof.ts';
import { isFreshSession } from '../../../db/queries/sessions.ts';
import type { Database } from '../../../db/schema.ts';
import type { Caller } from '../caller.ts';
import { refuserOf } from '../refusal.ts';

const refuse = refuserOf(FRESH_PROOF);

/** Refuses a session that was begun a while ago: its browser may be in other hands by now. */
export async function demandFreshProof(
  db: Kysely<Database>,
  { accountId, via }: Pick<Caller, 'accountId' | 'via'>,
): Promise<void> {
  if (via.kind === 'session' && !(await isFreshSession(db, accountId, via.sessionId)))
    throw refuse('proofStale');
}
