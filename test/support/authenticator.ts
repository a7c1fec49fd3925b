import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

interface CreationOptions {
  challenge: string;
  rp: { id?: string };
  user: { id: string };
}

interface RequestOptions {
  challenge: string;
  rpId?: string;
}

/** Wrong values that a malicious authenticator or browser sends. */
interface Overrides {
  origin?: string;
  rpId?: string;
  challenge?: string;
  crossOrigin?: boolean;
  /** False if the user was not verified, for example by fingerprint or PIN. */
  isUserVerified?: boolean;
  userHandle?: string;
  counter?: number;
  /** True for a synchronized passkey. */
  isBackedUp?: boolean;
}

// Bits of the `flags` byte of WebAuthn authenticator data.
const USER_PRESENT_FLAG = 0x01;
const USER_VERIFIED_FLAG = 0x04;
/** Eligible for backup, and backed up. */
const BACKED_UP_FLAGS = 0x18;
const ATTESTED_DATA_FLAG = 0x40;

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest();
const base64url = (data: string | Uint8Array) => Buffer.from(data).toString('base64url');

/** A browser with a software authenticator that holds one ES256 passkey. */
export class Authenticator {
  readonly #id = randomBytes(16);
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly #origin: string;
  #userHandle = '';
  #counter = 0;

  constructor(origin: string) {
    this.#origin = origin;
  }

  get id(): string {
    return base64url(this.#id);
  }

  /** Like `navigator.credentials.create()`. */
  create({ challenge, rp, user }: CreationOptions, overrides: Overrides = {}) {
    this.#userHandle = user.id;
    const { x, y } = this.#keys.publicKey.export({ format: 'jwk' });
    const idLength = Buffer.alloc(2);
    idLength.writeUInt16BE(this.#id.length);
    const attestedData = Buffer.concat([
      Buffer.alloc(16),
      idLength,
      this.#id,
      // COSE key as CBOR: { 1: 2, 3: -7, -1: 1, -2: x, -3: y }
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(x!, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y!, 'base64url'),
    ]);
    const authData = this.#authData(rp.id ?? '', ATTESTED_DATA_FLAG, overrides, attestedData);
    const attestationObject = Buffer.concat([
      // CBOR: { "fmt": "none", "attStmt": {}, "authData": … }
      Buffer.from('a363666d74646e6f6e656761747453746d74a0686175746844617461', 'hex'),
      Buffer.from([0x58, authData.length]),
      authData,
    ]);
    return this.#credential({
      clientDataJSON: base64url(this.#clientData('webauthn.create', challenge, overrides)),
      attestationObject: base64url(attestationObject),
      transports: ['internal'],
    });
  }

  /** Like `navigator.credentials.get()`. */
  get({ challenge, rpId = '' }: RequestOptions, overrides: Overrides = {}) {
    const clientData = this.#clientData('webauthn.get', challenge, overrides);
    const authenticatorData = this.#authData(rpId, 0, overrides);
    const signedData = Buffer.concat([authenticatorData, sha256(clientData)]);
    return this.#credential({
      clientDataJSON: base64url(clientData),
      authenticatorData: base64url(authenticatorData),
      signature: base64url(sign('sha256', signedData, this.#keys.privateKey)),
      userHandle: overrides.userHandle ?? this.#userHandle,
    });
  }

  #credential(response: object) {
    const { id } = this;
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }

  #clientData(type: string, challenge: string, overrides: Overrides): string {
    return JSON.stringify({
      type,
      challenge: overrides.challenge ?? challenge,
      origin: overrides.origin ?? this.#origin,
      crossOrigin: overrides.crossOrigin ?? false,
    });
  }

  #authData(
    rpId: string,
    flags: number,
    overrides: Overrides,
    attestedData: Uint8Array = Buffer.alloc(0),
  ): Buffer {
    const counter = Buffer.alloc(4);
    this.#counter += 1;
    counter.writeUInt32BE(overrides.counter ?? this.#counter);
    const verifiedFlag = overrides.isUserVerified === false ? 0 : USER_VERIFIED_FLAG;
    const backupFlags = overrides.isBackedUp ? BACKED_UP_FLAGS : 0;
    return Buffer.concat([
      sha256(overrides.rpId ?? rpId),
      Buffer.from([flags | USER_PRESENT_FLAG | verifiedFlag | backupFlags]),
      counter,
      attestedData,
    ]);
  }
}
