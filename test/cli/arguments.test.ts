import { globSync, readFileSync } from 'node:fs';
import { type CommandUnknownOpts, CommanderError } from '@commander-js/extra-typings';
import { expect, it } from 'vitest';
import { isArea } from '#server/entry/cli/commands/operations.ts';
import { createProgram } from '#server/entry/cli/program.ts';
import { loadConfig } from '#server/platform/settings/config.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { createTempFolder } from '../support/server-process.ts';
import { createPostgresDatabase } from '../support/test-database.ts';
import { failure, runCommand, runProgram } from './support/command-line.ts';

/** Nothing listens on this port, so a command that opens the database fails. */
const UNREACHABLE = { DATABASE_URL: 'postgres://postgres@127.0.0.1:1/nothing' };

/** Without placeholders such as `<command>`, and without the database session `nameplate jobs`. */
const DOCUMENTED_COMMAND =
  /(?<=(?:npx |`|server |nameplate -- )nameplate |bin\/nameplate\.js )(?!jobs`)[a-z][^`\n]*/g;

it('--help explains every command, with valid examples, also in the documents', async () => {
  const names = (await createProgram()).commands.map((command) => command.name());
  // Operations have options only if the arguments name them.
  const program = await createProgram(['', ...names]);
  const commands = [program, ...program.commands];
  const helpTexts = commands.map(getHelp);
  // The changelog also names commands that were removed.
  const files = globSync(['*.md', 'docs/**/*.md', 'client/README.md'], {
    exclude: ['CHANGELOG.md'],
  });
  const documents = files.map((file) => readFileSync(file, 'utf8').replaceAll('\\\n', ' '));
  const documented = documents.flatMap((text) => text.match(DOCUMENTED_COMMAND) ?? []);
  expect(documented.length).toBeGreaterThan(50);
  for (const [index, command] of commands.entries()) {
    expect(helpTexts[index]).toContain(`Usage: ${getPath(command)} `);
    expect(helpTexts[index]).toContain('--json');
    // No regular expressions.
    expect(helpTexts[index]).not.toMatch(/`\^|\\[sdwx]/);
    // Every description begins with a capital letter.
    expect(helpTexts[index]).not.toMatch(/^Usage: .*\n\n[a-z]|^ {2}\S+(?: \S+)* {2,}[a-z]/m);
    expect(helpTexts[index]).toMatch(/^Examples?:\n {2}nameplate /m);
  }
  for (const command of commands) {
    command.configureOutput({ writeOut: () => {}, writeErr: () => {} });
    if (command.commands.length === 0) command.action(() => {});
  }
  for (const example of helpTexts.flatMap(
    (help) => help.match(/(?<=^ {2}nameplate )\w+[. ].*$/gm) ?? [],
  )) {
    const error = await parseExample(program, example);
    expect({ example, error }).toEqual({ example, error: undefined });
  }
  for (const command of documented.filter((text) => !isArea(text.split(' ')[0]!))) {
    const example = command.replace(/\s(?:#|[|>] ).*/, '');
    const error = (await parseExample(program, example)) as CommanderError;
    // A text may name a command without its arguments.
    if (!/^commander\.(?:help|missing\w+)$/.test(error?.code))
      expect({ command, error }).toEqual({ command, error: undefined });
  }
});

it.each([
  [['check', '--help'], /^Usage: nameplate check/],
  [[], /^Usage: nameplate/],
  [['--version'], packageJson.version],
  [['-V'], packageJson.version],
])('arguments that ask for help or the version (%j) exit with 0', async (args, text) => {
  const stdout = typeof text === 'string' ? `${text}\n` : (expect.stringMatching(text) as string);
  expect(await runCommand(UNREACHABLE, ...args)).toEqual({ code: 0, stdout, stderr: '' });
});

it.each([
  [['nonsense'], "unknown command 'nonsense'"],
  [['keys.listKey'], "unknown command 'keys.listKey'\n(Did you mean keys.listKeys?)"],
  [['key.createKey'], "unknown command 'key.createKey'\n(Did you mean keys.createKey?)"],
  [['keys.createKey', '--lable', 'x'], "unknown option '--lable'\n(Did you mean --label?)"],
  [['migrate', '--nonsense'], "unknown option '--nonsense'"],
  [['migrate', 'more'], 'too many arguments'],
  [['check', '--mail', 'nobody'], 'Give one email address.'],
  [['restore'], "missing required argument 'file'"],
])('arguments that are invalid exit with 2 and a message: %j', async (args, message) => {
  const { stderr, ...result } = await runCommand(UNREACHABLE, ...args);
  expect(result).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(message);
  expect(stderr).toMatch(/^error: [^]*\nAdd --help to see how to use the command\.\n$/);
});

it.each([
  [['migrate', '--nonsense', '--json'], 2, "unknown option '--nonsense'"],
  [['--json', 'keys.listKeys', '--account', 'nobody-here'], 1, expect.any(String)],
])('arguments with --json print errors as JSON (%j)', async (args, code, error) => {
  const result = await runCommand(UNREACHABLE, ...args);
  expect(result).toMatchObject({ code, stdout: '' });
  expect(JSON.parse(result.stderr)).toEqual({ error });
});

it('invalid settings print one message and exit with 1', async () => {
  expect(await runCommand({ PORT: 'http' }, 'members.listMembers')).toEqual(
    failure('Invalid settings: PORT must be a port number.'),
  );
});

it.each(['0x1238', '1e3', ' 80 ', '+80', '-0', '65536', '9'.repeat(400), '٨٠'])(
  'a number in the settings has only decimal digits, and is in range: %s',
  (text) => {
    expect(() => loadConfig({ PORT: text })).toThrow('PORT must be a port number.');
    expect(() => loadConfig({ DATABASE_POOL_SIZE: text })).toThrow(
      'DATABASE_POOL_SIZE must be a whole number from 1 to 1000.',
    );
    expect(loadConfig({ PORT: '0080' })).toMatchObject({ PORT: 80, DATABASE_POOL_SIZE: 10 });
  },
);

it.each([
  ['npx', ['nameplate']],
  ['npm', ['run', '--silent', 'nameplate', '--']],
])('%s forwards a command and its exit code', async (file, prefix) => {
  const settings = { DATABASE_URL: await createPostgresDatabase('nameplate_template') };
  // npm caches downloads in the home folder.
  const HOME = await createTempFolder();
  const args = [...prefix, 'login', '--account', 'nobody'];
  expect(await runProgram({ ...settings, HOME }, file, ...args)).toEqual(
    failure('There is no account nobody.'),
  );
});

function getPath(command: CommandUnknownOpts): string {
  const { parent } = command;
  return parent ? `${getPath(parent)} ${command.name()}` : command.name();
}

function getHelp(command: CommandUnknownOpts): string {
  let help = '';
  command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
  return help;
}

/** Parses an example like a shell, and returns the error. */
async function parseExample(program: CommandUnknownOpts, example: string): Promise<unknown> {
  const argv = [...example.matchAll(/(["'])(.*?)\1|(\S+)/g)].map(
    ([, , quoted, unquoted]) => quoted ?? unquoted ?? '',
  );
  try {
    await program.parseAsync(argv, { from: 'user' });
    return undefined;
  } catch (error) {
    return (error as CommanderError).exitCode === 0 ? undefined : error;
  }
}
