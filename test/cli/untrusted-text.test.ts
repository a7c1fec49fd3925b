import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { insertTestAccount } from '../support/test-app.ts';
import { runCommand, useDatabase } from './support/command-line.ts';

/**
 * Escape sequences in 7-bit and 8-bit form, bidirectional controls and other control characters.
 */
const UNTRUSTED =
  'a\u001b[2Jb\u009b2Jc\u009d0;title\u0007d\u202ee\u2066f\u200fg\u2028h\u0085i\u007f';
const CONTROL_CHARACTERS = /(?![\t\n\r])[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;

const database = useDatabase();
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
  const text = (stdout + stderr).replace('\u001b[1m', '').replace('\u001b[22m', '');
  expect(text).toMatch(/a.*b/);
  expect(text).not.toMatch(CONTROL_CHARACTERS);
  if (where === 'JSON') expect(JSON.parse(stdout)).toMatchObject([{ label: UNTRUSTED }]);
});
