import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../settings/config.ts';
import { KEY_BYTES } from './secret-box.ts';

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
