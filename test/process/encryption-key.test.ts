import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { compareMigrations } from '#db/migrating/migrate.ts';
import { insertConnection } from '#db/queries/connections.ts';
import { urlContext } from '#server/features/connections/open-receiver.ts';
import {
  loadVerifiedSecretBox,
  storeEncryptionKey,
  verifyEncryptionKey,
} from '#server/features/setup/encryption-key.ts';
import { createSecretBox, loadSecretBox } from '#server/platform/secrets/secret-box.ts';
import { loadConfig } from '#server/platform/settings/config.ts';
import { runCommand } from '../cli/support/command-line.ts';
import { copyDataDir } from '../support/copy-data-dir.ts';
import { spawnServer } from '../support/server-process.ts';
import { insertTestAccount } from '../support/test-app.ts';
import {
  connectPostgresDatabase,
  createPostgresDatabase,
  openTestDatabase,
  type TestDatabase,
} from '../support/test-database.ts';

const KEY = 'ab'.repeat(32);
const OTHER_KEY = 'cd'.repeat(32);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nameplate-key-'));
});
afterAll(() => rm(folder, { recursive: true }));

const createFolder = () => mkdtemp(join(folder, 'data-'));

/** What a start does with the key: resolves to undefined, or to the reason why it stops. */
async function start(
  { db }: TestDatabase,
  settings: Record<string, string>,
  dataDir?: string,
): Promise<string | undefined> {
  const config = loadConfig(settings);
  const secretBox = await loadSecretBox(config, dataDir);
  const app = { config, db, dataDir, secretBox };
  const failure = await storeEncryptionKey(app).catch((error: Error) => error);
  expect(failure?.name ?? 'StartError').toBe('StartError');
  const { problem } = await loadVerifiedSecretBox(config, app);
  expect(problem).toBe(failure?.message);
  return failure?.message;
}

async function openDatabase(): Promise<TestDatabase> {
  const database = await openTestDatabase();
  onTestFinished(database.close);
  return database;
}

/** Stores a connection as version 0.3.0 does. */
async function addConnection({ db }: TestDatabase, key: string): Promise<void> {
  const row = { id: randomUUID(), account_id: (await insertTestAccount(db)).id };
  const secretBox = createSecretBox(Buffer.from(key, 'hex'));
  const encrypted_url = secretBox.seal('https://discord.com/api/webhooks/1/t', urlContext(row));
  await insertConnection(db, { ...row, kind: 'discord', name: '#shop', encrypted_url });
}

const KEY_CHECK_MIGRATION = '0028-key-check';

/** Like a database of version 0.3.0. */
async function removeKeyCheck({ db }: TestDatabase): Promise<void> {
  await sql`ALTER TABLE instance DROP COLUMN encrypted_key_check`.execute(db);
  await sql`DELETE FROM kysely_migration WHERE name = ${KEY_CHECK_MIGRATION}`.execute(db);
}

const LOSS = 'What the former key encrypted is then lost.';
const REMEDY = `put the former key back, or start once with REPLACE_ENCRYPTION_KEY=true. ${LOSS}`;
const MISSING = `ENCRYPTION_KEY is missing, but the database has secrets of a former key: put the former key back, or set a new ENCRYPTION_KEY and start once with REPLACE_ENCRYPTION_KEY=true. ${LOSS}`;

it('a start creates a key that only its user can read, and later starts need it', async () => {
  const [database, dataDir] = [await openDatabase(), await createFolder()];
  const file = join(dataDir, 'encryption.key');
  expect(await start(database, {}, dataDir)).toBeUndefined();
  const text = await readFile(file, 'utf8');
  expect(text).toMatch(/^[0-9a-f]{64}\n$/);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await start(database, {}, dataDir)).toBeUndefined();
  await addConnection(database, text.trim());
  await rm(file);
  expect(await start(database, {}, dataDir)).toBe(
    `${file} and ENCRYPTION_KEY are missing, but the database has secrets of a former key: ${REMEDY}`,
  );
  expect(await readdir(dataDir)).toEqual([]);
  await writeFile(file, OTHER_KEY);
  expect(await start(database, {}, dataDir)).toBe(
    `${file} is not the key of this database: ${REMEDY}`,
  );
  // The setting takes precedence.
  expect(await start(database, { ENCRYPTION_KEY: text.trim() }, dataDir)).toBeUndefined();
});

it('a start finds out with the secrets of version 0.3.0 which key is the right one', async () => {
  const database = await openDatabase();
  await addConnection(database, OTHER_KEY);
  await addConnection(database, KEY);
  const wrongKey = { ENCRYPTION_KEY: 'ef'.repeat(32) };
  expect(await start(database, wrongKey)).toBe(
    `ENCRYPTION_KEY is not the key of this database: ${REMEDY}`,
  );
  expect(await start(database, {})).toBe(MISSING);
  expect(await start(database, { ENCRYPTION_KEY: KEY })).toBeUndefined();
  expect(await start(database, { ENCRYPTION_KEY: OTHER_KEY })).toContain('is not the key');
});

