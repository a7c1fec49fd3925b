import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import type { Kysely } from 'kysely';
import { useChallenge } from '#db/queries/sessions/challenges.ts';
import { findPasskey, touchPasskey } from '#db/queries/sessions/passkeys.ts';
import type { Database } from '#db/schema.ts';
import type { Answer, Challenges, RelyingParty } from './challenge.ts';
import { userHandleOf } from './register-passkey.ts';

/** Options for a browser to ask for any passkey of this server. */
export async function beginPasskeyLogin(
  challenges: Challenges,
  party: RelyingParty,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
  return generateAuthenticationOptions({
    rpID: party.id,
    userVerification: 'required',
    challenge: await challenges.create(null),
  });
}

/** Whose passkey answered a challenge of a login; undefined if none did. */
export async function checkPasskey(
  db: Kysely<Database>,
  challenges: Challenges,
  party: RelyingParty,
  answer: Answer,
): Promise<{ accountId: string; passkeyId: string } | undefined> {
  const passkey = await findPasskey(db, answer.id);
  if (!passkey) return undefined;
  const challenge = await challenges.find(answer, null);
  if (!challenge) return undefined;
  const response = answer as unknown as AuthenticationResponseJSON;
  const accountId = passkey.account_id;
  const handle = Buffer.from(userHandleOf(accountId)).toString('base64url');
  if (response.response.userHandle !== handle) return undefined;
  const counter = await countedBy(response, challenge.text, party, {
    id: answer.id,
    publicKey: Uint8Array.from(passkey.public_key),
    counter: Number(passkey.counter),
  });
  if (counter === undefined || !(await useChallenge(db, challenge.signature))) return undefined;
  await touchPasskey(db, answer.id, counter);
  return { accountId, passkeyId: answer.id };
}

/** Counter of a passkey that signed the challenge here; undefined if it did not. */
async function countedBy(
  response: AuthenticationResponseJSON,
  expectedChallenge: string,
  party: RelyingParty,
  credential: { id: string; publicKey: Uint8Array<ArrayBuffer>; counter: number },
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      credential,
    });
    return verified ? authenticationInfo.newCounter : undefined;
  } catch {
    // Whatever is wrong with it, nobody gets in.
    return undefined;
  }
}
