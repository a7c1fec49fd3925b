import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it, beforeAll, onTestFinished } from 'vitest';
import { confirm } from '#server/entry/cli/confirm.ts';
import {
  runInTerminal,
  runJson,
  useDatabase,
  type Settings,
  runCommand,
} from './support/command-line.ts';
import { stripVTControlCharacters } from 'node:util';
import { insertTestAccount } from '../support/test-app.ts';

const database = useDatabase();
const run = (answer: string, ...args: string[]) =>
  runInTerminal({ TERM: 'dumb', ...database.settings }, args, answer);

describe('on a terminal', () => {
  it.each(['n\n', '\u0003'])('%j deletes nothing', async (answer) => {
    const { account_id } = (await runJson(database.settings, 'accounts', 'create')) as {
      account_id: string;
    };
    const { code, output } = await run(answer, 'accounts', 'delete', account_id);
    expect(output).toContain(
      `Delete account ${account_id} with its site, keys, projects and metrics? [y/N] `,
    );
    expect(output).toMatch(/\nNothing was deleted\.\n$/);
    expect(code).toBe(1);
    await runJson(database.settings, 'keys', 'list', '--account', account_id);
  });

  it('a command prints which database it uses', async () => {
    const { host, pathname } = new URL(database.url);
    const { output } = await run('', 'migrate');
    expect(output).toBe(
      `Database: PostgreSQL at ${host}${pathname}\nThe database is up to date.\n`,
    );
  });

  it('y deletes', async () => {
    await runJson(database.settings, 'accounts', 'create', '--display-name', 'jane-doe');
    const account = await run('yes\n', 'accounts', 'delete', 'jane-doe');
    expect(account.output).toMatch(/Delete account \S+ \(jane-doe\) with its site/);
    expect(account).toMatchObject({ code: 0, output: expect.stringContaining('Deleted ') });
  });
});

it.each([
  [['y\n', 'Y\n', 'yes\n', ' YES \n'], true],
  [['\n', 'n\n', 'no\n', 'yesterday\n', 'j\n', ''], false],
])('with %j a deletion is confirmed: %s', async (typedTexts, expected) => {
  for (const typedText of typedTexts) {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const confirmation = confirm('Delete it?', input, output);
    input.end(typedText);
    expect([typedText, await confirmation]).toEqual([typedText, expected]);
    output.end();
    expect(await text(output)).toBe('Delete it? [y/N] ');
  }
});

const RED = '\u001B[31m';
const GREEN = '\u001B[32m';
const YELLOW = '\u001B[33m';
const ESCAPE = '\u001B[';

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
});

/**
 * Escape sequences in 7-bit and 8-bit form, bidirectional controls and other control characters.
 */
const UNTRUSTED =
  'a\u001b[2Jb\u009b2Jc\u009d0;title\u0007d\u202ee\u2066f\u200fg\u2028h\u0085i\u007f';
const CONTROL_CHARACTERS = /(?![\t\n\r])[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;

let accountId: string;
beforeAll(async () => {
  accountId = (await insertTestAccount(database.db)).id;
  await database.db.updateTable('api_keys').set({ label: UNTRUSTED }).execute();
});

it.each([
  ['tables', () => ['keys', 'list', '--account', accountId]],
  ['JSON', () => ['keys', 'list', '--account', accountId, '--json']],
  ['refusals', () => ['accounts', 'suspend', UNTRUSTED]],
  ['wrong arguments', () => ['accounts', UNTRUSTED]],
  ['wrong options', () => ['names', 'list', `--${UNTRUSTED}`]],
])('untrusted text cannot control the terminal in %s', async (where, getArguments) => {
  const { isTTY } = process.stdout;
  onTestFinished(() => void (process.stdout.isTTY = isTTY));
  process.stdout.isTTY = true;
  const { stdout, stderr } = await runCommand(database.settings, ...getArguments());
  // Headings are bold.
  const printed = (stdout + stderr).replace('\u001b[1m', '').replace('\u001b[22m', '');
  expect(printed).toMatch(/a.*b/);
  expect(printed).not.toMatch(CONTROL_CHARACTERS);
  if (where === 'JSON') expect(JSON.parse(stdout)).toMatchObject([{ label: UNTRUSTED }]);
});
