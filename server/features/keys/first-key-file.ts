import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { findApiKeys } from '#db/queries/api-keys.ts';
import { countOperators } from '#db/queries/operators.ts';
import type { Core } from '#server/core.ts';
import { passkeyHost } from '#server/platform/settings/relying-party.ts';

/** In the data folder of the embedded database. Created by the first start. */
export const FIRST_KEY_FILE = 'first-key';

/** Deletes the file if its key was used or ended, or if an operator has another way to log in. */
export async function deleteFirstKeyFile({
  config,
  db,
  dataDir,
  log,
  origin,
}: Pick<Core, 'config' | 'db' | 'dataDir' | 'log' | 'origin'>) {
  if (dataDir === undefined) return;
  const file = join(dataDir, FIRST_KEY_FILE);
  const content = await readFile(file, 'utf8').catch(() => '');
  const [keyId] = /np_\w+/.exec(content) ?? [];
  if (keyId === undefined) return;
  const key = (await findApiKeys(db, [keyId])).get(keyId);
  const isNeeded = key?.last_used_at === null && key.revoked_at === null;
  if (isNeeded && (await countOperators(db, passkeyHost(config, origin()))).reachable === 0) return;
  await rm(file, { force: true });
  log.info({ file }, 'the file with the first key was deleted, because it is not needed any more');
}
