import { Command, CommanderError } from '@commander-js/extra-typings';
import { deprecationOf } from '#contract/deprecations.ts';
import { removalOf } from '#contract/removals.ts';
import { featuresOff } from '#server/platform/settings/feature-settings.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import { CommandFailedError } from './command-failed.ts';
import { InterruptedError } from './interruption.ts';
import {
  colorError,
  escapeControlCharacters,
  examples,
  toPrintableLines,
  type Program,
} from './output.ts';

type AddCommand = (program: Program) => void;

/** In the order of the help. Loaded on demand, because all of them take half a second. */
const COMMANDS = new Map<string, () => Promise<AddCommand>>([
  ['login', async () => (await import('./commands/login.ts')).addLoginCommand],
  ['migrate', async () => (await import('./commands/database.ts')).addMigrateCommand],
  ['check', async () => (await import('./commands/check.ts')).addCheckCommand],
  ['backup', async () => (await import('./commands/database.ts')).addBackupCommand],
  ['restore', async () => (await import('./commands/database.ts')).addRestoreCommand],
  ['forwarding.listAliases', async () => (await import('./commands/forwarding.ts')).addListAliases],
  ['forwarding.syncAliases', async () => (await import('./commands/forwarding.ts')).addSyncAliases],
]);

/** Adds only the command or area that `args` names, or all commands if they name none. */
export async function createProgram(args: readonly string[] = []): Promise<Program> {
  const isJson = args.includes('--json');
  const program = new Command('nameplate')
    .description('Administers Nameplate. Operations of the API are commands.')
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
      `${examples('keys', 'keys.createKey --help', 'keys.createKey --account jane-doe --label laptop')}

Commands use the database of DATABASE_URL or DATA_DIR, whether or not the server is running. Operations
call a running server instead, here or elsewhere, if --base-url or NAMEPLATE_BASE_URL is its address and
NAMEPLATE_API_KEY is an API key.
Each field of an operation is an option. @file takes its value from a file, and - from standard input, for
example for secrets; @@ begins a text with @. null clears a field. The result is JSON.`,
    )
    .exitOverride();
  const name = args.find((arg) => !arg.startsWith('-')) ?? '';
  const loadNamed = COMMANDS.get(name);
  const operations = loadNamed ? undefined : await import('./commands/operations.ts');
  const isOperation = operations?.isOperation(name) === true;
  // Operations have fields of this name.
  const removal = loadNamed || isOperation ? undefined : removalOf(name);
  if (removal !== undefined && !operations!.isArea(name)) program.error(`error: ${removal}`);
  if (!isOperation) program.version(packageJson.version, '-V, --version', 'print the version');
  if (loadNamed) (await loadNamed())(program);
  else if (!isOperation)
    for (const [command, load] of COMMANDS)
      if (!operations!.isArea(name) || command.startsWith(`${name}.`)) (await load())(program);
  const off = featuresOff.parse(process.env['FEATURES_OFF'] ?? '');
  // Loaded on demand to keep `--help` fast.
  const areasOff =
    off.length > 0 && !isOperation && !process.env['NAMEPLATE_BASE_URL']
      ? (await import('#server/features/call-features.ts')).listAreasOff(off)
      : [];
  operations?.addOperations(program, name, args, areasOff);
  announceRemovals(program);
  return program;
}

function announceRemovals(program: Program): void {
  for (const command of program.commands) {
    const deprecation = deprecationOf(command.name());
    if (deprecation === undefined) continue;
    command
      .summary(`${command.summary() || command.description()} (deprecated)`)
      .addHelpText('after', `\nDeprecated: ${deprecation}`)
      .hook('preAction', () => {
        process.stderr.write(`Deprecated: ${deprecation}\n`);
      });
  }
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
