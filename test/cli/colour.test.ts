import { stripVTControlCharacters } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { createPostgresDatabase } from '../support/test-database.ts';
import { runInTerminal, runCommand, runJson, type Settings } from './support/command-line.ts';

const RED = '\u001B[31m';
const GREEN = '\u001B[32m';
const YELLOW = '\u001B[33m';
const ANY = '\u001B[';

let settings: Settings;
beforeAll(async () => {
  settings = { DATABASE_URL: await createPostgresDatabase('nameplate_template') };
});

describe('colours', () => {
  it('show on a terminal what is good, bad or notable', async () => {
    const coloured = { ...settings, FORCE_COLOR: '1' };
    const created = await runCommand(coloured, 'accounts', 'create', '--display-name', 'jane');
    expect(created.stdout).toContain(`${YELLOW}Save the key now`);
    await runJson(settings, 'accounts', 'suspend', 'jane');
    const { stdout } = await runCommand(coloured, 'accounts', 'list');
    expect(stdout.split(RED)).toHaveLength(2);
    expect((await runCommand(coloured, 'status')).stdout).toContain(`${GREEN}up to date`);
    const unknown = await runCommand(coloured, 'accounts', 'show', 'nobody');
    expect(unknown.stderr).toContain(`${RED}There is no account nobody.`);
    const { stderr } = await runCommand(coloured, 'accounts', 'nonsense');
    expect(stderr).toContain(`${RED}error:`);
    expect(stripVTControlCharacters(stderr)).toMatch(/^error: unknown command/);
  });

  it('leave columns aligned', async () => {
    const table = async (changed: Settings) =>
      (await runCommand({ ...settings, ...changed }, 'accounts', 'list')).stdout;
    const coloured = await table({ FORCE_COLOR: '1' });
    expect(coloured).toContain(ANY);
    expect(stripVTControlCharacters(coloured)).toBe(await table({}));
  });

  it('are shown only on a terminal without NO_COLOR', async () => {
    expect(runInTerminal(settings, 'status')).toContain(`${GREEN}up to date`);
    expect(runInTerminal({ ...settings, NO_COLOR: '1' }, 'status')).not.toContain(ANY);
    expect((await runCommand(settings, 'status')).stdout).not.toContain(ANY);
    expect(runInTerminal(settings, 'status', '--json')).not.toContain(GREEN);
  });
});
