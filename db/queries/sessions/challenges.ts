import { randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Database } from '#db/schema.ts';

/** Returns the secret that signs challenges, and makes it when it is first needed. */
export async function getChallengeSecret(db: Kysely<Database>): Promise<Uint8Array> {
  const { secret } = await db
    .insertInto('challenge_secret')
    .values({ secret: randomBytes(32) })
    // An update that changes nothing returns the row that is there.
    .onConflict((conflict) =>
      conflict.column('only_row').doUpdateSet({ secret: sql<Buffer>`challenge_secret.secret` }),
    )
    .returning('secret')
    .executeTakeFirstOrThrow();
  return secret;
}

/** Uses a challenge up; false if it was used before. */
export async function useChallenge(db: Kysely<Database>, signature: Buffer): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('used_challenges')
    // An hour is far longer than a challenge is valid, because the clocks of servers may differ.
    .values({ signature, expires_at: sql<Date>`now() + interval '1 hour'` })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Deletes used challenges that are no longer valid anyway. */
export async function deleteExpiredChallenges(db: Kysely<Database>): Promise<void> {
  await db
    .deleteFrom('used_challenges')
    .where('expires_at', '<', sql<Date>`now()`)
    .execute();
}
