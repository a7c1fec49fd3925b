import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../settings/config.ts';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

export interface SecretBox {
  /** `context` identifies the row that stores the secret. */
  seal: (text: string, context: string) => Buffer;
  /** Returns undefined if the key or the context differs or the data was changed. */
  open: (sealed: Uint8Array, context: string) => string | undefined;
}

/** AES-256-GCM. The result is the nonce, the tag and the ciphertext. */
export function createSecretBox(key: Uint8Array): SecretBox {
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

export const KEY_FILE = 'encryption.key';

/** For commands: only the server creates the key, so that it can read the file. */
export async function loadExistingSecretBox(
  config: Pick<Config, 'ENCRYPTION_KEY'>,
  dataDir: string | undefined,
): Promise<SecretBox | undefined> {
  const isFileNeeded = config.ENCRYPTION_KEY === undefined && dataDir !== undefined;
  if (isFileNeeded && !existsSync(join(dataDir, KEY_FILE))) return undefined;
  return loadSecretBox(config, dataDir);
}

/** Resolves to undefined if there is no key. */
export async function loadSecretBox(
  config: Pick<Config, 'ENCRYPTION_KEY'>,
  dataDir: string | undefined,
): Promise<SecretBox | undefined> {
  const key = await loadOrCreateEncryptionKey(config, dataDir);
  return key === undefined ? undefined : createSecretBox(Buffer.from(key, 'hex'));
}

/**
 * Resolves to 64 hexadecimal digits: `ENCRYPTION_KEY`, or the key in the data folder, which the
 * first start creates. With `DATABASE_URL` but no `ENCRYPTION_KEY`, resolves to undefined, because
 * all servers of a database need the same key.
 */
export async function loadOrCreateEncryptionKey(
  { ENCRYPTION_KEY: configuredKey }: Pick<Config, 'ENCRYPTION_KEY'>,
  folder: string | undefined,
): Promise<string | undefined> {
  if (configuredKey !== undefined || folder === undefined) return configuredKey;
  const file = join(folder, KEY_FILE);
  const newKey = randomBytes(KEY_BYTES).toString('hex');
  try {
    await writeFile(file, `${newKey}\n`, { flag: 'wx', mode: 0o600 });
    return newKey;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const key = (await readFile(file, 'utf8')).trim();
  if (!/^[0-9a-f]{64}$/i.test(key))
    throw new Error(`The file ${file} holds no key: 64 hexadecimal digits.`);
  return key;
}
