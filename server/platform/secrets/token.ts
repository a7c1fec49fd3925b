import { hash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;
const TOKEN = /^[\w-]{43}$/;

/** 256 random bits. The text is safe in URLs and cookies. */
export function createToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** Checks only the format, so that invalid tokens need no database query. */
export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

/** Extracts the token from a link: the text between `#` and `/`. Returns a plain token unchanged. */
export function tokenOf(url: string): string {
  return url.slice(url.indexOf('#') + 1).split('/', 1)[0]!;
}
