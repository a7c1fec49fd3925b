import type {
  PublicKeyCredentialCreationOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { Kysely } from 'kysely';
import { LIMITS } from '#contract/limits.ts';
import { PASSKEY_REFUSALS } from '#contract/passkey-refusals.ts';
import { lockAccount } from '#db/queries/accounts.ts';
import { useChallenge } from '#db/queries/sessions/challenges.ts';
import { findDisplayName } from '#db/queries/display-names.ts';
import { insertPasskey, listPasskeys, type PasskeyRow } from '#db/queries/sessions/passkeys.ts';
import type { Database } from '#db/schema.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import type { Outbox } from '#server/mail/outbox.ts';
import { logEvent } from '../events/log-event.ts';
import { refuserOf } from '#server/refusal.ts';
import type { Answer, Challenges, RelyingParty } from './challenge.ts';

const refuse = refuserOf(PASSKEY_REFUSALS);

/** EdDSA, ES256 and RS256, which authenticators have; the library would try out what Node has. */
const ALGORITHMS = [-8, -7, -257];

/** Options for a browser to make a passkey for an account. */
export async function beginRegistration(
  db: Kysely<Database>,
  challenges: Challenges,
  party: RelyingParty,
  accountId: string,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await import('@simplewebauthn/server');
  const [name, passkeys] = [
    await findDisplayName(db, accountId),
    await listPasskeys(db, accountId),
  ];
  return generateRegistrationOptions({
    rpName: 'Nameplate',
    rpID: party.id,
    userID: userHandleOf(accountId),
    userName: name ?? accountId,
    challenge: await challenges.create(accountId),
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    // It is the only proof of who logs in, and found without anybody saying who that is.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: passkeys.map(({ id, transports }) => ({ id, transports })),
  });
}

/** Stores the passkey that a browser made; refuses what is none, or was made for something else. */
export async function register(
  db: Kysely<Database>,
  challenges: Challenges,
  party: RelyingParty,
  outbox: Outbox,
  made: { accountId: string; answer: Answer; label: string | null; by: string },
  eventLimit: number,
): Promise<PasskeyRow> {
  const { accountId, answer, label, by } = made;
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const challenge = await challenges.find(answer, accountId);
  if (!challenge) throw refuse('passkeyInvalid');
  return inTransaction(db, async (trx) => {
    await lockAccount(trx, accountId);
    const { registrationInfo: info } = await verifyRegistrationResponse({
      response: answer as unknown as RegistrationResponseJSON,
      expectedChallenge: challenge.text,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      supportedAlgorithmIDs: ALGORITHMS,
    }).catch(() => {
      // Messages of the library repeat what the caller sent, so they stay out of the log.
      throw refuse('passkeyInvalid');
    });
    if (!info || !(await useChallenge(trx, challenge.signature))) throw refuse('passkeyInvalid');
    if ((await listPasskeys(trx, accountId)).length >= LIMITS.passkeys)
      throw refuse('passkeyLimitReached');
    const { id, publicKey, counter, transports = [] } = info.credential;
    const passkey = { id, accountId, publicKey, counter, transports, label };
    const stored = await insertPasskey(trx, passkey);
    if (!stored) throw refuse('passkeyInvalid');
    const detail = { passkey_id: id, label, by };
    await logEvent(trx, { accountId, type: 'passkey_added', detail }, eventLimit);
    await outbox.send(trx, { kind: 'passkey', accountId });
    return stored;
  });
}

/** By what a passkey knows the account. */
export function userHandleOf(accountId: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(accountId));
}
