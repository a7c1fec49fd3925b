import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** Length of the key in bytes. */
export const KEY_BYTES = 32;

/** Encrypts secrets that are stored and have to be read again. */
export interface SecretBox {
  /** Encrypts a text for one purpose; `context` names the row that it is stored in. */
  seal: (text: string, context: string) => Buffer;
  /** Decrypts it; undefined with another key or context, or if it was changed. */
  open: (sealed: Uint8Array, context: string) => string | undefined;
}

/** Encrypts with AES-256-GCM; the result is nonce, tag and text. */
export function secretBox(key: Uint8Array): SecretBox {
  return {
    seal: (text, context) => {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES });
      cipher.setAAD(Buffer.from(context));
      const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), encrypted]);
    },
    open: (sealed, context) => {
      if (sealed.length < IV_BYTES + TAG_BYTES) return undefined;
      const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, IV_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(Buffer.from(context));
      decipher.setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      try {
        const text = decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES));
        return Buffer.concat([text, decipher.final()]).toString('utf8');
      } catch {
        return undefined;
      }
    },
  };
}
