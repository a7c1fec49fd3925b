import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  loadExistingSecretBox,
  loadOrCreateEncryptionKey,
  createSecretBox,
} from '#server/platform/secrets/secret-box.ts';
import { loadConfig } from '#server/platform/settings/config.ts';

const KEY = 'ab'.repeat(32);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nameplate-key-'));
});
afterAll(() => rm(folder, { recursive: true }));

it('the first start creates a key that only its user can read, and later starts reuse it', async () => {
  const [first, second] = await Promise.all([
    loadOrCreateEncryptionKey(loadConfig({}), folder),
    loadOrCreateEncryptionKey(loadConfig({}), folder).catch(() => undefined),
  ]);
  expect(first).toMatch(/^[0-9a-f]{64}$/);
  expect([first, undefined]).toContain(second);
  const file = join(folder, 'encryption.key');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await loadOrCreateEncryptionKey(loadConfig({}), folder)).toBe(first);
  expect((await readFile(file, 'utf8')).trim()).toBe(first);
});

it('the setting takes precedence; without it and without a data folder there is no key', async () => {
  expect(await loadOrCreateEncryptionKey(loadConfig({ ENCRYPTION_KEY: KEY }), folder)).toBe(KEY);
  expect(await loadOrCreateEncryptionKey(loadConfig({ ENCRYPTION_KEY: KEY }), undefined)).toBe(KEY);
  expect(await loadOrCreateEncryptionKey(loadConfig({}), undefined)).toBeUndefined();
});

it('commands read secrets with the setting, too, and create no file without it', async () => {
  const emptyFolder = await mkdtemp(join(folder, 'empty-'));
  const config = loadConfig({ ENCRYPTION_KEY: KEY });
  const sealed = createSecretBox(Buffer.from(KEY, 'hex')).seal('secret', 'row 1');
  expect((await loadExistingSecretBox(config, emptyFolder))?.open(sealed, 'row 1')).toBe('secret');
  expect(await loadExistingSecretBox(loadConfig({}), emptyFolder)).toBeUndefined();
  expect(await readdir(emptyFolder)).toEqual([]);
});

it('a malformed key is refused and not printed', async () => {
  for (const key of ['x', KEY.slice(1), `${KEY}0`, 'zz'.repeat(32)])
    expect(() => loadConfig({ ENCRYPTION_KEY: key })).toThrow(
      'ENCRYPTION_KEY must be 64 hexadecimal digits, as openssl rand -hex 32 prints them.',
    );
  const file = join(folder, 'encryption.key');
  await chmod(file, 0o600);
  await writeFile(file, 'cut off');
  await expect(loadOrCreateEncryptionKey(loadConfig({}), folder)).rejects.toThrow(/holds no key/);
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
