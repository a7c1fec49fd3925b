import { hash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;
const TOKEN = /^[\w-]{43}$/;

/** A secret of 256 bits that fits into a link and a cookie. */
export function createToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** Whether a text can be a token, which needs no database to tell. */
export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

/** By what a token is known: it is stored nowhere. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
