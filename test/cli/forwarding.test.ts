import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type FakeImprovmx, IMPROVMX_KEY, startFakeImprovmx } from '../forwarding/fake-improvmx.ts';
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

it('the forwarding commands list and repair aliases, and the check names the list if one is not in sync', async () => {
  const { settings: database, db } = await createDatabase();
  const settings = { ...providerSettings(), ...database };
  await runJson(settings, 'members.createMember', '--display-name', 'jane-doe');
  await runJson(
    settings,
    ...['emailForwarding.emailForwardingToggle', '--account', 'jane-doe'],
    ...['--enabled', 'true', '--email', 'jane@example.com'],
  );
  fake.aliases.set('by-hand', 'hand@example.net');
  expect(await runJson(settings, 'forwarding.syncAliases', '--prune')).toMatchObject({
    ...{ repaired: ['jane-doe'], pruned: ['by-hand'] },
  });
  expect(Object.fromEntries(fake.aliases)).toEqual({ 'jane-doe': 'jane@example.com' });
  await sql`UPDATE provider_aliases SET synced_revision = revision - 1,
      last_error = '{"code": "notJson"}' WHERE name = 'jane-doe'`.execute(db);
  expect(await runJson(settings, 'forwarding.listAliases')).toMatchObject([
    { name: 'jane-doe', destination: 'jane@example.com', last_error: expect.any(String) },
  ]);
  const check = await runCommand(settings, 'check');
  expect(check.stdout).toContain('npx nameplate forwarding.listAliases');
});

it('the forwarding commands and the check report problems of the provider, and exit with 1', async () => {
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

it('the forwarding commands work without a provider', async () => {
  const { settings } = await createDatabase();
  expect(await runCommand(settings, 'forwarding.listAliases')).toEqual({
    code: 0,
    stdout: 'No name has or had forwarding.\n',
    stderr: '',
  });
});
