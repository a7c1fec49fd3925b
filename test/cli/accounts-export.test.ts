import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createTempFolder } from '../support/server-process.ts';
import { unzip } from '../support/unzip.ts';
import { useServer } from '../support/use-server.ts';
import { failure, runCommand } from './support/command-line.ts';

const { server } = useServer();

let folder: string;
beforeEach(async () => {
  folder = await createTempFolder();
});

const run = (...args: string[]) =>
  runCommand({ DATABASE_URL: server.database.url }, 'accounts', 'export', ...args);

describe('accounts export', () => {
  it('writes all data to a new file that only its owner can read', async () => {
    const { client } = await server.createAccount();
    await client.account.updateDisplayName({ display_name: 'export-me' });
    const file = join(folder, 'export-me.zip');
    expect(await run('export-me', file)).toMatchObject({ code: 0 });
    const files = await unzip(await readFile(file));
    expect(files.get('account.json')).toContain('"display_name": "export-me"');
    if (process.platform !== 'win32') expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await run('export-me', file)).toMatchObject(
      failure(expect.stringContaining('already exists')),
    );
    expect(await run('export-me', file, '--force')).toMatchObject({ code: 0 });
  });

  it('refuses an account that does not exist, and leaves no file', async () => {
    const file = join(folder, 'nobody.zip');
    expect((await run('nobody', file)).code).toBe(1);
    await expect(stat(file)).rejects.toThrow('ENOENT');
  });
});
