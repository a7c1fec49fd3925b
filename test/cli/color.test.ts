import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import {
  type Settings,
  runCommand,
  runInTerminal,
  runJson,
  useDatabase,
} from './support/command-line.ts';

const RED = '\u001B[31m';
const GREEN = '\u001B[32m';
const YELLOW = '\u001B[33m';
const ESCAPE = '\u001B[';

const database = useDatabase();

describe('colors', () => {
  it('highlight success, errors and warnings', async () => {
    const colored = { ...database.settings, FORCE_COLOR: '1' };
    const createResult = await runCommand(colored, 'accounts', 'create', '--display-name', 'jane');
    expect(createResult.stdout).toContain(`${YELLOW}Save the key now`);
    await runJson(database.settings, 'keys', 'revoke', /np_\w+/.exec(createResult.stdout)![0]);
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
    const list = (settings: Settings) =>
      runCommand({ ...database.settings, ...settings }, 'keys', 'list', '--account', 'jane');
    const { stdout } = await list({ FORCE_COLOR: '1' });
    expect(stdout).toContain(ESCAPE);
    expect(stripVTControlCharacters(stdout)).toBe((await list({})).stdout);
  });

  it('are shown only on a terminal without NO_COLOR', async () => {
    const show = async (...args: Parameters<typeof runInTerminal>) =>
      (await runInTerminal(...args)).output;
    const { settings } = database;
    expect(await show(settings, ['status'])).toContain(`${GREEN}up to date`);
    expect(await show({ ...settings, NO_COLOR: '1' }, ['status'])).not.toContain(ESCAPE);
    expect((await runCommand(settings, 'status')).stdout).not.toContain(ESCAPE);
    expect(await show(settings, ['status', '--json'])).not.toContain(GREEN);
  });
});
