import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type FakeCloudflare } from './fake-cloudflare.ts';
import { type ForwardingApp, startForwardingApp } from './forwarding-app.ts';
import { providerFixtures } from './provider-fixtures.ts';

let fake: FakeCloudflare;
let server: ForwardingApp;

async function startApp(timing: { unusedDestinationMs?: number } = {}): Promise<void> {
  const fixture = await providerFixtures['cloudflare']!();
  fake = fixture.fake as FakeCloudflare;
  server = await startForwardingApp({ timing, settings: fixture.settings });
}
afterEach(async () => {
  await server.close();
  await fake.close();
});

const storedEmails = () => [...fake.addresses.values()].map(({ email }) => email).toSorted();
const waitForEmails = (expected: string[]) =>
  eventually(storedEmails, (emails) => emails.join() === expected.join());

describe('destination addresses at Cloudflare', () => {
  beforeEach(() => startApp());

  it('destination addresses at Cloudflare are removed when no account uses them anymore', async () => {
    fake.addresses.set('own', { id: 'own', email: 'operator@example.net', verified: 'long ago' });
    const account = await server.createForwardedAccount('jane', 'first@example.com');
    await waitForEmails(['first@example.com', 'operator@example.net']);
    await server.enableForwarding(account, 'Second@example.com');
    await waitForEmails(['Second@example.com', 'first@example.com', 'operator@example.net']);
    await server.forwarding.deleteUnusedDestinations();
    expect(storedEmails()).toEqual(['Second@example.com', 'operator@example.net']);
    // An address that existed before the account chose it belongs to the operator.
    await server.enableForwarding(account, 'operator@example.net');
    await eventually(
      () => fake.destinations('jane@nameplate.example'),
      (value) => value.join() === 'operator@example.net',
    );
    await server.rename(account, 'jane-2');
    await eventually(() => expect(fake.rules.size).toBe(0));
    await server.forwarding.deleteUnusedDestinations();
    expect(storedEmails()).toEqual(['operator@example.net']);
  });

  it('destination addresses at Cloudflare stay while an account has them in its settings, even if its forwarding is off', async () => {
    const account = await server.createForwardedAccount('jane', 'first@example.com');
    await waitForEmails(['first@example.com']);
    await server.disableForwarding(account);
    await server.forwarding.deleteUnusedDestinations();
    expect(storedEmails()).toEqual(['first@example.com']);
  });

  it('destination addresses at Cloudflare stay while a rule that the operator created forwards to them', async () => {
    const account = await server.createForwardedAccount('jane', 'first@example.com');
    await waitForEmails(['first@example.com']);
    const action = { type: 'forward', value: ['First@example.com'] };
    const matcher = { type: 'literal', field: 'to', value: 'office@other.example' };
    fake.rules.set('hand', {
      ...{ id: 'hand', name: 'by hand', enabled: true, priority: 0 },
      ...{ matchers: [matcher], actions: [action] },
    });
    await server.rename(account, 'jane-2');
    await server.forwarding.deleteUnusedDestinations();
    expect(storedEmails()).toEqual(['first@example.com']);
    fake.rules.delete('hand');
    await server.forwarding.deleteUnusedDestinations();
    expect(storedEmails()).toEqual([]);
  });

  it('destination addresses at Cloudflare are kept while Cloudflare is unreachable, and removed afterwards', async () => {
    const account = await server.createForwardedAccount('jane', 'first@example.com');
    await waitForEmails(['first@example.com']);
    await server.rename(account, 'jane-2');
    await server.waitUntilSynced();
    fake.faultFor = () => ({ kind: 'disconnect' });
    await server.forwarding.deleteUnusedDestinations();
    fake.faultFor = () => undefined;
    expect(storedEmails()).toEqual(['first@example.com']);
    await server.forwarding.sync({});
    expect(storedEmails()).toEqual([]);
  });

  it('destination addresses at Cloudflare that wait for confirmation are reported by the check', async () => {
    await server.createForwardedAccount('jane', 'first@example.com');
    await waitForEmails(['first@example.com']);
    expect(await server.forwarding.check()).toEqual([
      {
        level: 'warning',
        text: '1 destination address waits for confirmation. Ask their owners to follow the link in the email from Cloudflare.',
      },
    ]);
  });
});

it('an unused destination address stays for a day, so that using it again needs no new confirmation', async () => {
  await startApp({ unusedDestinationMs: 86_400_000 });
  const account = await server.createForwardedAccount('jane', 'first@example.com');
  await waitForEmails(['first@example.com']);
  await server.enableForwarding(account, 'second@example.com');
  await waitForEmails(['first@example.com', 'second@example.com']);
  await server.forwarding.deleteUnusedDestinations();
  expect(storedEmails()).toEqual(['first@example.com', 'second@example.com']);
});
