import { z } from 'zod';
import { limitedText } from '../../../contract/text.ts';
import { type ApiKeyRow, listApiKeys } from '../../../db/queries/api-keys.ts';
import { withAccount } from '../../service/accounts/with-account.ts';
import { addApiKey } from '../../service/keys/add-api-key.ts';
import { revokeKey } from '../../service/keys/revoke-key.ts';
import { accountOption, checked } from '../argument.ts';
import { examples } from '../examples.ts';
import { type Program, details, show, table, time } from '../output.ts';
import { withService } from '../with-service.ts';

const KEY_ID = 'A key id begins with np_; keys list shows it.';
const LABEL = 'A label is a text of 1 to 200 characters.';

/** The id of a key, the half before the dot; of a whole key it is what is used. */
const KeyId = z
  .string()
  .transform((typed) => typed.split('.', 1)[0] ?? '')
  .pipe(z.string().regex(/^np_[A-Za-z0-9]{1,64}$/, KEY_ID));

const KeyLabel = limitedText(200, LABEL).regex(/\S/, LABEL);

export function addKeysCommands(program: Program): void {
  const keys = program
    .command('keys')
    .description('make, list and revoke API keys')
    .addHelpText('after', examples('keys list --account jane-doe'));

  keys
    .command('create')
    .description('make an API key, which is shown only now')
    .addOption(accountOption)
    .option('--label <text>', 'what the key is for', checked(KeyLabel))
    .addHelpText('after', examples('keys create --account jane-doe --label "status page"'))
    .action(async ({ account, label = null }, command) => {
      const key = await withService('The key could not be created.', ({ change, allowances }) =>
        change('keys create', (trx, about) =>
          withAccount(trx, account, async (_trx, { account_id }) => {
            const wanted = { accountId: account_id, label };
            const made = await addApiKey(trx, wanted, allowances.keys);
            about({ key_id: made.key_id });
            return made;
          }),
        ),
      );
      show(command, key, ({ key_id, api_key }) =>
        details({
          'Key id': key_id,
          'API key': api_key,
          '': 'The key is shown only now: keep it.',
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
    .description('revoke an API key for good')
    .argument('<key-id>', 'id of the key, the half before the dot', checked(KeyId))
    .addHelpText('after', examples('keys revoke np_KeE5H4OlWsWE2ciL'))
    .action(async (keyId, _options, command) => {
      const revoked = await withService('The key could not be revoked.', ({ change }) =>
        change('keys revoke', (trx, about) => {
          about({ key_id: keyId });
          return revokeKey(trx, keyId);
        }),
      );
      show(command, revoked, (key) =>
        details({ Revoked: key.key_id, Since: time(key.revoked_at) }),
      );
    });
}

export function keysTable(keys: ApiKeyRow[]): string {
  return table(
    ['Key id', 'Label', 'Made', 'Last used', 'Revoked'],
    keys.map((key) => [
      key.key_id,
      key.label,
      time(key.created_at),
      time(key.last_used_at),
      time(key.revoked_at),
    ]),
    'The account has no keys.',
  );
}
