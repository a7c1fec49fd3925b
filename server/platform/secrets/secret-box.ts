import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadOnce } from '../load-once.ts';
import type { Config } from '../settings/config.ts';
import { StartError } from '../settings/start-failure.ts';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const KEY_PATTERN = /^[0-9a-f]{64}$/i;

export interface SecretBox {
  /** `context` identifies the row that stores the secret. */
  seal: (text: string, context: string) => Buffer;
  /** Returns undefined if the key or the context differs or the data was changed. */
  open: (sealed: Uint8Array, context: string) => string | undefined;
  /** Writes a new key to its file. */
  storeKey?: () => Promise<void>;
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

/**
 * The key is `ENCRYPTION_KEY`, or the one in the data folder. Without that file, it is a new key, which
 * `storeKey` writes. With `DATABASE_URL` but no `ENCRYPTION_KEY`, resolves to undefined, because all
 * servers of a database need the same key.
 */
export async function loadSecretBox(
  { ENCRYPTION_KEY: configuredKey }: Pick<Config, 'ENCRYPTION_KEY'>,
  dataDir: string | undefined,
): Promise<SecretBox | undefined> {
  if (configuredKey !== undefined) return createSecretBox(Buffer.from(configuredKey, 'hex'));
  if (dataDir === undefined) return undefined;
  const file = join(dataDir, KEY_FILE);
  const stored = await readKeyFile(file);
  if (stored !== undefined) return createSecretBox(Buffer.from(stored, 'hex'));
  const key = randomBytes(KEY_BYTES);
  const options = { flag: 'wx', mode: 0o600, flush: true };
  const storeKey = loadOnce(() => writeFile(file, `${key.toString('hex')}\n`, options));
  return { ...createSecretBox(key), storeKey };
}

async function readKeyFile(file: string): Promise<string | undefined> {
  const text = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return undefined;
    throw new StartError(`The encryption key in ${file} cannot be read (${cause.code}).`, {
      cause,
    });
  });
  if (text === undefined || KEY_PATTERN.test(text.trim())) return text?.trim();
  throw new StartError(
    `The file ${file} is not an encryption key (64 hexadecimal digits): restore it from a copy, or delete it if there is none.`,
  );
}
