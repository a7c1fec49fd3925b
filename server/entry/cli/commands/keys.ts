import { inTransaction } from '#db/connections/transaction.ts';
import { Option } from '@commander-js/extra-typings';
import { z } from 'zod';
import { KeyLabel } from '#contract/owner/keys.ts';
import { SCOPES } from '#contract/scope.ts';
import { type ApiKeyRow, listApiKeys } from '#db/queries/api-keys.ts';
import { requireAccount } from '#server/features/accounts/require-account.ts';
import { OPERATOR_ACTOR } from '#server/platform/caller.ts';
import { addApiKey, revokeKey } from '#server/features/keys/manage-keys.ts';
import { accountOption, parseWith } from '../argument.ts';
import { CommandFailedError } from '../command-failed.ts';
import {
  formatDetails,
  examples,
  type Program,
  printResult,
  formatTable,
  formatTime,
  colored,
} from '../output.ts';
import { withService } from '../with-service.ts';

const KEY_ID_MESSAGE = 'A key id begins with np_. Run keys list to see it.';

/** Also accepts a whole key, and uses only the part before the dot. */
const KeyId = z
  .string()
  .transform((input) => input.split('.', 1)[0] ?? '')
  .pipe(z.string().regex(/^np_[A-Za-z0-9]{1,64}$/, KEY_ID_MESSAGE));

const Expiry = z.iso
  .date('An expiry is a day such as 2027-01-31. The key expires when that day begins (UTC).')
  .transform((day) => new Date(day))
  .refine((day) => day > new Date(), 'The expiry must be in the future.');

export function addKeysCommands(program: Program): void {
  const keys = program
    .command('keys')
    .description('create, list and revoke API keys')
    .addHelpText('after', examples('keys list --account jane-doe'));

  keys
    .command('create')
    .description('create an API key, which is shown only once')
    .addOption(accountOption)
    .option('--label <text>', 'what the key is for', parseWith(KeyLabel))
    .addOption(
      new Option(
        '--scope <scope>',
        'what the key can do: everything, read, submit metrics, or everything an operator can do',
      )
        .choices(SCOPES)
        .default('all' as const),
    )
    .option('--expires <day>', 'day (UTC) at whose start the key expires', parseWith(Expiry))
    .addHelpText(
      'after',
      examples(
        'keys create --account jane-doe --label "status page"',
        'keys create --account jane-doe --scope metrics --expires 2030-01-31',
      ),
    )
    .action(async ({ account, label = null, scope, expires: expiresAt }, command) => {
      const key = await withService('The key could not be created.', ({ runAudited, allowances }) =>
        runAudited('keys create', async (trx, audit) => {
          const { account_id } = await requireAccount(trx, account);
          const input = { accountId: account_id, label, scope, expiresAt, by: OPERATOR_ACTOR };
          const { key_id, api_key, expires_at } = await addApiKey(trx, input, allowances);
          audit({ key_id });
          return { key_id, api_key, scope, expires_at };
        }),
      );
      printResult(command, key, ({ key_id, api_key, expires_at }) =>
        formatDetails({
          'Key id': key_id,
          'API key': api_key,
          Scope: scope,
          Expires: formatTime(expires_at),
          '': colored('warning', 'Save the key now. It is not shown again.'),
        }),
      );
    });

  keys
    .command('list')
    .description('list the API keys of an account, oldest first, without their secrets')
    .addOption(accountOption)
    .addHelpText('after', examples('keys list --account jane-doe'))
    .action(async ({ account }, command) => {
      const list = await withService('The keys could not be listed.', ({ db }) =>
        inTransaction(db, async (trx) =>
          listApiKeys(trx, (await requireAccount(trx, account)).account_id),
        ),
      );
      printResult(command, list, formatKeysTable);
    });

  keys
    .command('revoke')
    .description('revoke an API key permanently')
    .argument('<key-id>', 'id of the key: the part before the dot', parseWith(KeyId))
    .addHelpText('after', examples('keys revoke np_KeE5H4OlWsWE2ciL'))
    .action(async (keyId, _options, command) => {
      const revoked = await withService(
        'The key could not be revoked.',
        ({ runAudited, allowances }) =>
          runAudited('keys revoke', async (trx, audit) => {
            audit({ key_id: keyId });
            const revoked_at = await revokeKey(
              trx,
              { keyId, by: OPERATOR_ACTOR },
              allowances.eventLimit,
            );
            if (!revoked_at) throw new CommandFailedError(`There is no key ${keyId}.`);
            return { key_id: keyId, revoked_at };
          }),
      );
      printResult(command, revoked, (key) =>
        formatDetails({ Revoked: key.key_id, Since: formatTime(key.revoked_at) }),
      );
    });
}

function formatKeysTable(keys: ApiKeyRow[]): string {
  return formatTable(
    ['Key id', 'Label', 'Scope', 'Created', 'Last used', 'Expires', 'Revoked'],
    keys.map((key) => [
      key.key_id,
      key.label,
      key.scope,
      formatTime(key.created_at),
      formatTime(key.last_used_at),
      key.expires_at && key.expires_at <= new Date()
        ? colored('bad', formatTime(key.expires_at))
        : formatTime(key.expires_at),
      colored('bad', formatTime(key.revoked_at)),
    ]),
    'The account has no keys.',
  );
}
