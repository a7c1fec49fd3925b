import { type Kysely, sql } from 'kysely';
import type { Database } from '../schema.ts';

/** Challenges that wait for an answer at once: anybody can ask for one. */
const MOST = 100_000;

/**
 * Stores a challenge for five minutes: for a new passkey of an account, or with null for a login. False
 * if too many wait for their answers.
 */
export async function insertChallenge(
  db: Kysely<Database>,
  challengeHash: Buffer,
  accountId: string | null,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    INSERT INTO passkey_challenges (challenge_hash, account_id, expires_at)
    SELECT ${challengeHash}, ${accountId}::uuid, now() + interval '5 minutes'
    WHERE (SELECT count(*) FROM (SELECT FROM passkey_challenges LIMIT ${MOST}) AS waiting) < ${MOST}`.execute(
    db,
  );
  return numAffectedRows === 1n;
}

/** Uses a challenge up; whether it was one, for the same purpose, and not too old. */
export async function takeChallenge(
  db: Kysely<Database>,
  challengeHash: Buffer,
  accountId: string | null,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('passkey_challenges')
    .where('challenge_hash', '=', challengeHash)
    .where('account_id', 'is not distinct from', accountId)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0;
}

/** Deletes challenges that nobody answered in time. */
export async function deleteExpiredChallenges(db: Kysely<Database>): Promise<void> {
  await db
    .deleteFrom('passkey_challenges')
    .where('expires_at', '<', sql<Date>`now()`)
    .execute();
}
