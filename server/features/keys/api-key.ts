import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const API_KEY_PATTERN = /^(np_[A-Za-z0-9]{16})\.([A-Za-z0-9_]{38})$/;
const CHECKSUM_LENGTH = 6;

/** Sent as `<id>.<secret>`. The id is public; only a hash of the secret is stored. */
export interface ApiKey {
  id: string;
  secret: string;
}

/** The secret has 190 random bits and a checksum. */
export function generateApiKey(): ApiKey {
  const id = `np_${createRandomText(16)}`;
  const random = createRandomText(32);
  return { id, secret: random + computeChecksum(`${id}.${random}`) };
}

/**
 * Returns undefined if the format or checksum is wrong, so mistyped keys need no database query.
 */
export function parseApiKey(key: string): ApiKey | undefined {
  const [, id, secret] = API_KEY_PATTERN.exec(key) ?? [];
  if (id === undefined || secret === undefined) return undefined;
  const random = secret.slice(0, -CHECKSUM_LENGTH);
  return secret.endsWith(computeChecksum(`${id}.${random}`)) ? { id, secret } : undefined;
}

export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

function createRandomText(length: number): string {
  return Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

function computeChecksum(text: string): string {
  let remainder = crc32(text);
  let digits = '';
  for (let index = 0; index < CHECKSUM_LENGTH; index += 1) {
    digits = ALPHABET.charAt(remainder % ALPHABET.length) + digits;
    remainder = Math.floor(remainder / ALPHABET.length);
  }
  return digits;
}
