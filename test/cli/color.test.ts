import { stripVTControlCharacters } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { createPostgresDatabase } from '../support/test-database.ts';
import { runInTerminal, runCommand, runJson, type Settings } from './support/command-line.ts';

const RED = '\u001B[31m';
const GREEN = '\u001B[32m';
const YELLOW = '\u001B[33m';
const ESCAPE = '\u001B[';

let settings: Settings;
beforeAll(async () => {
  settings = { DATABASE_URL: await createPostgresDatabase('nameplate_template') };
});

describe('colors', () => {
  it('highlight success, errors and warnings', async () => {
    const colored = { ...settings, FORCE_COLOR: '1' };
    const createResult = await runCommand(colored, 'accounts', 'create', '--display-name', 'jane');
    expect(createResult.stdout).toContain(`${YELLOW}Save the key now`);
    await runJson(settings, 'keys', 'revoke', /np_\w+/.exec(createResult.stdout)![0]);
    const { stdout } = await runCommand(colored, 'keys', 'list', '--account', 'jane');
    expect(stdout.split(RED)).toHaveLength(2);
    expect((await runCommand(colored, 'status')).stdout).toContain(`${GREEN}up to date`);
    const unknownResult = await runCommand(colored, 'accounts', 'suspend', 'nobody');
    expect(unknownResult.stderr).toContain(`${RED}There is no account nobody.`);
    const { stderr } = await runCommand(colored, 'accounts', 'nonsense');
    expect(stderr).toContain(`${RED}error:`);
    expect(stripVTControlCharacters(stderr)).toMatch(/^error: unknown command/);
  });

  it('leave columns aligned', async () => {
    const getTable = async (extraSettings: Settings) =>
      (
        await runCommand(
          { ...settings, ...extraSettings },
          ...['keys', 'list', '--account', 'jane'],
        )
      ).stdout;
    const colored = await getTable({ FORCE_COLOR: '1' });
    expect(colored).toContain(ESCAPE);
    expect(stripVTControlCharacters(colored)).toBe(await getTable({}));
  });

  it('are shown only on a terminal without NO_COLOR', async () => {
    expect(runInTerminal(settings, 'status')).toContain(`${GREEN}up to date`);
    expect(runInTerminal({ ...settings, NO_COLOR: '1' }, 'status')).not.toContain(ESCAPE);
    expect((await runCommand(settings, 'status')).stdout).not.toContain(ESCAPE);
    expect(runInTerminal(settings, 'status', '--json')).not.toContain(GREEN);
  });
});
