import type { Kysely } from 'kysely';
import { insertChallenge, takeChallenge } from '../../../db/queries/passkey-challenges.ts';
import { PoolExhaustedError } from '../../../db/postgres.ts';
import type { Database } from '../../../db/schema.ts';
import { createToken, hashToken } from '../token.ts';

/** What an answer says that it answers; the rest is checked by others. */
export interface Answer {
  id: string;
  response: { clientDataJSON: string };
}

/** A new challenge, for a new passkey of an account or with null for a login. */
export async function challengeFor(
  db: Kysely<Database>,
  accountId: string | null,
): Promise<Uint8Array<ArrayBuffer>> {
  const challenge = createToken();
  if (!(await insertChallenge(db, hashToken(challenge), accountId)))
    throw new PoolExhaustedError('too many challenges');
  return Uint8Array.from(Buffer.from(challenge, 'base64url'));
}

/** The challenge that an answer is for, used up by it; undefined if there is none. */
export async function challengeOf(
  db: Kysely<Database>,
  answer: Answer,
  accountId: string | null,
): Promise<string | undefined> {
  const challenge = challengeIn(answer.response.clientDataJSON);
  if (challenge === undefined) return undefined;
  return (await takeChallenge(db, hashToken(challenge), accountId)) ? challenge : undefined;
}

function challengeIn(clientData: string): string | undefined {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientData, 'base64url').toString()) as {
      challenge?: unknown;
    };
    return typeof challenge === 'string' ? challenge : undefined;
  } catch {
    return undefined;
  }
}
