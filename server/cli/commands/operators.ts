import { deleteOperator, insertOperator, listOperators } from '#db/queries/operators.ts';
import { withAccount } from '#server/features/accounts/with-account.ts';
import { AccountReference, checked } from '../argument.ts';
import { details, examples, type Program, show, table, time } from '../output.ts';
import { withService } from '../with-service.ts';

export function addOperatorsCommands(program: Program): void {
  const operators = program
    .command('operators')
    .description('choose whose accounts look after all others in the dashboard')
    .addHelpText('after', examples('operators add jane-doe', 'operators list'));

  operators
    .command('list')
    .description('list the accounts of operators')
    .addHelpText('after', examples('operators list'))
    .action(async (_options, command) => {
      const list = await withService('The operators could not be listed.', ({ db }) =>
        listOperators(db),
      );
      show(command, list, (rows) =>
        table(
          ['Account', 'Display name', 'Since'],
          rows.map((row) => [row.account_id, row.display_name, time(row.created_at)]),
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
    description: "take an operator's rights; the account stays",
    isOperator: false,
    failure: 'The operator could not be removed.',
  });
}

function addCommand(
  operators: Program,
  made: { name: string; description: string; isOperator: boolean; failure: string },
): void {
  operators
    .command(made.name)
    .description(made.description)
    .argument('<name-or-id>', 'display name or id of the account', checked(AccountReference))
    .addHelpText('after', examples(`operators ${made.name} jane-doe`))
    .action(async (account, _options, command) => {
      const changed = await withService(made.failure, ({ change }) =>
        change(`operators ${made.name}`, (trx, about) =>
          withAccount(trx, account, async (_same, { account_id, display_name }) => {
            about({ account_id });
            await (made.isOperator ? insertOperator : deleteOperator)(trx, account_id);
            return { account_id, display_name, is_operator: made.isOperator };
          }),
        ),
      );
      show(command, changed, ({ account_id, display_name, is_operator }) =>
        details({
          Account: account_id,
          'Display name': display_name,
          Operator: is_operator ? 'yes' : 'no',
        }),
      );
    });
}
