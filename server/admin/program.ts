import { Command } from '@commander-js/extra-typings';
import packageJson from '../../package.json' with { type: 'json' };
import { addAccountsCommands } from './commands/accounts.ts';
import { addAuditCommands } from './commands/audit.ts';
import { addBackupCommand } from './commands/backup.ts';
import { addCheckCommand } from './commands/check.ts';
import { addCompletionCommand } from './commands/completion.ts';
import { addEventsCommands } from './commands/events.ts';
import { addForwardingCommands } from './commands/forwarding.ts';
import { addInviteCommand } from './commands/invite.ts';
import { addKeysCommands } from './commands/keys.ts';
import { addLoginCommand } from './commands/login.ts';
import { addMcpCommand } from './commands/mcp.ts';
import { addMetricsCommands } from './commands/metrics.ts';
import { addMigrateCommand } from './commands/migrate.ts';
import { addMoveCommand } from './commands/move.ts';
import { addNamesCommands } from './commands/names.ts';
import { addOperatorsCommands } from './commands/operators.ts';
import { addPagesCommands } from './commands/pages.ts';
import { addProjectsCommands } from './commands/projects.ts';
import { addRestoreCommand } from './commands/restore.ts';
import { addStatusCommand } from './commands/status.ts';
import { examples } from './examples.ts';
import { type Program, printableLines } from './output.ts';
import { errorText } from './tone.ts';

/** The command line with all its commands. */
export function createProgram(): Program {
  const program = new Command('nameplate')
    .description(
      'Administers Nameplate: accounts, keys, names, projects, metrics, email forwarding and pages.',
    )
    .option('--json', 'print one JSON value')
    .version(packageJson.version, '-V, --version', 'print the version')
    .configureOutput({
      writeErr: (text) =>
        process.stderr.write(printableLines(text).replace(/^error:/, errorText('error:'))),
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
  addMoveCommand(program);
  addMcpCommand(program);
  addCompletionCommand(program);
  return program;
}
