import { createHmac, randomFillSync, timingSafeEqual } from 'node:crypto';
import type { Database } from '#db/connections/handles.ts';
import { getChallengeSecret } from '#db/queries/challenges.ts';
import { loadOnce } from '#server/platform/load-once.ts';

const CHALLENGE_LIFETIME_MS = 300_000;
const TIME_BYTES = 6;
const NONCE_BYTES = 16;
const HEAD_BYTES = TIME_BYTES + NONCE_BYTES;

/** Contains only the fields that are read here. The WebAuthn library checks the rest. */
export interface PasskeyResponse {
  id: string;
  response: { clientDataJSON: string };
}

export interface VerifiedChallenge {
  /** In base64url, as in the response. */
  text: string;
  /** Stored on use, so that a challenge works only once. */
  signature: Buffer;
}

/**
 * WebAuthn challenges consist of a time, random bytes and an HMAC. Only used challenges are stored,
 * so unused ones take no space. Servers that share a database share the HMAC secret.
 */
export class PasskeyChallenges {
  /** Called at the start, because handlers would wait for a second connection. */
  readonly loadSecret: () => Promise<Uint8Array>;

  constructor(db: Database) {
    this.loadSecret = loadOnce(() => getChallengeSecret(db));
  }

  /** Pass the account that registers a passkey, or null for a login. */
  async create(accountId: string | null): Promise<Uint8Array<ArrayBuffer>> {
    const head = Buffer.alloc(HEAD_BYTES);
    head.writeUIntBE(Date.now(), 0, TIME_BYTES);
    randomFillSync(head, TIME_BYTES);
    return Uint8Array.from(Buffer.concat([head, await this.#sign(head, accountId)]));
  }

  /**
   * Resolves to undefined if the challenge is invalid, expired, or for another account or purpose.
   */
  async verify(
    passkeyResponse: PasskeyResponse,
    accountId: string | null,
  ): Promise<VerifiedChallenge | undefined> {
    const text = readChallenge(passkeyResponse.response.clientDataJSON);
    if (text === undefined) return undefined;
    const bytes = Buffer.from(text, 'base64url');
    const head = bytes.subarray(0, HEAD_BYTES);
    const signature = bytes.subarray(HEAD_BYTES);
    const expected = await this.#sign(head, accountId);
    if (signature.length !== expected.length || !timingSafeEqual(signature, expected))
      return undefined;
    const age = Date.now() - head.readUIntBE(0, TIME_BYTES);
    return age < CHALLENGE_LIFETIME_MS ? { text, signature } : undefined;
  }

  async #sign(head: Buffer, accountId: string | null): Promise<Buffer> {
    return createHmac('sha256', await this.loadSecret())
      .update(accountId ?? 'login')
      .update(head)
      .digest();
  }
}

function readChallenge(clientData: string): string | undefined {
  try {
    const { challenge, crossOrigin } = JSON.parse(
      Buffer.from(clientData, 'base64url').toString(),
    ) as { challenge?: unknown; crossOrigin?: unknown };
    // Other sites cannot frame the dashboard, so a cross-origin response is not genuine.
    return typeof challenge === 'string' && !crossOrigin ? challenge : undefined;
  } catch {
    return undefined;
  }
}
