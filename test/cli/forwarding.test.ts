import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeImprovmx, IMPROVMX_KEY, startFakeImprovmx } from '../forwarding/fake-improvmx.ts';
import { eventually } from '../support/eventually.ts';
import { fetchJson, startServer } from '../support/server-process.ts';
import {
  type Settings,
  createDatabase,
  failure,
  runCommand,
  runJson,
} from './support/command-line.ts';

let fake: FakeImprovmx;
beforeEach(async () => {
  fake = await startFakeImprovmx();
});
afterEach(() => fake.close());

function providerSettings(): Settings {
  return {
    EMAIL_FORWARDING_PROVIDER: 'improvmx',
    IMPROVMX_API_KEY: IMPROVMX_KEY,
    FORWARDING_API_URL: fake.url,
  };
}

describe('the forwarding commands', () => {
  it('work while a server is running', async () => {
    const settings = { ...providerSettings(), ...(await createDatabase()).settings };
    const { url } = await startServer(settings);
    const {
      member: { id: account_id },
      api_key: key,
    } = (await runJson(settings, 'members.createMember', '--display-name', 'jane-doe')) as {
      member: { id: string };
      api_key: string;
    };
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
      () => runJson(settings, 'forwarding.listAliases') as Promise<{ is_synced: boolean }[]>,
      (names) => names.every(({ is_synced }) => is_synced),
    );
    expect(aliases).toMatchObject([
      {
        ...{ name: 'jane-doe', account_id, is_synced: true, stage: 'settled', last_error: null },
        destination: 'jane@example.com',
        provider_destination: 'jane@example.com',
      },
    ]);
    fake.aliases.set('jane-doe', 'elsewhere@example.net');
    fake.aliases.set('by-hand', 'hand@example.net');
    expect(await runJson(settings, 'forwarding.syncAliases')).toEqual({
      provider: 'improvmx',
      compared: 2,
      repaired: ['jane-doe'],
      waiting: [],
      unknown: [{ name: 'by-hand', destination: 'hand@example.net' }],
      pruned: [],
    });
    expect(fake.aliases.get('jane-doe')).toBe('jane@example.com');
    expect(await runJson(settings, 'forwarding.syncAliases', '--prune')).toMatchObject({
      pruned: ['by-hand'],
    });
    expect(Object.fromEntries(fake.aliases)).toEqual({ 'jane-doe': 'jane@example.com' });
    fake.faultFor = () => ({ kind: 'disconnect' });
    await fetchJson(`${url}/email-forwarding/email-forwarding-toggle`, {
      key,
      method: 'POST',
      json: { enabled: false },
    });
    await eventually(
      () => runJson(settings, 'forwarding.listAliases') as Promise<{ last_error: string | null }[]>,
      ([alias]) => alias?.last_error != null,
    );
    const check = await runCommand(settings, 'check');
    expect(check.stdout).toContain('npx nameplate forwarding.listAliases');
  });

  it('and the check report problems of the provider, and exit with 1', async () => {
    const settings = { ...providerSettings(), ...(await createDatabase()).settings };
    fake.aliases.set('*', 'operator@example.net');
    const check = await runCommand(settings, 'check');
    expect(check).toMatchObject({ code: 1, stderr: '' });
    expect(check.stdout).toContain('forwards mail for unassigned names to operator@example.net');
    fake.faultFor = () => ({ kind: 'disconnect' });
    expect(await runCommand(settings, 'forwarding.syncAliases')).toMatchObject(
      failure(/^The aliases could not be compared\. The request to the provider failed: [^\n]+\n$/),
    );
  });

  it('work without a provider', async () => {
    const { settings } = await createDatabase();
    expect(await runCommand(settings, 'forwarding.listAliases')).toEqual({
      code: 0,
      stdout: 'No name has or had forwarding.\n',
      stderr: '',
    });
  });
});
