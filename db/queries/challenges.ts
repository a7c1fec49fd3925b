import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Executor } from '#db/connections/handles.ts';

export async function getChallengeSecret(db: Executor): Promise<Uint8Array> {
  const { secret } = await db
    .insertInto('challenge_secret')
    .values({ secret: randomBytes(32) })
    // DO UPDATE returns an existing row, DO NOTHING does not.
    .onConflict((conflict) =>
      conflict.column('only_row').doUpdateSet({ secret: sql<Buffer>`challenge_secret.secret` }),
    )
    .returning('secret')
    .executeTakeFirstOrThrow();
  return secret;
}

export async function consumeChallenge(db: Executor, signature: Buffer): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('used_challenges')
    // Much longer than a challenge is valid, because servers' clocks may differ.
    .values({ signature, expires_at: sql<Date>`now() + interval '1 hour'` })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}
