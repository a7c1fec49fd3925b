import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { insertMetrics } from '#db/queries/metrics/metrics.ts';
import { insertProject } from '#db/queries/projects.ts';
import { insertTestAccount } from '../support/test-app.ts';
import { openTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { runCommand, type CommandResult } from './support/command-line.ts';

/**
 * Escape sequences in 7-bit and 8-bit form, bidirectional controls and other control characters.
 */
const UNTRUSTED =
  'a\u001b[2Jb\u009b2Jc\u009d0;title\u0007d\u202ee\u2066f\u200fg\u2028h\u0085i\u007f';
const CONTROL_CHARACTERS = /(?![\t\n\r])[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;

let database: TestDatabase;
let accountId: string;
let projectId: string;
beforeAll(async () => {
  database = await openTestDatabase();
  const { db } = database;
  accountId = (await insertTestAccount(db)).id;
  projectId = (await insertProject(db, accountId, UNTRUSTED)).id;
  const metric = { accountId, projectId, payload: { [UNTRUSTED]: UNTRUSTED } };
  await insertMetrics(db, [{ text: JSON.stringify(metric) }]);
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
    ['tables', () => ['projects', 'list', '--account', accountId]],
    ['details', () => ['projects', 'rename', projectId, UNTRUSTED]],
    ['JSON', () => ['projects', 'list', '--account', accountId, '--json']],
    ['exported lines', () => ['metrics', 'export', '--project', projectId]],
    ['exported CSV', () => ['metrics', 'export', '--project', projectId, '--format', 'csv']],
    ['exported JSON', () => ['metrics', 'export', '--project', projectId, '--json']],
    ['refusals', () => ['accounts', 'show', UNTRUSTED]],
    ['wrong arguments', () => ['accounts', UNTRUSTED]],
    ['wrong options', () => ['accounts', 'list', `--${UNTRUSTED}`]],
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
    const { stdout: projectsJson } = await runCli(
      'projects',
      'list',
      '--account',
      accountId,
      '--json',
    );
    expect(JSON.parse(projectsJson)).toMatchObject([{ name: UNTRUSTED }]);
    const { stdout: metric } = await runCli('metrics', 'export', '--project', projectId);
    expect(JSON.parse(metric)).toMatchObject({ payload: { [UNTRUSTED]: UNTRUSTED } });
  });
});

it('a pipe gets metrics exactly as they are stored', async () => {
  const { stdout } = await runCli('metrics', 'export', '--project', projectId);
  expect(stdout).toContain(`"payload":${JSON.stringify({ [UNTRUSTED]: UNTRUSTED })}}\n`);
});
