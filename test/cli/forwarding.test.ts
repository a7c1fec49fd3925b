import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeImprovmx, IMPROVMX_KEY, startFakeImprovmx } from '../forwarding/fake-improvmx.ts';
import { eventually } from '../support/eventually.ts';
import { fetchJson, startServer } from '../support/server-process.ts';
import { createPostgresDatabase } from '../support/test-database.ts';
import { type Settings, runCommand, runJson } from './support/command-line.ts';

let fake: FakeImprovmx;
beforeEach(async () => {
  fake = await startFakeImprovmx();
});
afterEach(() => fake.close());

async function createDatabase(): Promise<Settings> {
  return { DATABASE_URL: await createPostgresDatabase('nameplate_template') };
}

function providerSettings(): Settings {
  return {
    EMAIL_FORWARDING_PROVIDER: 'improvmx',
    IMPROVMX_API_KEY: IMPROVMX_KEY,
    FORWARDING_API_URL: fake.url,
  };
}

describe('the forwarding commands', () => {
  it('work while a server is running', async () => {
    const settings = { ...providerSettings(), ...(await createDatabase()) };
    await runForwardingCommands(settings, (await startServer(settings)).url);
  });

  it('report configuration problems, and exit with 1', async () => {
    const settings = { ...providerSettings(), ...(await createDatabase()) };
    fake.aliases.set('*', 'operator@example.net');
    const check = await runCommand(settings, 'forwarding', 'check');
    expect(check).toMatchObject({ code: 1, stderr: '' });
    expect(check.stdout).toContain('forwards mail for unassigned names to operator@example.net');
    const wrongKeySettings = { ...settings, IMPROVMX_API_KEY: 'wrong-canary' };
    const refusedResult = await runCommand(wrongKeySettings, 'forwarding', 'check', '--json');
    expect({ ...refusedResult, stdout: JSON.parse(refusedResult.stdout) as unknown }).toEqual({
      code: 1,
      stderr: '',
      stdout: {
        provider: 'improvmx',
        ok: false,
        findings: [
          {
            level: 'error',
            problem:
              'The aliases cannot be read. The provider responded with 401: No account has the key of Basic ….',
            fix: "Check IMPROVMX_API_KEY, and that nameplate.example is among the account's domains.",
          },
        ],
      },
    });
    fake.faultFor = () => ({ kind: 'disconnect' });
    const unreachableResult = await runCommand(settings, 'forwarding', 'check', '--json');
    expect({
      ...unreachableResult,
      stdout: JSON.parse(unreachableResult.stdout) as unknown,
    }).toEqual({
      code: 1,
      stderr: '',
      stdout: {
        provider: 'improvmx',
        ok: false,
        findings: [
          {
            level: 'error',
            problem: expect.stringMatching(
              /^The aliases cannot be read\. The request to the provider failed: /,
            ) as string,
            fix: 'Check the network connection to the provider, and FORWARDING_API_URL if you set it.',
          },
        ],
      },
    });
    expect(await runCommand(settings, 'forwarding', 'sync')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^The aliases could not be compared\. The request to the provider failed: [^\n]+\n$/,
      ),
    });
  });

  it('work without a provider', async () => {
    const settings = await createDatabase();
    expect(await runCommand(settings, 'forwarding', 'check')).toEqual({
      code: 0,
      stdout:
        'No mail is forwarded, because EMAIL_FORWARDING_PROVIDER is none. Settings are only stored.\n',
      stderr: '',
    });
    expect(await runCommand(settings, 'forwarding', 'list')).toEqual({
      code: 0,
      stdout: 'No name has or had forwarding.\n',
      stderr: '',
    });
  });
});

async function runForwardingCommands(settings: Settings, url: string): Promise<void> {
  const { account_id, api_key: key } = (await runJson(
    settings,
    ...['accounts', 'create', '--display-name', 'jane-doe'],
  )) as { account_id: string; api_key: string };
  await fetchJson(`${url}/email-forwarding/email-forwarding-toggle`, {
    key,
    method: 'POST',
    json: { enabled: true, email: 'jane@example.com' },
  });
  await eventually(
    () => fake.aliases.get('jane-doe'),
    (destination) => destination === 'jane@example.com',
  );
  const aliases = await eventually(
    () => runJson(settings, 'forwarding', 'list') as Promise<{ is_synced: boolean }[]>,
    (names) => names.every(({ is_synced }) => is_synced),
  );
  expect(aliases).toEqual([
    {
      name: 'jane-doe',
      account_id,
      destination: 'jane@example.com',
      provider_destination: 'jane@example.com',
      is_synced: true,
      stage: 'settled',
      attempts: 0,
      last_error: null,
      next_try_at: null,
      uncertain_until: null,
      unconfirmed: false,
      released_at: null,
      alias_removed_at: null,
    },
  ]);
  expect(await runJson(settings, 'forwarding', 'check')).toEqual({
    provider: 'improvmx',
    ok: true,
    findings: [],
  });
  fake.aliases.set('jane-doe', 'elsewhere@example.net');
  fake.aliases.set('by-hand', 'hand@example.net');
  expect(await runJson(settings, 'forwarding', 'sync')).toEqual({
    provider: 'improvmx',
    compared: 2,
    repaired: ['jane-doe'],
    waiting: [],
    unknown: [{ name: 'by-hand', destination: 'hand@example.net' }],
    pruned: [],
  });
  expect(fake.aliases.get('jane-doe')).toBe('jane@example.com');
  expect(await runJson(settings, 'forwarding', 'sync', '--prune')).toMatchObject({
    pruned: ['by-hand'],
  });
  expect(Object.fromEntries(fake.aliases)).toEqual({ 'jane-doe': 'jane@example.com' });
  await runJson(settings, 'accounts', 'delete', 'jane-doe', '--yes');
  await eventually(
    () => fake.aliases.size,
    (size) => size === 0,
  );
}
