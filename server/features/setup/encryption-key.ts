import { join } from 'node:path';
import { listEncryptedConnections } from '#db/queries/connections.ts';
import { findKeyCheck, findMailServers, saveKeyCheck } from '#db/queries/instance.ts';
import type { Core } from '#server/core.ts';
import { MAIL_SERVER_CONTEXT } from '#server/platform/mail/mail-server-store.ts';
import { KEY_FILE, loadSecretBox, type SecretBox } from '#server/platform/secrets/secret-box.ts';
import type { Config } from '#server/platform/settings/config.ts';
import { StartError } from '#server/platform/settings/start-failure.ts';
import { urlContext } from '../connections/open-receiver.ts';

const CHECK_CONTEXT = 'instance key_check';

type KeyDeps = Pick<Core, 'config' | 'db' | 'dataDir' | 'secretBox'>;

/** Stores the check of the key, and a new key in its file. Throws if another key is needed. */
export async function verifyEncryptionKey(app: KeyDeps): Promise<void> {
  const { config, db, dataDir, secretBox } = app;
  const state = await findKeyState(app);
  const isReplaced = state === 'wrong' && config.REPLACE_ENCRYPTION_KEY === 'true';
  if (state === 'wrong' && !isReplaced) throw new StartError(explainKey(app));
  await secretBox?.storeKey?.();
  if (state === 'right' || !secretBox) return;
  const replaces = isReplaced || dataDir !== undefined;
  await saveKeyCheck(db, secretBox.seal('', CHECK_CONTEXT), { replaces });
  // Another server may have stored the check of another key first.
  if (!replaces) await verifyEncryptionKey(app);
}

/** For commands and checks, which neither create nor replace the key. */
export async function loadVerifiedSecretBox(
  config: Config,
  { db, dataDir }: Pick<KeyDeps, 'db' | 'dataDir'>,
): Promise<{ secretBox?: SecretBox | undefined; problem?: string }> {
  try {
    const secretBox = await loadSecretBox(config, dataDir);
    const app = { config, db, dataDir, secretBox };
    const isWrong = (await findKeyState(app)) === 'wrong';
    if (isWrong && config.REPLACE_ENCRYPTION_KEY === 'false') return { problem: explainKey(app) };
    return isWrong || secretBox?.storeKey ? {} : { secretBox };
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return { problem: error.message };
  }
}

/** `unused` if nothing shows which key is the right one. */
async function findKeyState({
  db,
  dataDir,
  secretBox,
}: KeyDeps): Promise<'right' | 'unused' | 'wrong'> {
  const check = await findKeyCheck(db);
  const opens = ([sealed, context]: [Buffer, string]) =>
    secretBox?.open(sealed, context) !== undefined;
  if (check && opens([check, CHECK_CONTEXT])) return 'right';
  const { encrypted_mail_server: mailServer } = await findMailServers(db);
  const secrets = (await listEncryptedConnections(db)).map((row): [Buffer, string] => [
    row.encrypted_url!,
    urlContext(row),
  ]);
  if (mailServer) secrets.push([mailServer, MAIL_SERVER_CONTEXT]);
  // Versions before 0.3.1 stored no check.
  if (!check && secrets.some(opens)) return 'unused';
  // Servers that share a database need the same key before it encrypts anything.
  const isAgreed = check && secretBox && dataDir === undefined;
  return secrets.length > 0 || isAgreed ? 'wrong' : 'unused';
}

function explainKey({ config, dataDir, secretBox }: KeyDeps): string {
  const isSet = config.ENCRYPTION_KEY !== undefined;
  const name = isSet || dataDir === undefined ? 'ENCRYPTION_KEY' : join(dataDir, KEY_FILE);
  const isMissing = !secretBox || secretBox.storeKey;
  const problem = isMissing
    ? `${name} is missing, but the database has secrets that it encrypted`
    : `${name} is not the key of this database`;
  return `${problem}: put the former key back, or start once with REPLACE_ENCRYPTION_KEY=true and without the secrets of the former key.`;
}
