import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

interface Creation {
  challenge: string;
  rp: { id?: string };
  user: { id: string };
}

interface Request {
  challenge: string;
  rpId?: string;
}

/** Differences from an honest authenticator; each is a way to cheat. */
interface Otherwise {
  origin?: string;
  rpId?: string;
  challenge?: string;
  crossOrigin?: boolean;
  /** Whether its owner proved who they are. */
  verified?: boolean;
  userHandle?: string;
  counter?: number;
}

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest();
const base64url = (data: string | Uint8Array) => Buffer.from(data).toString('base64url');

/** An authenticator in software with one passkey (ES256), and the browser before it. */
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

  /** Browser's answer to the options for a new passkey. */
  create({ challenge, rp, user }: Creation, otherwise: Otherwise = {}) {
    this.#userHandle = user.id;
    const { x, y } = this.#keys.publicKey.export({ format: 'jwk' });
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.#id.length);
    const attested = Buffer.concat([
      Buffer.alloc(16),
      length,
      this.#id,
      // COSE, in CBOR: { 1: 2, 3: -7, -1: 1, -2: x, -3: y }
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(x!, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y!, 'base64url'),
    ]);
    const authData = this.#authData(rp.id ?? '', 0x40, otherwise, attested);
    const attestationObject = Buffer.concat([
      // { "fmt": "none", "attStmt": {}, "authData": … }
      Buffer.from('a363666d74646e6f6e656761747453746d74a0686175746844617461', 'hex'),
      Buffer.from([0x58, authData.length]),
      authData,
    ]);
    return this.#credential({
      clientDataJSON: base64url(this.#clientData('webauthn.create', challenge, otherwise)),
      attestationObject: base64url(attestationObject),
      transports: ['internal'],
    });
  }

  /** Browser's answer to the options of a login. */
  get({ challenge, rpId = '' }: Request, otherwise: Otherwise = {}) {
    const clientData = this.#clientData('webauthn.get', challenge, otherwise);
    const authenticatorData = this.#authData(rpId, 0, otherwise);
    const signed = Buffer.concat([authenticatorData, sha256(clientData)]);
    return this.#credential({
      clientDataJSON: base64url(clientData),
      authenticatorData: base64url(authenticatorData),
      signature: base64url(sign('sha256', signed, this.#keys.privateKey)),
      userHandle: otherwise.userHandle ?? this.#userHandle,
    });
  }

  #credential(response: object) {
    const { id } = this;
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }

  #clientData(type: string, challenge: string, otherwise: Otherwise): string {
    return JSON.stringify({
      type,
      challenge: otherwise.challenge ?? challenge,
      origin: otherwise.origin ?? this.#origin,
      crossOrigin: otherwise.crossOrigin ?? false,
    });
  }

  #authData(
    rpId: string,
    flags: number,
    otherwise: Otherwise,
    attested: Uint8Array = Buffer.alloc(0),
  ): Buffer {
    const counter = Buffer.alloc(4);
    this.#counter += 1;
    counter.writeUInt32BE(otherwise.counter ?? this.#counter);
    const present = 0x01;
    const verified = otherwise.verified === false ? 0 : 0x04;
    return Buffer.concat([
      sha256(otherwise.rpId ?? rpId),
      Buffer.from([flags | present | verified]),
      counter,
      attested,
    ]);
  }
}
