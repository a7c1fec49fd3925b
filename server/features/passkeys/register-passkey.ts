import type {
  PublicKeyCredentialCreationOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { PASSKEY_REFUSALS } from '#contract/passkey-refusals.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import type { ReadDatabase, Transaction } from '#db/connections/handles.ts';
import { lockAccount } from '#db/queries/accounts.ts';
import { consumeChallenge } from '#db/queries/challenges.ts';
import { findDisplayName } from '#db/queries/display-names.ts';
import { insertPasskey, listPasskeys, type PasskeyRow } from '#db/queries/passkeys.ts';
import type { Core } from '#server/core.ts';
import { type Caller, credentialId } from '#server/platform/caller.ts';
import { requireLoginScope } from '#server/platform/http/access/recent-login.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import type { RelyingParty } from '#server/platform/settings/relying-party.ts';
import { storeEvent } from '../events/log-event.ts';
import type { PasskeyResponse, PasskeyChallenges } from './passkey-challenges.ts';
import { passkeyMail } from './passkey-mail.ts';

const refuse = createRefuser(PASSKEY_REFUSALS);

/** EdDSA, ES256 and RS256. Without a list, the library tests which algorithms Node supports. */
const ALGORITHMS = [-8, -7, -257];

export async function createRegistrationOptions(
  db: ReadDatabase,
  challenges: PasskeyChallenges,
  relyingParty: RelyingParty & { name: string },
  accountId: string,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await import('@simplewebauthn/server');
  const [name, passkeys] = [
    await findDisplayName(db, accountId),
    await listPasskeys(db, accountId),
  ];
  return generateRegistrationOptions({
    rpName: relyingParty.name,
    rpID: relyingParty.id,
    userID: createUserHandle(accountId),
    userName: name ?? accountId,
    challenge: await challenges.create(accountId),
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    // Passkeys replace both the password and the username.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: passkeys.map(({ id, transports }) => ({ id, transports })),
  });
}

export async function registerPasskey(
  trx: Transaction,
  app: Pick<Core, 'allowances' | 'outbox'> & { passkeys: PasskeyChallenges },
  relyingParty: RelyingParty,
  input: {
    caller: Pick<Caller, 'accountId' | 'credential' | 'scope'>;
    passkeyResponse: PasskeyResponse;
    label: string | null;
  },
): Promise<PasskeyRow> {
  const { caller, passkeyResponse, label } = input;
  const { accountId } = caller;
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const challenge = await app.passkeys.verify(passkeyResponse, accountId);
  if (!challenge) throw refuse('passkeyInvalid');
  await lockAccount(trx, accountId);
  const scope = await requireLoginScope(trx, caller);
  const { registrationInfo: info } = await verifyRegistrationResponse({
    response: passkeyResponse as unknown as RegistrationResponseJSON,
    expectedChallenge: challenge.text,
    expectedOrigin: relyingParty.origin,
    expectedRPID: relyingParty.id,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => {
    // The error has no cause, because the library's messages repeat user input, which must not be
    // logged.
    throw refuse('passkeyInvalid');
  });
  if (!info || !(await consumeChallenge(trx, challenge.signature))) throw refuse('passkeyInvalid');
  if ((await listPasskeys(trx, accountId)).length >= LIMITS.passkeys)
    throw refuse('passkeyLimitReached');
  const { id, publicKey, counter, transports = [] } = info.credential;
  const passkeyRow = await insertPasskey(trx, {
    id,
    account_id: accountId,
    scope,
    label,
    host: relyingParty.id,
    public_key: Buffer.from(publicKey),
    counter: String(counter),
    transports: JSON.stringify(transports),
  });
  if (!passkeyRow) throw refuse('passkeyInvalid');
  const detail = { passkey_id: id, label, by: credentialId(caller.credential) };
  await storeEvent(trx, app, { accountId, type: 'passkey_added', detail });
  await app.outbox.mailOwner(trx, passkeyMail, { accountId });
  return passkeyRow;
}

export function createUserHandle(accountId: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(accountId));
}
