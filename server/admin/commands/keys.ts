import type { Command } from 'commander';
import { checked } from '../argument.ts';
import { answered } from '../client.ts';
import { AccountReference } from '../contract/accounts.ts';
import { KeyId, KeyLabel } from '../contract/keys.ts';
import { details, show, table, time } from '../output.ts';
import { withAdmin } from '../with-admin.ts';

export function addKeysCommands(program: Command): void {
  const keys = program.command('keys').description('make, list and revoke API keys');

  keys
    .command('create')
    .description('make an API key, which is shown only now')
    .requiredOption(
      '--account <name-or-id>',
      'display name or id of the account',
      checked(AccountReference),
    )
    .option('--label <text>', 'what the key is for', checked(KeyLabel))
    .action(async (body: { account: string; label?: string }, command: Command) => {
      const key = await withAdmin(async (admin) => answered(await admin.keys.createKey({ body })));
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
    .requiredOption(
      '--account <name-or-id>',
      'display name or id of the account',
      checked(AccountReference),
    )
    .action(async (query: { account: string }, command: Command) => {
      const list = await withAdmin(async (admin) => answered(await admin.keys.listKeys({ query })));
      show(command, list, (rows) =>
        table(
          ['Key id', 'Label', 'Made', 'Last used', 'Revoked'],
          rows.map((row) => [
            row.key_id,
            row.label,
            time(row.created_at),
            time(row.last_used_at),
            time(row.revoked_at),
          ]),
          'The account has no keys.',
        ),
      );
    });

  keys
    .command('revoke')
    .description('revoke an API key for good')
    .argument('<key-id>', 'id of the key, the half before the dot', keyId)
    .action(async (key_id: string, _options: object, command: Command) => {
      const revoked = await withAdmin(async (admin) =>
        answered(await admin.keys.revokeKey({ body: { key_id } })),
      );
      show(command, revoked, (key) =>
        details({ Revoked: key.key_id, Since: time(key.revoked_at) }),
      );
    });
}

/** A whole key is taken too: its id is what is used of it. */
function keyId(typed: string): string {
  return checked(KeyId)(typed.split('.', 1)[0] ?? '');
}
