import { join } from 'node:path';
import { listEncryptedConnections } from '#db/queries/connections.ts';
import {
  findKeyCheck,
  findMailServer,
  listEncryptedColumns,
  saveKeyCheck,
} from '#db/queries/instance.ts';
import type { Core } from '#server/core.ts';
import { MAIL_SERVER_CONTEXT } from '#server/platform/mail/mail-server-store.ts';
import { KEY_FILE, loadSecretBox, type SecretBox } from '#server/platform/secrets/secret-box.ts';
import type { Config } from '#server/platform/settings/config.ts';
import { StartError } from '#server/platform/settings/start-failure.ts';
import { urlContext } from '../connections/open-receiver.ts';

const CHECK_CONTEXT = 'instance key_check';

type KeyDeps = Pick<Core, 'config' | 'db' | 'dataDir' | 'secretBox'>;

type KeyState = 'right' | 'unused' | 'wrong';

/** Throws if another key is needed. Changes nothing, and the database may lack migrations. */
export async function verifyEncryptionKey(app: KeyDeps): Promise<KeyState> {
  const state = await findKeyState(app);
  if (state === 'wrong' && !mayReplace(app)) throw new StartError(explainKey(app));
  return state;
}

/** Stores the check of the key, and a new key in its file. Throws if another key is needed. */
export async function storeEncryptionKey(app: KeyDeps): Promise<void> {
  const { db, dataDir, secretBox } = app;
  const state = await verifyEncryptionKey(app);
  await secretBox?.storeKey?.();
  if (state === 'right' || !secretBox) return;
  const replaces = state === 'wrong' || dataDir !== undefined;
  await saveKeyCheck(db, secretBox.seal('', CHECK_CONTEXT), { replaces });
  // Another server may have stored the check of another key first.
  if (!replaces) await storeEncryptionKey(app);
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
    if (isWrong && !mayReplace(app)) return { problem: explainKey(app) };
    return isWrong || secretBox?.storeKey ? {} : { secretBox };
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return { problem: error.message };
  }
}

function mayReplace({ config, secretBox }: KeyDeps): boolean {
  return config.REPLACE_ENCRYPTION_KEY === 'true' && secretBox !== undefined;
}

/** `unused` if nothing shows which key is the right one. */
async function findKeyState({ db, dataDir, secretBox }: KeyDeps): Promise<KeyState> {
  const columns = await listEncryptedColumns(db);
  const check = columns.includes('encrypted_key_check') ? await findKeyCheck(db) : null;
  const opens = ([sealed, context]: [Buffer, string]) =>
    secretBox?.open(sealed, context) !== undefined;
  if (check && opens([check, CHECK_CONTEXT])) return 'right';
  const connections = columns.includes('encrypted_url') ? await listEncryptedConnections(db) : [];
  const secrets = connections.map((row): [Buffer, string] => [row.encrypted_url!, urlContext(row)]);
  const mailServer = columns.includes('encrypted_mail_server') ? await findMailServer(db) : null;
  if (mailServer) secrets.push([mailServer, MAIL_SERVER_CONTEXT]);
  // Versions before 0.3.1 stored no check.
  if (!check && secrets.some(opens)) return 'unused';
  // Servers that share a database need the same key before it encrypts anything.
  const isAgreed = check && secretBox && dataDir === undefined;
  return secrets.length > 0 || isAgreed ? 'wrong' : 'unused';
}

function explainKey({ config, dataDir, secretBox }: KeyDeps): string {
  const isSet = config.ENCRYPTION_KEY !== undefined;
  const file = dataDir === undefined ? undefined : join(dataDir, KEY_FILE);
  const isMissing = !secretBox || secretBox.storeKey;
  const names = file === undefined ? 'ENCRYPTION_KEY is' : `${file} and ENCRYPTION_KEY are`;
  const problem = isMissing
    ? `${names} missing, but the database has secrets of a former key`
    : `${isSet || file === undefined ? 'ENCRYPTION_KEY' : file} is not the key of this database`;
  const start = `${secretBox ? '' : 'set a new ENCRYPTION_KEY and '}start once with REPLACE_ENCRYPTION_KEY=true`;
  return `${problem}: put the former key back, or ${start}. What the former key encrypted is then lost.`;
}
