import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  connectPostgresDatabase,
  createPostgresDatabase,
  type TestDatabase,
} from '../support/test-database.ts';
import { type CommandResult, runCommand, runJson, type Settings } from './support/command-line.ts';

const ACCOUNT_COUNT = 100_000;

interface Account {
  account_id: string;
  display_name: string | null;
  created_at: string;
}

let database: TestDatabase;
let settings: Settings;

async function openDatabase(): Promise<void> {
  const url = await createPostgresDatabase('nameplate_template');
  database = connectPostgresDatabase(url);
  settings = { DATABASE_URL: url };
}

function listAccounts(...args: string[]): Promise<CommandResult> {
  return runCommand(settings, 'accounts', 'list', ...args);
}

describe('accounts list', () => {
  beforeAll(async () => {
    await openDatabase();
    // 250 accounts per timestamp, so that pages end between accounts with the same time.
    await sql`INSERT INTO accounts (created_at)
      SELECT timestamptz '2026-01-01' + (n / 250) * interval '1 microsecond'
      FROM generate_series(1, ${ACCOUNT_COUNT}::int) AS n`.execute(database.db);
    await sql`INSERT INTO display_names (name, account_id)
      SELECT 'name-' || id, id FROM accounts`.execute(database.db);
  });
  afterAll(() => database.close());

  it('shows the first hundred and says how to see more', async () => {
    const { code, stdout, stderr } = await listAccounts('--json');
    const accounts = JSON.parse(stdout) as Account[];
    expect({ code, count: accounts.length, stderr }).toEqual({
      code: 0,
      count: 100,
      stderr: `There are more accounts. Add --after ${accounts.at(-1)?.account_id} for the next page, or raise --limit.\n`,
    });
  });

  it('continues after an account, by id or name, without gaps or duplicates', async () => {
    const { rows } = await sql<{ id: string }>`
      SELECT id FROM accounts ORDER BY created_at, id LIMIT 320`.execute(database.db);
    const listedIds: string[] = [];
    for (const idType of ['account_id', 'display_name', 'account_id'] as const) {
      const lastId = listedIds.at(-1);
      const afterArgs = lastId && ['--after', idType === 'account_id' ? lastId : `name-${lastId}`];
      const page = JSON.parse(
        (await listAccounts('--json', ...(afterArgs || []))).stdout,
      ) as Account[];
      listedIds.push(...page.map(({ account_id }) => account_id));
    }
    expect(listedIds).toEqual(rows.slice(0, 300).map(({ id }) => id));
  });

  it('lists a hundred thousand at once', async () => {
    const { code, stdout, stderr } = await listAccounts('--limit', String(ACCOUNT_COUNT));
    expect({ code, lines: stdout.trimEnd().split('\n').length, stderr }).toEqual({
      code: 0,
      lines: ACCOUNT_COUNT + 1,
      stderr: '',
    });
  });
});

