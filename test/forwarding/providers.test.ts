import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type ForwardingProvider,
  ForwardingProviderError,
  checkProvider,
} from '#server/features/forwarding/forwarding-provider.ts';
import type { FakeCloudflare } from './fake-cloudflare.ts';
import type { FakeForwardEmail } from './fake-forward-email.ts';
import { respondWith } from './fake-provider.ts';
import { type ProviderFixture, providerFixtures } from './provider-fixtures.ts';

const jane = { name: 'jane', destination: 'jane@example.com' };

/** Starts a fake for each test. The returned object is empty until `beforeEach` has run. */
function useFixture(name: string): ProviderFixture {
  const fixture = {} as ProviderFixture;
  beforeEach(async () => {
    Object.assign(fixture, await providerFixtures[name]!());
  });
  afterEach(() => fixture.fake.close());
  return fixture;
}

function timeout(): AbortSignal {
  return AbortSignal.timeout(15_000);
}

describe.each(Object.keys(providerFixtures))('every provider: %s', (name) => {
  const fixture = useFixture(name);
  beforeEach(() => {
    fixture.confirm(jane.destination);
    fixture.confirm('new@example.com');
  });

  it(`${name} takes over an alias, writes it again, and replaces its destination`, async () => {
    fixture.addAlias('jane', 'somebody@example.net');
    const destinations = [
      jane.destination,
      jane.destination,
      'new@example.com',
      'Jane@Example.com',
    ];
    for (const destination of destinations) {
      await fixture.provider.put({ name: 'jane', destination }, timeout());
      // The fakes store addresses in lower case, as Forward Email does.
      expect(fixture.destinationsOf('jane')).toEqual([destination.toLowerCase()]);
    }
  });

  it(`${name} stores several destinations, or refuses them before it changes anything`, async () => {
    const group = { name: 'board', destination: 'anna@example.com,Carl@example.com' };
    if (fixture.provider.forwardsToOne) {
      const error = await catchError(fixture.provider.put(group, timeout()));
      expect(error.message).toBe('The provider sends an address to one inbox only.');
      expect(fixture.fake.requests).toEqual([]);
      return;
    }
    await fixture.provider.put(group, timeout());
    const destination = group.destination.toLowerCase();
    expect(await fixture.provider.list(timeout())).toEqual([{ name: 'board', destination }]);
    await fixture.provider.put({ ...group, destination: 'carl@example.com' }, timeout());
    expect(fixture.destinationsOf('board')).toEqual(['carl@example.com']);
  });

  it(`${name} creates an alias, and removes it, also if it is already gone`, async () => {
    await fixture.provider.put(jane, timeout());
    expect(fixture.destinationsOf('jane')).toEqual([jane.destination]);
    await fixture.provider.remove('jane', timeout());
    expect(fixture.destinationsOf('jane')).toEqual([]);
    await fixture.provider.remove('jane', timeout());
  });

  it(`${name} does not change other names`, async () => {
    fixture.addAlias('jane-2', 'two@example.net');
    fixture.addAlias('jan', 'jan@example.net');
    await fixture.provider.put(jane, timeout());
    await fixture.provider.remove('jane', timeout());
    expect(fixture.destinationsOf('jane-2')).toEqual(['two@example.net']);
    expect(fixture.destinationsOf('jan')).toEqual(['jan@example.net']);
  });

  it(`${name} lists all aliases over several pages`, async () => {
    const expected = Array.from({ length: 130 }, (_, index) => ({
      name: `name-${String(index).padStart(3, '0')}`,
      destination: `to-${index}@example.com`,
    }));
    for (const alias of expected) fixture.addAlias(alias.name, alias.destination);
    const aliases = await fixture.provider.list(timeout());
    expect(aliases.toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual(expected);
  });

  it(`${name} reports a catch-all, and does not list it among the aliases`, async () => {
    fixture.addCatchAll('operator@example.net');
    const findings = await fixture.provider.check(timeout());
    expect(findings).toMatchObject([{ level: 'error' }]);
    expect(findings[0]?.text).toMatch(/unassigned names|catch-all/);
    expect(await fixture.provider.list(timeout())).toEqual([]);
  });

  it(`${name} reports refused credentials without revealing them`, async () => {
    const findings = await checkProvider(fixture.createProvider('wrong-canary-key'), timeout());
    expect(findings).toMatchObject([{ level: 'error', text: expect.stringContaining('401') }]);
    expect(JSON.stringify(findings)).not.toContain('wrong-canary-key');
  });

  it(`${name} reports an invalid response`, async () => {
    fixture.fake.faultFor = () => respondWith(200, null);
    const text = expect.stringMatching(/^The aliases cannot be read\. .* an unexpected format\. /);
    expect(await checkProvider(fixture.provider, timeout())).toMatchObject([{ text }]);
  });

  it("passes on the provider's error message", async () => {
    fixture.fake.faultFor = ({ authorization }) =>
      respondWith(403, { error: `Not on your plan, ${fixture.secret}, ${authorization}.` });
    const error = await catchError(fixture.provider.put(jane, timeout()));
    expect(error.message).toMatch(/responded with 403: Not on your plan, …, \w+ …\.$/);
    expect(error.outcomeUnknown).toBe(false);
  });

  it.each([
    ['in seconds', () => '600'],
    ['by a date', () => new Date(Date.now() + 600_000).toUTCString()],
  ])(`${name} pauses for as long as the provider asks (%s)`, async (_form, retryAfter) => {
    fixture.fake.faultFor = () =>
      respondWith(429, { message: 'Slow down' }, { 'retry-after': retryAfter() });
    // HTTP dates have a precision of one second.
    const earliest = Date.now() + 599_000;
    const error = await catchError(fixture.provider.remove('jane', timeout()));
    expect(error.status).toBe(429);
    expect(error.retryAt!.getTime()).toBeGreaterThanOrEqual(earliest);
    expect(error.retryAt!.getTime()).toBeLessThanOrEqual(Date.now() + 600_000);
    const requests = fixture.fake.requests.length;
    fixture.fake.faultFor = () => undefined;
    const second = await catchError(fixture.provider.put(jane, timeout()));
    expect(second.retryAt).toBeDefined();
    expect(fixture.fake.requests).toHaveLength(requests);
  });

  it("pauses before it reaches the rate limit in the provider's headers", async () => {
    const resetTime = Math.ceil(Date.now() / 1_000) + 600;
    const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(resetTime) };
    fixture.fake.faultFor = () => respondWith(404, { message: 'nothing' }, headers);
    await fixture.provider.remove('jane', timeout()).catch(() => {});
    const error = await catchError(fixture.provider.remove('jane', timeout()));
    expect(error.retryAt).toEqual(new Date(resetTime * 1_000));
    expect(fixture.fake.requests).toHaveLength(1);
  });

  it.each([
    ['drops the connection', { kind: 'disconnect' }],
    ['sends HTML', { kind: 'respond', response: { status: 200 }, text: '<html>' }],
    ['redirects', { kind: 'respond', response: { status: 302, headers: { location: '/' } } }],
    ['has an outage', { kind: 'respond', response: { status: 503 }, text: '<html>busy</html>' }],
    ['sends too much data', { kind: 'respond', response: { status: 200 }, text: 'x'.repeat(5e6) }],
  ] as const)(`${name} fails with a message when the provider %s`, async (_title, fault) => {
    fixture.fake.faultFor = () => fault;
    const error = await catchError(fixture.provider.put(jane, timeout()));
    expect(error.message).toMatch(/^The (?:provider|request|response) [^\n]+$/);
  });

  it(`${name} times out if the provider never responds`, async () => {
    fixture.fake.faultFor = () => ({ kind: 'hang' });
    const error = await catchError(fixture.provider.put(jane, AbortSignal.timeout(200)));
    expect(error.message).toBe('The request to the provider failed: timed out.');
  });

  it(`${name} distinguishes an unreachable provider from a lost response`, async () => {
    const { url } = fixture.fake;
    await fixture.fake.close();
    const error = await catchError(fixture.provider.put(jane, timeout()));
    expect(error.message).toBe('The request to the provider failed: ECONNREFUSED.');
    expect(error.outcomeUnknown).toBe(false);
    expect(error.message).not.toContain(url);
    Object.assign(fixture, await providerFixtures[name]!());
  });
});

