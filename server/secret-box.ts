import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from './settings/config.ts';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** Length of the key in bytes. */
const KEY_BYTES = 32;

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

/** Name of the file in the data folder. */
const FILE = 'encryption.key';

/**
 * The key as 64 hexadecimal digits: `ENCRYPTION_KEY`, else that of the data folder, which the first
 * start creates. Undefined on a PostgreSQL server of the operator's without the setting, where several
 * servers may need the same key.
 */
export async function findEncryptionKey(
  { ENCRYPTION_KEY: given }: Pick<Config, 'ENCRYPTION_KEY'>,
  folder: string | undefined,
): Promise<string | undefined> {
  if (given !== undefined || folder === undefined) return given;
  const file = join(folder, FILE);
  const created = randomBytes(KEY_BYTES).toString('hex');
  try {
    await writeFile(file, `${created}\n`, { flag: 'wx', mode: 0o600 });
    return created;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const key = (await readFile(file, 'utf8')).trim();
  if (!/^[0-9a-f]{64}$/i.test(key))
    throw new Error(`The file ${file} holds no key: 64 hexadecimal digits.`);
  return key;
}
