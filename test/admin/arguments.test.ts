import { describe, expect, it } from 'vitest';
import { createPostgresDatabase } from '../support/test-database.ts';
import { type Outcome, run, runCommand } from './support/command-line.ts';

/** Nothing is there: a command that got as far as the database would fail with exit code 1. */
const NOWHERE = { DATABASE_URL: 'postgres://postgres@127.0.0.1:1/nothing' };

const COMMANDS = [
  [],
  ['accounts'],
  ['accounts', 'create'],
  ['accounts', 'list'],
  ['accounts', 'delete'],
  ['keys'],
  ['keys', 'create'],
  ['keys', 'list'],
  ['keys', 'revoke'],
  ['projects'],
  ['projects', 'create'],
  ['projects', 'list'],
  ['metrics'],
  ['metrics', 'export'],
  ['events'],
  ['events', 'list'],
  ['forwarding'],
  ['forwarding', 'check'],
  ['forwarding', 'list'],
  ['forwarding', 'sync'],
  ['migrate'],
];

const PROJECT = '3f0c6a0e-6b57-4f0b-9a51-8a2d1f0e7c11';

const BAD: [args: string[], sentence: string][] = [
  [['nonsense'], "unknown command 'nonsense'"],
  [['accounts', 'nonsense'], "unknown command 'nonsense'"],
  [['accounts', 'list', '--nonsense'], "unknown option '--nonsense'"],
  [['accounts', 'list', 'more'], 'too many arguments'],
  [['accounts', 'create', '--display-name', ' '], 'A display name is required.'],
  [['accounts', 'delete'], "missing required argument 'id'"],
  [['accounts', 'delete', 'jane-doe'], 'there is no terminal to ask on; add --yes'],
  [['keys', 'create'], "required option '--account <name-or-id>' not specified"],
  [['keys', 'list', '--account', ''], 'An account is required'],
  [['keys', 'create', '--account', 'jane', '--label', 'x'.repeat(201)], '1 to 200 characters'],
  [['keys', 'revoke', 'nonsense'], 'A key id begins with np_'],
  [['projects', 'create', '--account', 'jane'], "required option '--name <text>' not specified"],
  [['projects', 'create', '--account', 'jane', '--name', ''], '1 to 200 characters'],
  [['events', 'list', '--account', 'jane', '--limit', '0'], 'from 1 to 1000'],
  [['events', 'list', '--account', 'jane', '--limit', 'many'], 'from 1 to 1000'],
  [['metrics', 'export', '--project', '1'], 'A project id is a UUID'],
  [['metrics', 'export', '--project', PROJECT, '--format', 'xml'], 'Allowed choices are ndjson'],
  [['metrics', 'export', '--project', PROJECT, '--since', 'yesterday'], 'A time is ISO 8601'],
  [['metrics', 'export', '--project', PROJECT, '--until', '2026-02-30'], 'A time is ISO 8601'],
  [
    ['metrics', 'export', '--project', PROJECT, '--since', '2026-02-01', '--until', '2026-01-01'],
    '--since must not be after --until',
  ],
  [
    ['metrics', 'export', '--project', PROJECT, '--format', 'csv', '--json'],
    '--json and --format csv exclude each other',
  ],
];

describe('arguments', () => {
  it('--help explains every command', async () => {
    const outcomes = await eachInTurn(COMMANDS, (words) => runCommand(NOWHERE, ...words, '--help'));
    for (const [index, { code, stdout, stderr }] of outcomes.entries()) {
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain(`Usage: ${['nameplate', ...(COMMANDS[index] ?? [])].join(' ')}`);
      expect(stdout).toContain('--json');
    }
  });

  it('bad ones are a sentence on standard error and exit code 2', async () => {
    const outcomes = await eachInTurn(BAD, ([args]) => runCommand(NOWHERE, ...args));
    for (const [index, { code, stdout, stderr }] of outcomes.entries()) {
      expect({ args: BAD[index]?.[0], code, stdout }).toEqual({
        args: BAD[index]?.[0],
        code: 2,
        stdout: '',
      });
      expect(stderr).toContain(BAD[index]?.[1]);
      expect(stderr).not.toContain('    at ');
    }
  });

  it('no command at all is the help on standard error and exit code 2', async () => {
    const { code, stdout, stderr } = await runCommand(NOWHERE);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('Usage: nameplate');
  });

  it('bad settings are one sentence and exit code 1', async () => {
    expect(await runCommand({ PORT: 'http' }, 'accounts', 'list')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'Bad settings: PORT must be a port number.\n',
    });
  });

  it('npm run passes a command on, and its exit code back', async () => {
    const npm = (...args: string[]) =>
      run(NOWHERE, 'npm', 'run', '--silent', 'nameplate', '--', ...args);
    expect(await npm('migrate', '--help')).toMatchObject({ code: 0, stderr: '' });
    expect(await npm('nonsense')).toMatchObject({ code: 2, stdout: '' });
    const settings = { DATABASE_URL: await createPostgresDatabase('nameplate_template') };
    const words = ['run', '--silent', 'nameplate', '--', 'keys', 'revoke', 'np_a'];
    expect(await run(settings, 'npm', ...words)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'There is no key np_a.\n',
    });
  });
});

/** Two at a time: every command is a process of its own. */
async function eachInTurn<Item>(
  items: Item[],
  start: (item: Item) => Promise<Outcome>,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (let index = 0; index < items.length; index += 2)
    outcomes.push(...(await Promise.all(items.slice(index, index + 2).map(start))));
  return outcomes;
}