describe('improvmx', () => {
  const fixture = useFixture('improvmx');

  it('improvmx reports why it cannot create an alias', async () => {
    const alias = { name: 'jane', destination: 'x' };
    const error = await catchError(fixture.provider.put(alias, timeout()));
    expect(error.message).toBe(
      'The provider responded with 400: forward: Enter a valid email address.',
    );
  });

  it('improvmx treats an alias as stored only if the response contains its destination', async () => {
    const body = { alias: { alias: 'jane', forward: 'other@example.net' }, success: true };
    fixture.fake.faultFor = () => respondWith(200, body);
    const error = await catchError(fixture.provider.put(jane, timeout()));
    expect(error.message).toBe('The provider did not store jane as requested.');
  });
});

it('forward-email disables an alias whose deletion is refused, rejects its mail, enables it again, and always sends recipients', async () => {
  const fixture = await providerFixtures['forward-email']!();
  const { provider } = fixture;
  const fake = fixture.fake as FakeForwardEmail;
  await provider.put(jane, timeout());
  fake.refusesDeletion = true;
  await provider.remove('jane', timeout());
  expect(fake.aliases.get('jane')).toMatchObject({
    recipients: ['jane@example.com'],
    is_enabled: false,
    error_code_if_disabled: 550,
  });
  expect(await provider.list(timeout())).toEqual([]);
  await provider.put({ name: 'jane', destination: 'new@example.com' }, timeout());
  expect(fixture.destinationsOf('jane')).toEqual(['new@example.com']);
  // Without recipients, mail would go to the operator.
  const writes = fake.requests.filter(({ method }) => method === 'PUT' || method === 'POST');
  expect(writes.map(({ body }) => body.recipients.length)).toEqual(writes.map(() => 1));
  await fake.close();
});

