import { NameplateError } from '#client/errors.ts';
import { isOn } from '../facts.ts';
import { t } from '../translate.ts';

/** WebAuthn options in JSON, passed from the server to the browser. */
type PasskeyOptions = Readonly<Record<string, unknown>> & { challenge: string };

/** WebAuthn credential in JSON, passed from the browser to the server. */
type CredentialJson = { id: string; response: { clientDataJSON: string } };

export const PASSKEY_EXPLANATION = t('Sign in with your fingerprint, face or phone. No password.');

/** Passkeys need a secure context, a host name (not an IP address), and a recent browser. */
export const canUsePasskeys =
  isOn('passkeys') &&
  isSecureContext &&
  /[a-z]/i.test(location.hostname.replace(/^\[.*/, '')) &&
  typeof PublicKeyCredential === 'function' &&
  'parseRequestOptionsFromJSON' in PublicKeyCredential;

export function createPasskey(options: PasskeyOptions): Promise<CredentialJson> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as unknown as PublicKeyCredentialCreationOptionsJSON,
  );
  return toJson(
    navigator.credentials.create({ publicKey }),
    t('No passkey was added. You canceled, the request timed out, or this device already has one.'),
  );
}

export function requestPasskey(options: PasskeyOptions): Promise<CredentialJson> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as unknown as PublicKeyCredentialRequestOptionsJSON,
  );
  return toJson(
    navigator.credentials.get({ publicKey }),
    t('No passkey was used. There was none, you canceled, or the request timed out.'),
  );
}

async function toJson(
  pending: Promise<Credential | null>,
  problem: string,
): Promise<CredentialJson> {
  const credential = await pending.catch(() => null);
  if (!(credential instanceof PublicKeyCredential)) throw new NameplateError(problem);
  return credential.toJSON() as unknown as CredentialJson;
}
