import { listEvents } from '#db/queries/events.ts';
import { findForwarding } from '#db/queries/forwarding-settings.ts';
import { describe, expect, it } from 'vitest';
import { failure, runCommand, runJson, useDatabase } from './support/command-line.ts';

interface Account {
  account_id: string;
}

const database = useDatabase();

describe('an account', () => {
  it('can be renamed, which turns off forwarding and logs an event', async () => {
    await runJson(database.settings, 'accounts', 'create', '--display-name', 'jane-doe');
    const create = ['accounts', 'create', '--display-name', 'old-name'];
    const { account_id } = (await runJson(database.settings, ...create)) as Account;
    await database.db
      .updateTable('forwarding_settings')
      .set({ forwarding_enabled: true, forwarding_email: 'old@example.org' })
      .where('account_id', '=', account_id)
      .execute();
    const rename = ['accounts', 'rename', 'old-name'];
    for (const [name, message] of [
      ['Admin', 'The display name admin is not available.'],
      ['Jane Doe', 'The display name jane-doe is already taken.'],
    ] as const)
      expect(await runCommand(database.settings, ...rename, name)).toEqual(failure(message));
    expect(await runJson(database.settings, ...rename, 'New Name!')).toEqual({
      account_id,
      display_name: 'new-name',
      previous_display_name: 'old-name',
    });
    expect(await findForwarding(database.db, account_id)).toMatchObject({
      enabled: false,
      email: null,
      confirmed: null,
    });
    expect(await listEvents(database.db, account_id, { limit: 9 })).toMatchObject([
      { type: 'display_name_updated', detail: { from: 'old-name', to: 'new-name' } },
    ]);
    const { stdout } = await runCommand(
      database.settings,
      'accounts',
      'rename',
      'new-name',
      'newest',
    );
    expect(stdout).toBe(
      `Account       ${account_id}\nDisplay name  newest\nBefore        new-name\nForwarding    off\n`,
    );
  });

  it('can be suspended and resumed, by name or id', async () => {
    const create = ['accounts', 'create', '--display-name', 'troublemaker'];
    const { account_id } = (await runJson(database.settings, ...create)) as Account;
    const suspended = (await runJson(database.settings, 'accounts', 'suspend', 'troublemaker')) as {
      suspended_at: string;
    };
    const { suspended_at } = suspended;
    expect(new Date(suspended_at).toISOString()).toBe(suspended_at);
    const readSuspension = () =>
      database.db
        .selectFrom('accounts')
        .select('suspended_at')
        .where('id', '=', account_id)
        .executeTakeFirst();
    expect(await readSuspension()).toEqual({ suspended_at: new Date(suspended_at) });
    const { stdout } = await runCommand(database.settings, 'accounts', 'resume', account_id);
    expect(stdout).toBe(
      `Account       ${account_id}\nDisplay name  troublemaker\nSuspended     -\n`,
    );
  });
});