describe('cloudflare', () => {
  const fixture = useFixture('cloudflare');
  let fake: FakeCloudflare;
  let provider: ForwardingProvider;
  beforeEach(() => {
    fake = fixture.fake as FakeCloudflare;
    ({ provider } = fixture);
  });

  it('cloudflare waits until the owner of a new destination confirms it, and keeps forwarding to the old one', async () => {
    expect(await catchError(provider.put(jane, timeout()))).toMatchObject({
      message: 'Waiting for jane@example.com to confirm the email from Cloudflare.',
      retryAt: expect.any(Date),
    });
    expect([...fake.addresses.values()].map(({ email }) => email)).toEqual(['jane@example.com']);
    expect(fake.rules.size).toBe(0);
    fake.verify('jane@example.com');
    await provider.put(jane, timeout());
    expect(fixture.destinationsOf('jane')).toEqual(['jane@example.com']);
    await catchError(provider.put({ name: 'jane', destination: 'new@example.com' }, timeout()));
    expect(fixture.destinationsOf('jane')).toEqual(['jane@example.com']);
  });

  it('cloudflare removes a duplicate rule after two concurrent calls', async () => {
    fixture.confirm(jane.destination);
    await provider.put(jane, timeout());
    const [rule] = fake.rules.values();
    fake.rules.set('second', { ...rule!, id: 'second' });
    await provider.put(jane, timeout());
    expect(fixture.destinationsOf('jane')).toEqual(['jane@example.com']);
    fake.rules.set('third', { ...rule!, id: 'third' });
    await provider.remove('jane', timeout());
    expect(fixture.destinationsOf('jane')).toEqual([]);
  });

  it('cloudflare warns before the limit of rules is reached', async () => {
    for (let index = 0; index < 185; index += 1) fixture.addAlias(`r${index}`, 'jane@example.com');
    expect(await provider.check(timeout())).toEqual([
      {
        level: 'warning',
        text: '185 of the 200 rules of the zone are in use. Delete unused ones, or use another provider.',
      },
    ]);
  });

  it('cloudflare ignores a catch-all that drops the mail', async () => {
    fake.catchAll = { enabled: true, actions: [{ type: 'drop' }] };
    expect(await provider.check(timeout())).toEqual([]);
  });
});

async function catchError(promise: Promise<unknown>): Promise<ForwardingProviderError> {
  const [result] = await Promise.allSettled([promise]);
  const { reason } = result as PromiseRejectedResult;
  expect(reason).toBeInstanceOf(ForwardingProviderError);
  return reason as ForwardingProviderError;
}
