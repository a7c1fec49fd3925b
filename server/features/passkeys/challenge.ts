import { createHmac, randomFillSync, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import type { Kysely } from 'kysely';
import { getChallengeSecret } from '#db/queries/sessions/challenges.ts';
import type { Database } from '#db/schema.ts';
import { loadOnce } from '#server/load-once.ts';

/** Time for which a challenge can be answered, in milliseconds. */
const LIFETIME_MS = 300_000;
const TIME_BYTES = 6;
const NONCE_BYTES = 16;
const HEAD_BYTES = TIME_BYTES + NONCE_BYTES;

/** Challenge that an answer says it answers; the rest is checked by others. */
export interface Answer {
  id: string;
  response: { clientDataJSON: string };
}

/** A challenge of ours that an answer is for. */
export interface OpenChallenge {
  /** The challenge as it stands in the answer. */
  text: string;
  /** Identifies the challenge once it is used. */
  signature: Buffer;
}

/**
 * Challenges for passkeys: a time, random bytes and a signature over both. Only those that were
 * answered are stored, so asking for challenges fills no table. All servers of a database share the
 * secret of the signature.
 */
export class Challenges {
  readonly #loadSecret: () => Promise<Uint8Array>;

  constructor(db: Kysely<Database>) {
    this.#loadSecret = loadOnce(() => getChallengeSecret(db));
  }

  /** Makes a challenge for a new passkey of an account, or with null for a login. */
  async create(accountId: string | null): Promise<Uint8Array<ArrayBuffer>> {
    const head = Buffer.alloc(HEAD_BYTES);
    head.writeUIntBE(Date.now(), 0, TIME_BYTES);
    randomFillSync(head, TIME_BYTES);
    return Uint8Array.from(Buffer.concat([head, await this.#sign(head, accountId)]));
  }

  /** The challenge that an answer is for; undefined if it is not ours, too old or for something else. */
  async find(answer: Answer, accountId: string | null): Promise<OpenChallenge | undefined> {
    const text = challengeIn(answer.response.clientDataJSON);
    if (text === undefined) return undefined;
    const bytes = Buffer.from(text, 'base64url');
    const head = bytes.subarray(0, HEAD_BYTES);
    const signature = bytes.subarray(HEAD_BYTES);
    const expected = await this.#sign(head, accountId);
    if (signature.length !== expected.length || !timingSafeEqual(signature, expected))
      return undefined;
    const age = Date.now() - head.readUIntBE(0, TIME_BYTES);
    return age < LIFETIME_MS ? { text, signature } : undefined;
  }

  async #sign(head: Buffer, accountId: string | null): Promise<Buffer> {
    return createHmac('sha256', await this.#loadSecret())
      .update(accountId ?? 'login')
      .update(head)
      .digest();
  }
}

function challengeIn(clientData: string): string | undefined {
  try {
    const { challenge, crossOrigin } = JSON.parse(
      Buffer.from(clientData, 'base64url').toString(),
    ) as { challenge?: unknown; crossOrigin?: unknown };
    // Pages of other sites frame none of ours, so no browser of an owner answers from within one.
    return typeof challenge === 'string' && !crossOrigin ? challenge : undefined;
  } catch {
    return undefined;
  }
}

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

export interface RelyingParty {
  id: string;
  origin: string;
}

/**
 * Undefined if browsers refuse passkeys at the address: without TLS, or at an IP address. Loopback
 * addresses become localhost.
 */
export function relyingPartyOf(address: string): RelyingParty | undefined {
  const { protocol, hostname, origin, port } = new URL(address);
  if (LOOPBACK.test(hostname) && protocol === 'http:')
    return { id: 'localhost', origin: `http://localhost${port && `:${port}`}` };
  const isName = isIP(hostname.replace(/^\[|\]$/g, '')) === 0;
  return protocol === 'https:' && isName ? { id: hostname, origin } : undefined;
}