it('a start stops with another key than that of the first server, even if both start at once', async () => {
  const database = await openDatabase();
  const problems = await Promise.all(
    [KEY, OTHER_KEY].map((ENCRYPTION_KEY) => start(database, { ENCRYPTION_KEY })),
  );
  expect(problems.filter((problem) => problem === undefined)).toHaveLength(1);
  // A server without a key cannot write secrets, and there are none to read.
  expect(await start(database, {})).toBeUndefined();
});

it('a start takes another key if the operator says so, or if a restored database has no secrets', async () => {
  const database = await openDatabase();
  const replaced = { ENCRYPTION_KEY: OTHER_KEY, REPLACE_ENCRYPTION_KEY: 'true' };
  await addConnection(database, KEY);
  for (const settings of [{ ENCRYPTION_KEY: KEY }, replaced, { ENCRYPTION_KEY: OTHER_KEY }])
    expect(await start(database, settings)).toBeUndefined();
  expect(await start(database, { ENCRYPTION_KEY: KEY })).toContain('is not the key');
  expect(await start(database, { REPLACE_ENCRYPTION_KEY: 'true' })).toBe(MISSING);
  await database.db.deleteFrom('connections').execute();
  expect(await start(database, {}, await createFolder())).toBeUndefined();
});

it.each([
  [
    'cut off',
    'is not an encryption key (64 hexadecimal digits): restore it from a copy, or delete it if there is none.',
  ],
  [undefined, 'cannot be read (EISDIR).'],
])('a start with the key file %j prints one sentence', async (text, problem) => {
  const DATA_DIR = await copyDataDir();
  const file = join(DATA_DIR, 'encryption.key');
  await rm(file, { force: true });
  await (text === undefined ? mkdir(file) : writeFile(file, text));
  const server = spawnServer({ DATA_DIR });
  expect(await server.exited).toBe(1);
  expect(server.stderr().split('encryption.key ')[1]).toBe(`${problem}\n`);
});

it('a server, check and commands that write secrets need the right key', async () => {
  const database = await openDatabase();
  const { id: accountId } = await insertTestAccount(database.db);
  const settings = { DATABASE_URL: database.url, ENCRYPTION_KEY: KEY, REGISTRATION: 'open' };
  const problem = `ENCRYPTION_KEY is not the key of this database: ${REMEDY}`;
  await addConnection(database, OTHER_KEY);
  await start(database, { ENCRYPTION_KEY: OTHER_KEY });
  for (const isMigrated of [true, false]) {
    if (!isMigrated) await removeKeyCheck(database);
    const server = spawnServer(settings);
    expect(await server.exited).toBe(1);
    expect(server.stderr().trim().split('\n').at(-1)).toBe(problem);
    const checked = await runCommand(settings, 'check');
    expect(checked.code).toBe(1);
    const text = checked.stdout.replaceAll(/\s+/g, ' ');
    expect(text).toContain(`error Settings ${problem}`);
    expect(text.includes('Sign-up is closed until mail')).toBe(isMigrated);
  }
  expect((await compareMigrations(database.db)).due).toEqual([KEY_CHECK_MIGRATION]);
  const create = ['connections.createConnection', '--account', accountId, '--kind', 'discord'];
  const connection = [
    '--event-types',
    '["key_created"]',
    '--name',
    'shop',
    '--url',
    'https://discord.com/api/webhooks/1/token',
  ];
  // A command migrates, and then finds no check.
  expect(await runCommand(settings, ...create, ...connection)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('This server stores no addresses.'),
  });
});

it('a database without tables is new, and any key is verified', async () => {
  const database = connectPostgresDatabase(await createPostgresDatabase());
  onTestFinished(database.close);
  const secretBox = createSecretBox(Buffer.from(KEY, 'hex'));
  const app = { config: loadConfig({}), db: database.db, dataDir: undefined, secretBox };
  expect(await verifyEncryptionKey(app)).toBe('unused');
});

it('a malformed setting is refused and not printed', () => {
  for (const key of ['x', KEY.slice(1), `${KEY}0`, 'zz'.repeat(32)])
    expect(() => loadConfig({ ENCRYPTION_KEY: key })).toThrow(
      'ENCRYPTION_KEY must be 64 hexadecimal digits, as openssl rand -hex 32 prints them.',
    );
});

it('ciphertext is decrypted only with the same key and context, and only if unchanged', () => {
  const box = createSecretBox(Buffer.from(KEY, 'hex'));
  const sealed = box.seal('https://example.com/ü', 'row 1');
  expect(box.open(sealed, 'row 1')).toBe('https://example.com/ü');
  expect(box.open(sealed, 'row 2')).toBeUndefined();
  expect(createSecretBox(Buffer.alloc(32)).open(sealed, 'row 1')).toBeUndefined();
  for (let index = 0; index < sealed.length; index += 1) {
    const tampered = Buffer.from(sealed);
    tampered[index]! ^= 1;
    expect(box.open(tampered, 'row 1')).toBeUndefined();
    expect(box.open(sealed.subarray(0, index), 'row 1')).toBeUndefined();
  }
});
