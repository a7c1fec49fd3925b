import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { insertTestAccount } from '../support/test-app.ts';
import { openTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { type CommandResult, runCommand } from './support/command-line.ts';

/**
 * Escape sequences in 7-bit and 8-bit form, bidirectional controls and other control characters.
 */
const UNTRUSTED =
  'a\u001b[2Jb\u009b2Jc\u009d0;title\u0007d\u202ee\u2066f\u200fg\u2028h\u0085i\u007f';
const CONTROL_CHARACTERS = /(?![\t\n\r])[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;

let database: TestDatabase;
let accountId: string;
beforeAll(async () => {
  database = await openTestDatabase();
  const { db } = database;
  accountId = (await insertTestAccount(db)).id;
  await db.updateTable('api_keys').set({ label: UNTRUSTED }).execute();
});
afterAll(() => database.close());

function runCli(...args: string[]): Promise<CommandResult> {
  return runCommand({ DATABASE_URL: database.url }, ...args);
}

/** Makes stdout look like a terminal. */
function simulateTerminal(): void {
  const { isTTY } = process.stdout;
  process.stdout.isTTY = true;
  onTestFinished(() => {
    process.stdout.isTTY = isTTY;
  });
}

describe('untrusted text cannot control the terminal', () => {
  it.each([
    ['tables', () => ['keys', 'list', '--account', accountId]],
    ['JSON', () => ['keys', 'list', '--account', accountId, '--json']],
    ['refusals', () => ['accounts', 'suspend', UNTRUSTED]],
    ['wrong arguments', () => ['accounts', UNTRUSTED]],
    ['wrong options', () => ['names', 'list', `--${UNTRUSTED}`]],
  ])('in %s', async (_where, getArguments) => {
    simulateTerminal();
    const { stdout, stderr } = await runCli(...getArguments());
    // Headings are bold.
    const text = (stdout + stderr).replace('\u001b[1m', '').replace('\u001b[22m', '');
    expect(text).toMatch(/a.*b/);
    expect(text).not.toMatch(CONTROL_CHARACTERS);
  });

  it('in JSON, whose values stay the same', async () => {
    simulateTerminal();
    const { stdout } = await runCli('keys', 'list', '--account', accountId, '--json');
    expect(JSON.parse(stdout)).toMatchObject([{ label: UNTRUSTED }]);
  });
});
