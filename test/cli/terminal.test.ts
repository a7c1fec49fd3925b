import { stripVTControlCharacters } from 'node:util';
import { expect, it, beforeAll, onTestFinished } from 'vitest';
import { insertTestAccount } from '../support/test-app.ts';
import { runInTerminal, useDatabase, type Settings, runCommand } from './support/command-line.ts';

const database = useDatabase();
const run = (answer: string, ...args: string[]) =>
  runInTerminal({ TERM: 'dumb', ...database.settings }, args, answer);

it('on a terminal, a command prints which database it uses', async () => {
  const { host, pathname } = new URL(database.url);
  const { output } = await run('', 'migrate');
  expect(output).toBe(`Database: PostgreSQL at ${host}${pathname}\nThe database is up to date.\n`);
});

const RED = '\u001B[31m';
const GREEN = '\u001B[32m';
const YELLOW = '\u001B[33m';
const ESCAPE = '\u001B[';

it('colors highlight success, errors and warnings', async () => {
  const colored = { ...database.settings, FORCE_COLOR: '1' };
  const { stdout } = await runCommand(colored, 'check');
  expect(stdout).toContain(`${YELLOW}warning`);
  expect(stdout).toContain(`${GREEN}ok`);
  const unknownResult = await runCommand(colored, 'login', '--account', 'nobody');
  expect(unknownResult.stderr).toContain(`${RED}There is no account nobody.`);
  const { stderr } = await runCommand(colored, 'nonsense');
  expect(stderr).toContain(`${RED}error:`);
  expect(stripVTControlCharacters(stderr)).toMatch(/^error: unknown command/);
});

it('colors leave columns aligned', async () => {
  const list = (settings: Settings) => runCommand({ ...database.settings, ...settings }, 'check');
  const { stdout } = await list({ FORCE_COLOR: '1' });
  expect(stdout).toContain(ESCAPE);
  expect(stripVTControlCharacters(stdout)).toBe((await list({})).stdout);
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
  await database.db.insertInto('provider_aliases').values({ name: UNTRUSTED }).execute();
});

it.each([
  ['tables', () => ['forwarding.listAliases']],
  ['JSON', () => ['keys.listKeys', '--account', accountId]],
  ['one line of JSON', () => ['keys.listKeys', '--account', accountId, '--json']],
  ['refusals', () => ['login', '--account', UNTRUSTED]],
  ['wrong arguments', () => [UNTRUSTED]],
  ['wrong options', () => ['keys.listKeys', `--${UNTRUSTED}`]],
])('untrusted text cannot control the terminal in %s', async (where, getArguments) => {
  const { isTTY } = process.stdout;
  onTestFinished(() => void (process.stdout.isTTY = isTTY));
  process.stdout.isTTY = true;
  const { stdout, stderr } = await runCommand(database.settings, ...getArguments());
  // Headings are bold.
  const printed = (stdout + stderr).replace('\u001b[1m', '').replace('\u001b[22m', '');
  expect(printed).toMatch(/a.*b/);
  expect(printed).not.toMatch(CONTROL_CHARACTERS);
  if (where.includes('JSON'))
    expect(JSON.parse(stdout)).toMatchObject({ keys: [{ label: UNTRUSTED }] });
});
