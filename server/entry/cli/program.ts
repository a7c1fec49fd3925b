import { Command, CommanderError } from '@commander-js/extra-typings';
import packageJson from '../../../package.json' with { type: 'json' };
import {
  colorError,
  escapeControlCharacters,
  examples,
  toPrintableLines,
  type Program,
} from './output.ts';
import { CommandFailedError } from './command-failed.ts';
import { InterruptedError } from './interruption.ts';

/** Adds its subcommands. `args` are those of the command line. */
type AddCommands = (program: Program, args: readonly string[]) => void;

/** In the order of the help. Loaded on demand, because all of them take half a second. */
const COMMANDS = new Map<string, () => Promise<AddCommands>>([
  ['api', async () => (await import('./commands/api.ts')).addApiCommand],
  ['accounts', async () => (await import('./commands/accounts.ts')).addAccountsCommands],
  ['keys', async () => (await import('./commands/keys.ts')).addKeysCommands],
  ['login', async () => (await import('./commands/login.ts')).addLoginCommand],
  ['names', async () => (await import('./commands/names.ts')).addNamesCommands],
  ['operators', async () => (await import('./commands/operators.ts')).addOperatorsCommands],
  ['forwarding', async () => (await import('./commands/forwarding.ts')).addForwardingCommands],
  ['migrate', async () => (await import('./commands/database.ts')).addMigrateCommand],
  ['check', async () => (await import('./commands/check.ts')).addCheckCommand],
  ['status', async () => (await import('./commands/status.ts')).addStatusCommand],
  ['backup', async () => (await import('./commands/database.ts')).addBackupCommand],
  ['restore', async () => (await import('./commands/database.ts')).addRestoreCommand],
]);

/** Adds only the command that `args` names, or all commands if they name none. */
export async function createProgram(args: readonly string[] = []): Promise<Program> {
  const isJson = args.includes('--json');
  const program = new Command('nameplate')
    .description('Administers Nameplate, and calls its API.')
    .option('--json', 'print one JSON value')
    .configureOutput({
      writeErr: (text) => {
        // With --json, `reportError` prints the error.
        if (!isJson)
          process.stderr.write(toPrintableLines(text).replace(/^error:/, colorError('error:')));
      },
    })
    .configureHelp({
      showGlobalOptions: true,
      styleDescriptionText: (text) => text.charAt(0).toUpperCase() + text.slice(1),
    })
    .showHelpAfterError('Add --help to see how to use the command.')
    .addHelpText(
      'after',
      `${examples('accounts create --display-name "Jane Doe"', 'keys --help')}

Commands use the database of DATABASE_URL or DATA_DIR, whether or not the server is running. Only api
calls a running server, here or elsewhere.`,
    )
    .exitOverride();
  const name = args.find((arg) => !arg.startsWith('-')) ?? '';
  // Operations have fields of this name.
  if (name !== 'api') program.version(packageJson.version, '-V, --version', 'print the version');
  const named = COMMANDS.get(name);
  for (const load of named ? [named] : COMMANDS.values()) (await load())(program, args);
  return program;
}

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

export async function runCommandLine(args: readonly string[]): Promise<number> {
  const isJson = args.includes('--json');
  try {
    const program = await createProgram(args);
    await program.parseAsync(args.length === 0 ? ['--help'] : args, { from: 'user' });
    return 0;
  } catch (error) {
    return isJson ? reportJsonError(error) : reportError(error);
  }
}

/** Prints `{"error":"…"}` on standard error, so that standard output has only results. */
function reportJsonError(error: unknown): number {
  if (error instanceof InterruptedError) return reportError(error);
  if (error instanceof CommanderError && error.exitCode === 0) return 0;
  const message = error instanceof Error ? error.message : String(error);
  if (message) {
    const details = error instanceof CommandFailedError ? error.details : {};
    const json = JSON.stringify({ error: message.replace(/^error: /, ''), ...details });
    process.stderr.write(`${escapeControlCharacters(json)}\n`);
  }
  return error instanceof CommanderError ? EXIT_USAGE : EXIT_FAILED;
}

function reportError(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE;
  // End with the same signal, so that the parent process sees it.
  if (error instanceof InterruptedError) process.kill(process.pid, error.signal);
  else if (!(error instanceof CommandFailedError)) console.error(error);
  else if (error.message) {
    const { code } = error.details;
    const text = code === undefined ? error.message : `${error.message} (${code})`;
    process.stderr.write(`${colorError(toPrintableLines(text))}\n`);
  }
  return EXIT_FAILED;
}
