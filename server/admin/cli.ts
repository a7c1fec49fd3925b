import { Command, CommanderError } from '@commander-js/extra-typings';
import { addAccountsCommands } from './commands/accounts.ts';
import { addEventsCommands } from './commands/events.ts';
import { addForwardingCommands } from './commands/forwarding.ts';
import { addKeysCommands } from './commands/keys.ts';
import { addMetricsCommands } from './commands/metrics.ts';
import { addMigrateCommand } from './commands/migrate.ts';
import { addProjectsCommands } from './commands/projects.ts';
import { CommandFailedError } from './command-failed.ts';
import { InterruptedError } from './interruption.ts';
import { printable } from './output.ts';

const FAILED = 1;
const BAD_ARGUMENTS = 2;

// Whoever reads the output may stop reading.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

const program = new Command('nameplate')
  .description('Administers Nameplate: accounts, keys, projects, metrics and email forwarding.')
  .option('--json', 'print one JSON value')
  .configureHelp({ showGlobalOptions: true })
  .showHelpAfterError('(add --help for what is possible)')
  .addHelpText(
    'after',
    '\nRuns on the database that DATABASE_URL or DATA_DIR name, whether or not the server is running.',
  )
  .exitOverride();
addAccountsCommands(program);
addKeysCommands(program);
addProjectsCommands(program);
addMetricsCommands(program);
addEventsCommands(program);
addForwardingCommands(program);
addMigrateCommand(program);

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = report(error);
}

/** Says on standard error what went wrong, unless that was done, and returns the exit code. */
function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : BAD_ARGUMENTS;
  // What started the command sees which signal ended it.
  if (error instanceof InterruptedError) process.kill(process.pid, error.signal);
  else if (error instanceof CommandFailedError)
    process.stderr.write(`${printable(error.message)}\n`);
  else console.error(error);
  return FAILED;
}
