import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const KEY = /^(np_[A-Za-z0-9]{16})\.([A-Za-z0-9_]{38})$/;
const CHECKSUM_LENGTH = 6;

/** The two halves of a key `<id>.<secret>`: the id is no secret, only a hash of the secret is stored. */
export interface ApiKey {
  id: string;
  secret: string;
}

/** Makes a key of 190 random bits. */
export function generateApiKey(): ApiKey {
  const id = `np_${randomText(16)}`;
  const random = randomText(32);
  return { id, secret: random + checksum(`${id}.${random}`) };
}

/** Splits a key; undefined if it cannot be one, which its checksum tells without a database. */
export function parseApiKey(key: string): ApiKey | undefined {
  const [, id, secret] = KEY.exec(key) ?? [];
  if (id === undefined || secret === undefined) return undefined;
  const random = secret.slice(0, -CHECKSUM_LENGTH);
  return secret.endsWith(checksum(`${id}.${random}`)) ? { id, secret } : undefined;
}

/** Hashes a secret for the database. */
export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

function randomText(length: number): string {
  return Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let index = 0; index < CHECKSUM_LENGTH; index += 1) {
    digits = ALPHABET.charAt(rest % ALPHABET.length) + digits;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits;
}
