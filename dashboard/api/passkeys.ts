import { NameplateError } from '../../client/src/errors.ts';

/** Options that the server hands to the browser; what is in it is between those two. */
type Options = Readonly<Record<string, unknown>> & { challenge: string };

/** Answer of the browser, as it is sent. */
type Answer = { id: string; response: { clientDataJSON: string } };

const NOT_USED =
  'No passkey was used: there was none, it was not allowed, or the request timed out.';

/** Whether there can be passkeys: over TLS or at localhost, by a name, in browsers of the last years. */
export const hasPasskeys =
  isSecureContext &&
  /[a-z]/i.test(location.hostname.replace(/^\[.*/, '')) &&
  typeof PublicKeyCredential === 'function' &&
  'parseRequestOptionsFromJSON' in PublicKeyCredential;

/** Has the browser add a passkey. */
export function makePasskey(options: Options): Promise<Answer> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as unknown as PublicKeyCredentialCreationOptionsJSON,
  );
  return answerOf(navigator.credentials.create({ publicKey }));
}

/** Has the browser prove who this is, with one of the passkeys that it has. */
export function askForPasskey(options: Options): Promise<Answer> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as unknown as PublicKeyCredentialRequestOptionsJSON,
  );
  return answerOf(navigator.credentials.get({ publicKey }));
}

async function answerOf(asked: Promise<Credential | null>): Promise<Answer> {
  const credential = await asked.catch(() => null);
  if (!(credential instanceof PublicKeyCredential)) throw new NameplateError(NOT_USED);
  return credential.toJSON() as unknown as Answer;
}
