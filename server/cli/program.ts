import { Command, CommanderError } from '@commander-js/extra-typings';
import packageJson from '../../package.json' with { type: 'json' };
import { addAccountsCommands } from './commands/accounts.ts';
import { addAuditCommands } from './commands/audit.ts';
import { addBackupCommand, addMigrateCommand, addRestoreCommand } from './commands/database.ts';
import { addCheckCommand } from './commands/check.ts';
import { addEventsCommands } from './commands/events.ts';
import { addForwardingCommands } from './commands/forwarding.ts';
import { addInstanceCommands } from './commands/instance.ts';
import { addInviteCommand, addLoginCommand } from './commands/links.ts';
import { addKeysCommands } from './commands/keys.ts';
import { addMembersCommands } from './commands/members.ts';
import { addMcpCommand } from './commands/mcp.ts';
import { addMetricsCommands } from './commands/metrics.ts';
import { addNamesCommands } from './commands/names.ts';
import { addOperatorsCommands } from './commands/operators.ts';
import { addPagesCommands } from './commands/pages.ts';
import { addProjectsCommands } from './commands/projects.ts';
import { addStatusCommand } from './commands/status.ts';
import {
  colorError,
  escapeControlCharacters,
  examples,
  toPrintableLines,
  type Program,
} from './output.ts';
import { CommandFailedError } from './command-failed.ts';
import { InterruptedError } from './interruption.ts';

export function createProgram({ isJson = false } = {}): Program {
  const program = new Command('nameplate')
    .description(
      'Administers Nameplate: accounts, keys, names, projects, metrics, email forwarding and pages.',
    )
    .option('--json', 'print one JSON value')
    .version(packageJson.version, '-V, --version', 'print the version')
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

Commands use the database of DATABASE_URL or DATA_DIR, whether or not the server is running.`,
    )
    .exitOverride();
  addAccountsCommands(program);
  addKeysCommands(program);
  addLoginCommand(program);
  addInviteCommand(program);
  addMembersCommands(program);
  addInstanceCommands(program);
  addNamesCommands(program);
  addProjectsCommands(program);
  addMetricsCommands(program);
  addEventsCommands(program);
  addOperatorsCommands(program);
  addAuditCommands(program);
  addForwardingCommands(program);
  addPagesCommands(program);
  addMigrateCommand(program);
  addCheckCommand(program);
  addStatusCommand(program);
  addBackupCommand(program);
  addRestoreCommand(program);
  addMcpCommand(program);
  return program;
}

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

export async function runCommandLine(args: readonly string[]): Promise<number> {
  const isJson = args.includes('--json');
  try {
    const program = createProgram({ isJson });
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
    const json = JSON.stringify({ error: message.replace(/^error: /, '') });
    process.stderr.write(`${escapeControlCharacters(json)}\n`);
  }
  return error instanceof CommanderError ? EXIT_USAGE : EXIT_FAILED;
}

function reportError(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE;
  // End with the same signal, so that the parent process sees it.
  if (error instanceof InterruptedError) process.kill(process.pid, error.signal);
  else if (!(error instanceof CommandFailedError)) console.error(error);
  else if (error.message) process.stderr.write(`${colorError(toPrintableLines(error.message))}\n`);
  return EXIT_FAILED;
}
