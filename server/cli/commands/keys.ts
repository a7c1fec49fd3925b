import { Option } from '@commander-js/extra-typings';
import { z } from 'zod';
import { KeyLabel } from '#contract/owner/keys.ts';
import { SCOPES } from '#contract/scope.ts';
import { type ApiKeyRow, listApiKeys } from '#db/queries/api-keys.ts';
import { withAccount } from '#server/features/accounts/with-account.ts';
import { OPERATOR } from '#server/caller.ts';
import { addApiKey, revokeKey } from '#server/features/keys/manage-keys.ts';
import { accountOption, checked } from '../argument.ts';
import { CommandFailedError } from '../command-failed.ts';
import { details, examples, type Program, show, table, time, toned } from '../output.ts';
import { withService } from '../with-service.ts';

const KEY_ID = 'A key id begins with np_; keys list shows it.';

/** The id of a key, the half before the dot; of a whole key it is what is used. */
const KeyId = z
  .string()
  .transform((typed) => typed.split('.', 1)[0] ?? '')
  .pipe(z.string().regex(/^np_[A-Za-z0-9]{1,64}$/, KEY_ID));

const Expiry = z.iso
  .date('An expiry is a day such as 2027-01-31; the key works until it begins (UTC).')
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
    .option('--label <text>', 'what the key is for', checked(KeyLabel))
    .addOption(
      new Option(
        '--scope <scope>',
        'what the key may do: everything, only read, only submit metrics, or everything plus the rights of an operator',
      )
        .choices(SCOPES)
        .default('all' as const),
    )
    .option('--expires <day>', 'day (UTC) on which the key expires', checked(Expiry))
    .addHelpText(
      'after',
      examples(
        'keys create --account jane-doe --label "status page"',
        'keys create --account jane-doe --scope metrics --expires 2030-01-31',
      ),
    )
    .action(async ({ account, label = null, scope, expires: expiresAt }, command) => {
      const key = await withService('The key could not be created.', ({ change, allowances }) =>
        change('keys create', (trx, about) =>
          withAccount(trx, account, async (_trx, { account_id }) => {
            const wanted = { accountId: account_id, label, scope, expiresAt, by: OPERATOR };
            const made = await addApiKey(trx, wanted, allowances);
            about({ key_id: made.key_id });
            const { key_id, api_key, expires_at } = made;
            return { key_id, api_key, scope, expires_at };
          }),
        ),
      );
      show(command, key, ({ key_id, api_key, expires_at }) =>
        details({
          'Key id': key_id,
          'API key': api_key,
          Scope: scope,
          Expires: time(expires_at),
          '': toned('warning', 'The key is shown only now: keep it.'),
        }),
      );
    });

  keys
    .command('list')
    .description('list the API keys of an account, oldest first; their secrets are not stored')
    .addOption(accountOption)
    .addHelpText('after', examples('keys list --account jane-doe'))
    .action(async ({ account }, command) => {
      const list = await withService('The keys could not be listed.', ({ db }) =>
        withAccount(db, account, (trx, { account_id }) => listApiKeys(trx, account_id)),
      );
      show(command, list, keysTable);
    });

  keys
    .command('revoke')
    .description('revoke an API key permanently')
    .argument('<key-id>', 'id of the key: the part before the dot', checked(KeyId))
    .addHelpText('after', examples('keys revoke np_KeE5H4OlWsWE2ciL'))
    .action(async (keyId, _options, command) => {
      const revoked = await withService('The key could not be revoked.', ({ change, allowances }) =>
        change('keys revoke', async (trx, about) => {
          about({ key_id: keyId });
          const revoked_at = await revokeKey(trx, { keyId, by: OPERATOR }, allowances.events);
          if (!revoked_at) throw new CommandFailedError(`There is no key ${keyId}.`);
          return { key_id: keyId, revoked_at };
        }),
      );
      show(command, revoked, (key) =>
        details({ Revoked: key.key_id, Since: time(key.revoked_at) }),
      );
    });
}

export function keysTable(keys: ApiKeyRow[]): string {
  return table(
    ['Key id', 'Label', 'Scope', 'Created', 'Last used', 'Expires', 'Revoked'],
    keys.map((key) => [
      key.key_id,
      key.label,
      key.scope,
      time(key.created_at),
      time(key.last_used_at),
      key.expires_at && key.expires_at <= new Date()
        ? toned('bad', time(key.expires_at))
        : time(key.expires_at),
      toned('bad', time(key.revoked_at)),
    ]),
    'The account has no keys.',
  );
}
