import { listOperators } from '#db/queries/operators.ts';
import { requireAccount } from '#server/features/accounts/require-account.ts';
import { changeOperator } from '#server/features/operators/change-operator.ts';
import { AccountReference, parseWith } from '../argument.ts';
import {
  formatDetails,
  examples,
  type Program,
  printResult,
  formatTable,
  formatTime,
} from '../output.ts';
import { withService } from '../with-service.ts';

export function addOperatorsCommands(program: Program): void {
  const operators = program
    .command('operators')
    .description('choose the accounts that administer this server in the dashboard')
    .addHelpText('after', examples('operators add jane-doe', 'operators list'));

  operators
    .command('list')
    .description('list the accounts of operators')
    .addHelpText('after', examples('operators list'))
    .action(async (_options, command) => {
      const list = await withService('The operators could not be listed.', ({ db }) =>
        listOperators(db),
      );
      printResult(command, list, (rows) =>
        formatTable(
          ['Account', 'Display name', 'Since'],
          rows.map((row) => [row.account_id, row.display_name, formatTime(row.created_at)]),
          'There are no operators.',
        ),
      );
    });

  addCommand(operators, {
    name: 'add',
    description: 'let an account see and suspend all others, read reports and invite people',
    isOperator: true,
    failure: 'The operator could not be added.',
  });
  addCommand(operators, {
    name: 'remove',
    description:
      "remove an operator's rights; the account stays, and the last operator keeps the rights",
    isOperator: false,
    failure: 'The operator could not be removed.',
  });
}

function addCommand(
  operators: Program,
  options: { name: string; description: string; isOperator: boolean; failure: string },
): void {
  operators
    .command(options.name)
    .description(options.description)
    .argument('<name-or-id>', 'display name or id of the account', parseWith(AccountReference))
    .addHelpText('after', examples(`operators ${options.name} jane-doe`))
    .action(async (account, _options, command) => {
      const { isOperator } = options;
      const changed = await withService(options.failure, ({ outbox, runAudited }) =>
        runAudited(`operators ${options.name}`, async (trx, audit) => {
          const { account_id, display_name } = await requireAccount(trx, account);
          audit({ account_id });
          const change = { operatorId: null, targetId: account_id, isOperator };
          await changeOperator(trx, { outbox }, change);
          return { account_id, display_name, is_operator: isOperator };
        }),
      );
      printResult(command, changed, ({ account_id, display_name, is_operator }) =>
        formatDetails({
          Account: account_id,
          'Display name': display_name,
          Operator: is_operator ? 'yes' : 'no',
        }),
      );
    });
}
