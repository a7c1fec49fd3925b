import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import type { Executor } from '#db/connections/handles.ts';
import { consumeChallenge } from '#db/queries/challenges.ts';
import { findPasskey } from '#db/queries/passkeys.ts';
import type { RelyingParty } from '#server/platform/settings/relying-party.ts';
import type { PasskeyResponse, PasskeyChallenges } from './passkey-challenges.ts';
import { createUserHandle } from './register-passkey.ts';

export async function createLoginOptions(
  challenges: PasskeyChallenges,
  relyingParty: RelyingParty,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
  return generateAuthenticationOptions({
    rpID: relyingParty.id,
    userVerification: 'required',
    challenge: await challenges.create(null),
  });
}

export interface PasskeyUse {
  counter: number;
  /** Whether the passkey is synchronized, so that its devices count on their own, if at all. */
  isBackedUp: boolean;
}

export async function verifyPasskeyLogin(
  db: Executor,
  challenges: PasskeyChallenges,
  relyingParty: RelyingParty,
  passkeyResponse: PasskeyResponse,
): Promise<(PasskeyUse & { accountId: string; passkeyId: string; host: string }) | undefined> {
  const passkey = await findPasskey(db, passkeyResponse.id);
  if (!passkey) return undefined;
  const challenge = await challenges.verify(passkeyResponse, null);
  if (!challenge) return undefined;
  const response = passkeyResponse as unknown as AuthenticationResponseJSON;
  const accountId = passkey.account_id;
  const userHandle = Buffer.from(createUserHandle(accountId)).toString('base64url');
  if (response.response.userHandle !== userHandle) return undefined;
  const use = await verifySignature(response, challenge.text, relyingParty, {
    id: passkeyResponse.id,
    publicKey: Uint8Array.from(passkey.public_key),
  });
  if (!use || !(await consumeChallenge(db, challenge.signature))) return undefined;
  return { accountId, passkeyId: passkeyResponse.id, host: relyingParty.id, ...use };
}

async function verifySignature(
  response: AuthenticationResponseJSON,
  expectedChallenge: string,
  relyingParty: RelyingParty,
  passkey: { id: string; publicKey: Uint8Array<ArrayBuffer> },
): Promise<PasskeyUse | undefined> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge,
      expectedOrigin: relyingParty.origin,
      expectedRPID: relyingParty.id,
      // `touchPasskey` compares the counter.
      credential: { ...passkey, counter: 0 },
    });
    const { newCounter: counter, credentialBackedUp: isBackedUp } = authenticationInfo;
    return verified ? { counter, isBackedUp } : undefined;
  } catch {
    // The library throws for invalid responses.
    return undefined;
  }
}
