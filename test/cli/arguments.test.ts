import { globSync, readFileSync } from 'node:fs';
import { type CommandUnknownOpts, CommanderError } from '@commander-js/extra-typings';
import { describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { createProgram } from '#server/entry/cli/program.ts';
import { createTempFolder } from '../support/server-process.ts';
import { createPostgresDatabase } from '../support/test-database.ts';
import { failure, runCommand, runProgram } from './support/command-line.ts';

/** Nothing listens on this port, so a command that opens the database fails. */
const UNREACHABLE = { DATABASE_URL: 'postgres://postgres@127.0.0.1:1/nothing' };

const INVALID: [args: string[], message: string][] = [
  [['nonsense'], "unknown command 'nonsense'"],
  [['accounts', 'nonsense'], "unknown command 'nonsense'"],
  [['names', 'list', '--nonsense'], "unknown option '--nonsense'"],
  [['names', 'list', 'more'], 'too many arguments'],
  [['accounts', 'create', '--display-name', ' '], 'A display name is required.'],
  [['status', '--accounts', 'many'], 'from 1 to 1000'],
  [['operators', 'add'], "missing required argument 'name-or-id'"],
  [['operators', 'add', ''], 'An account is required'],
  [['keys', 'create'], "required option '--account <name-or-id>' not specified"],
  [['keys', 'list', '--account', ''], 'An account is required'],
  [['keys', 'create', '--account', 'jane', '--label', 'x'.repeat(201)], '1 to 200 characters'],
  [['keys', 'create', '--account', 'jane', '--scope', 'none'], 'Allowed choices are all'],
  [['keys', 'revoke', 'nonsense'], 'A key id begins with np_'],
];

/** Without placeholders such as `<command>`, and without the database session `nameplate jobs`. */
const DOCUMENTED_COMMAND = /(?<=npx nameplate |`nameplate )(?!jobs`)[a-z][^`\n]*/g;

describe('arguments', () => {
  it('--help explains every command, with valid examples, also in the documents', async () => {
    const program = await createProgram();
    const isOperation = ({ parent }: CommandUnknownOpts) => parent?.name() === 'api';
    const operations = listCommands(program).filter(isOperation);
    const api = await createProgram(['api', ...operations.map((operation) => operation.name())]);
    const commands = [
      ...listCommands(program).filter((command) => !isOperation(command)),
      ...listCommands(api).filter(isOperation),
    ];
    const helpTexts = commands.map(getHelp);
    const documents = globSync(['*.md', 'docs/**/*.md', 'client/README.md']).map((file) =>
      readFileSync(file, 'utf8'),
    );
    const documented = documents.flatMap((text) => text.match(DOCUMENTED_COMMAND) ?? []);
    expect(documented.length).toBeGreaterThan(50);
    for (const [index, command] of commands.entries()) {
      expect(helpTexts[index]).toContain(`Usage: ${getPath(command)} `);
      expect(helpTexts[index]).toContain('--json');
      // Every description begins with a capital letter.
      expect(helpTexts[index]).not.toMatch(/^Usage: .*\n\n[a-z]|^ {2}\S+(?: \S+)* {2,}[a-z]/m);
      expect(helpTexts[index]).toMatch(/^Examples?:\n {2}nameplate /m);
    }
    for (const command of [...listCommands(program), ...listCommands(api)]) {
      command.configureOutput({ writeOut: () => {}, writeErr: () => {} });
      if (command.commands.length === 0) command.action(() => {});
    }
    const parse = (example: string) =>
      parseExample(example.startsWith('api ') ? api : program, example);
    for (const example of helpTexts.flatMap(
      (help) => help.match(/(?<=^ {2}nameplate ).*$/gm) ?? [],
    ))
      expect({ example, error: await parse(example) }).toEqual({ example, error: undefined });
    for (const command of documented) {
      const error = (await parse(command.replace(/\s(?:#|[|>] ).*/, ''))) as CommanderError;
      // A text may name a command without its arguments.
      if (!/^commander\.(?:help|missing\w+)$/.test(error?.code))
        expect({ command, error }).toEqual({ command, error: undefined });
    }
  });

  it.each([
    [['names', 'list', '--help'], /^Usage: nameplate names list/],
    [[], /^Usage: nameplate/],
    [['--version'], packageJson.version],
    [['-V'], packageJson.version],
  ])('that ask for help or the version (%j) exit with 0', async (args, text) => {
    const stdout = typeof text === 'string' ? `${text}\n` : (expect.stringMatching(text) as string);
    expect(await runCommand(UNREACHABLE, ...args)).toEqual({ code: 0, stdout, stderr: '' });
  });

  it('that are invalid print a message', async () => {
    for (const [args, message] of INVALID) {
      let stderrText = '';
      const program = await createProgram();
      for (const command of listCommands(program))
        command.configureOutput({ writeErr: (text) => (stderrText += text) });
      await expect(program.parseAsync(args, { from: 'user' })).rejects.toThrow(CommanderError);
      expect(stderrText).toContain(message);
    }
  });

  it('that are invalid exit with 2', async () => {
    const stderr =
      "error: unknown option '--nonsense'\nAdd --help to see how to use the command.\n";
    const result = await runCommand(UNREACHABLE, 'names', 'list', '--nonsense');
    expect(result).toEqual({ code: 2, stdout: '', stderr });
  });

  it.each([
    [['names', 'list', '--nonsense', '--json'], 2, "unknown option '--nonsense'"],
    [['--json', 'keys', 'list', '--account', 'nobody-here'], 1, expect.any(String)],
  ])('with --json print errors as JSON (%j)', async (args, code, error) => {
    const result = await runCommand(UNREACHABLE, ...args);
    expect(result).toMatchObject({ code, stdout: '' });
    expect(JSON.parse(result.stderr)).toEqual({ error });
  });

  it('invalid settings print one message and exit with 1', async () => {
    expect(await runCommand({ PORT: 'http' }, 'names', 'list')).toEqual(
      failure('Invalid settings: PORT must be a port number.'),
    );
  });

  it.each([
    ['npx', ['nameplate']],
    ['npm', ['run', '--silent', 'nameplate', '--']],
  ])('%s forwards a command and its exit code', async (file, prefix) => {
    const settings = { DATABASE_URL: await createPostgresDatabase('nameplate_template') };
    // npm caches downloads in the home folder.
    const HOME = await createTempFolder();
    const args = [...prefix, 'keys', 'revoke', 'np_a'];
    expect(await runProgram({ ...settings, HOME }, file, ...args)).toEqual(
      failure('There is no key np_a.'),
    );
  });
});

function listCommands(command: CommandUnknownOpts): CommandUnknownOpts[] {
  return [command, ...command.commands.flatMap(listCommands)];
}

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