describe('an account', () => {
  beforeAll(openDatabase);
  afterAll(() => database.close());

  it('is found by part of its display name', async () => {
    for (const name of ['jane-doe', 'jane_roe', 'john-doe'])
      await runJson(settings, 'accounts', 'create', '--display-name', name);
    const findNames = async (name: string) =>
      ((await runJson(settings, 'accounts', 'list', '--name', name)) as Account[]).map(
        ({ display_name }) => display_name,
      );
    expect(await findNames('doe')).toEqual(['jane-doe', 'john-doe']);
    expect(await findNames('JANE')).toEqual(['jane-doe', 'janeroe']);
    // SQL wildcards are not interpreted.
    expect(await findNames('%')).toEqual([]);
    expect(await listAccounts('--name', 'nobody')).toEqual({
      code: 0,
      stdout: 'No account matches.\n',
      stderr: '',
    });
  });

  it('is shown with its keys, projects and forwarding address', async () => {
    const create = ['accounts', 'create', '--display-name', 'shopkeeper'];
    const { account_id } = (await runJson(settings, ...create)) as Account;
    const project = await runJson(
      settings,
      ...['projects', 'create', '--account', 'shopkeeper', '--name', '店'],
    );
    const keys = await runJson(settings, 'keys', 'list', '--account', 'shopkeeper');
    const account = {
      account_id,
      display_name: 'shopkeeper',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
      suspended_at: null,
      forwarding: {
        enabled: false,
        email: null as string | null,
        confirmed: null,
        login_email: null,
      },
      keys,
      projects: [project],
    };
    expect(await runJson(settings, 'accounts', 'show', 'shopkeeper')).toEqual(account);
    await database.db
      .updateTable('forwarding_settings')
      .set({ forwarding_enabled: true, forwarding_email: 'shop@example.org' })
      .where('account_id', '=', account_id)
      .execute();
    expect(await runJson(settings, 'accounts', 'show', account_id)).toEqual({
      ...account,
      forwarding: {
        enabled: true,
        email: 'shop@example.org',
        confirmed: null,
        login_email: null,
      },
    });
    const showAccount = () => runCommand(settings, 'accounts', 'show', 'shopkeeper');
    const setConfirmed = (forwarding_confirmed: boolean | null) =>
      database.db.updateTable('forwarding_settings').set({ forwarding_confirmed }).execute();
    await setConfirmed(false);
    expect((await showAccount()).stdout).toMatch(
      /^Forwarding +to shop@example\.org, waits for confirmation$/m,
    );
    await setConfirmed(null);
    const { stdout } = await showAccount();
    const lines = stdout.replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/g, 'TIME').split('\n');
    expect(lines).toEqual([
      `Account       ${account_id}`,
      'Display name  shopkeeper',
      'Created       TIME',
      'Suspended     -',
      'Forwarding    to shop@example.org',
      '',
      expect.stringMatching(
        /^Key id {15}Label {6}Scope {2}Created {18}Last used {2}Expires {2}Revoked$/,
      ),
      expect.stringMatching(/^np_\w{16} {2}first key {2}all {4}TIME {2}- {10}- {8}-$/),
      '',
      expect.stringMatching(/^Project {31}Name {2}Created$/),
      // East Asian characters are two columns wide.
      expect.stringMatching(/^[0-9a-f-]{36} {2}店 {4}TIME$/),
      '',
    ]);
    expect(await runCommand(settings, 'accounts', 'show', 'nobody')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'There is no account nobody.\n',
    });
  });

  it('can be renamed, which turns off forwarding and logs an event', async () => {
    const create = ['accounts', 'create', '--display-name', 'old-name'];
    const { account_id } = (await runJson(settings, ...create)) as Account;
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
      expect(await runCommand(settings, ...rename, name)).toEqual({
        code: 1,
        stdout: '',
        stderr: `${message}\n`,
      });
    expect(await runJson(settings, ...rename, 'New Name!')).toEqual({
      account_id,
      display_name: 'new-name',
      previous_display_name: 'old-name',
    });
    expect(await runJson(settings, 'accounts', 'show', account_id)).toMatchObject({
      display_name: 'new-name',
      forwarding: { enabled: false, email: null, confirmed: null },
    });
    expect(await runJson(settings, 'events', 'list', '--account', 'new-name')).toMatchObject([
      { type: 'display_name_updated', detail: { from: 'old-name', to: 'new-name' } },
    ]);
    const { stdout } = await runCommand(settings, 'accounts', 'rename', 'new-name', 'newest');
    expect(stdout).toBe(
      `Account       ${account_id}\nDisplay name  newest\nBefore        new-name\nForwarding    off\n`,
    );
  });

  it('can be suspended and resumed, by name or id', async () => {
    const create = ['accounts', 'create', '--display-name', 'troublemaker'];
    const { account_id } = (await runJson(settings, ...create)) as Account;
    const suspended = (await runJson(settings, 'accounts', 'suspend', 'troublemaker')) as {
      suspended_at: string;
    };
    const { suspended_at } = suspended;
    expect(new Date(suspended_at).toISOString()).toBe(suspended_at);
    expect(await runJson(settings, 'accounts', 'show', account_id)).toMatchObject(suspended);
    expect(await runJson(settings, 'accounts', 'list', '--name', 'trouble')).toEqual([suspended]);
    const { stdout } = await runCommand(settings, 'accounts', 'resume', account_id);
    expect(stdout).toBe(
      `Account       ${account_id}\nDisplay name  troublemaker\nSuspended     -\n`,
    );
    expect(await runCommand(settings, 'accounts', 'suspend', 'nobody')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'There is no account nobody.\n',
    });
  });
});
