import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type FakeRequest, respondWith } from './fake-provider.ts';
import { useFakeProvider } from './use-forwarding.ts';

const { server, fake } = await useFakeProvider({ quarantineDays: 0 });

describe('the forwarding queue', () => {
  beforeEach(() => {
    fake.history.length = 0;
    fake.requests.length = 0;
  });
  afterEach(async () => {
    fake.faultFor = () => undefined;
    await server.waitUntilSynced();
  });

  async function readState(name: string) {
    return (await server.forwarding.list()).find((state) => state.name === name);
  }

  it('the forwarding queue does not call the provider for names that never had mail', async () => {
    const account = await server.createAccount();
    await server.rename(account, 'silent-one');
    await server.rename(account, 'silent-two');
    await server.disableForwarding(account);
    await server.createForwardedAccount('loud', 'loud@example.com');
    await server.waitUntilSynced();
    expect(fake.requests.filter(({ path }) => path.includes('silent'))).toEqual([]);
    expect(await readState('silent-one')).toBeUndefined();
  });

  it('the forwarding queue checks again if the settings changed during a provider call', async () => {
    const account = await server.createForwardedAccount('busy', 'first@example.com');
    await server.waitUntilSynced();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    fake.faultFor = ({ method }) => {
      if (method !== 'POST') return undefined;
      arrived.resolve();
      return { kind: 'process late', released };
    };
    await server.enableForwarding(account, 'second@example.com');
    await arrived.promise;
    fake.faultFor = () => undefined;
    await server.enableForwarding(account, 'third@example.com');
    release();
    await server.waitUntilSynced();
    expect(fake.aliases.get('busy')).toBe('third@example.com');
  });

  it('the forwarding queue renames at once while the provider is down, and removes the alias when it is back', async () => {
    const account = await server.createForwardedAccount('patient', 'patient@example.com');
    await server.waitUntilSynced();
    fake.faultFor = () => ({ kind: 'disconnect' });
    expect(await server.rename(account, 'patient-2')).toMatchObject({ status: 200 });
    const state = await eventually(
      () => readState('patient'),
      (patient) => (patient?.attempts ?? 0) >= 2,
    );
    expect(state).toMatchObject({
      destination: null,
      provider_destination: 'patient@example.com',
      is_synced: false,
      last_error: expect.objectContaining({ code: expect.any(String) }),
      next_try_at: expect.any(Date),
      alias_removed_at: null,
    });
    expect(fake.aliases.get('patient')).toBe('patient@example.com');
    fake.faultFor = () => undefined;
    await server.waitUntilSynced();
    expect(fake.aliases.get('patient')).toBeUndefined();
    const removed = { provider_destination: null, attempts: 0, last_error: null };
    expect(await readState('patient')).toMatchObject(removed);
  });

  it('the forwarding queue lets the last owner reclaim a name before its alias is deleted', async () => {
    const account = await server.createForwardedAccount('boomerang', 'old@example.com');
    await server.waitUntilSynced();
    fake.faultFor = () => ({ kind: 'disconnect' });
    await server.rename(account, 'boomerang-2');
    expect(await server.rename(account, 'boomerang')).toMatchObject({ status: 200 });
    await server.enableForwarding(account, 'new@example.com');
    fake.faultFor = () => undefined;
    await server.waitUntilSynced();
    expect(fake.aliases.get('boomerang')).toBe('new@example.com');
  });

  it('the forwarding queue does not trust a removal while an earlier call may still take effect', async () => {
    const { promise: released, resolve: processRequest } = Promise.withResolvers<void>();
    let heldRequest: FakeRequest | undefined;
    fake.faultFor = (request) => {
      if (request.body?.alias !== 'ghost' || heldRequest) return undefined;
      heldRequest = request;
      return { kind: 'process late', released };
    };
    const account = await server.createForwardedAccount('ghost', 'ghost@example.com');
    await eventually(() => heldRequest, Boolean);
    await server.rename(account, 'ghost-2');
    const isRemoval = ({ method, path }: FakeRequest) =>
      method === 'DELETE' && path.endsWith('ghost');
    await eventually(() => fake.requests.some(isRemoval), Boolean);
    processRequest();
    await eventually(() => expect(fake.history).toContainEqual(['ghost', 'ghost@example.com']));
    await server.waitUntilSynced();
    expect(fake.aliases.get('ghost')).toBeUndefined();
    expect(await readState('ghost')).toMatchObject({ alias_removed_at: expect.any(Date) });
  });

  it('the forwarding queue waits as long as the provider asks, and logs that once, not as an error', async () => {
    server.warnings.length = 0;
    fake.faultFor = () => respondWith(429, { error: 'Slow down' }, { 'retry-after': '4' });
    await server.createForwardedAccount('polite', 'polite@example.com');
    const state = await eventually(
      () => readState('polite'),
      (value) => value?.last_error != null,
    );
    const pause = { until: expect.any(Date) as Date };
    expect(server.warnings).toEqual([pause]);
    const { until } = server.warnings[0] as typeof pause;
    expect(state).toMatchObject({
      attempts: 0,
      last_error: { code: 'responded', values: { status: '429', explanation: 'Slow down' } },
    });
    expect(state?.next_try_at?.getTime()).toBeGreaterThanOrEqual(until.getTime());
    const requestCount = fake.requests.length;
    expect(requestCount).toBe(1);
    let calledAt = Infinity;
    fake.faultFor = () => {
      calledAt = Math.min(calledAt, Date.now());
      return undefined;
    };
    for (let name = 0; name < 5; name += 1)
      await server.createForwardedAccount(`polite-${name}`, 'polite@example.com');
    await server.waitUntilSynced();
    expect(calledAt).toBeGreaterThanOrEqual(until.getTime());
    expect(fake.aliases.get('polite')).toBe('polite@example.com');
    expect(fake.requests.length - requestCount).toBeLessThanOrEqual(12);
    // No further warning: no name was checked during the pause.
    expect(server.warnings).toEqual([pause]);
  });

  it('the forwarding queue processes other names while one hangs', async () => {
    fake.faultFor = ({ path, body }) =>
      path.endsWith('/stuck') || body?.alias === 'stuck' ? { kind: 'hang' } : undefined;
    await server.createForwardedAccount('stuck', 'stuck@example.com');
    await eventually(() => fake.requests.some(({ body }) => body?.alias === 'stuck'), Boolean);
    const free = ['free-1', 'free-2', 'free-3'];
    for (const name of free) await server.createForwardedAccount(name, `${name}@example.com`);
    await eventually(() => free.every((name) => fake.aliases.has(name)), Boolean);
    expect((await readState('stuck'))?.is_synced).toBe(false);
  });

  it('the forwarding queue creates no job if the request fails', async () => {
    const account = await server.createForwardedAccount('atomic', 'atomic@example.com');
    await server.waitUntilSynced();
    const before = fake.requests.length;
    await expect(
      server.db.transaction().execute(async (trx) => {
        await server.forwarding.enqueueSync(trx, 'atomic');
        throw new Error('rolled back');
      }),
    ).rejects.toThrow('rolled back');
    expect((await readState('atomic'))?.is_synced).toBe(true);
    expect(fake.requests).toHaveLength(before);
    await server.disableForwarding(account);
  });

  it('the forwarding queue never reveals the credentials', async () => {
    const text = JSON.stringify([server.log, server.warnings, await server.forwarding.list()]);
    expect(server.warnings.length).toBeGreaterThan(0);
    expect(text).not.toContain('canary');
    expect(text).not.toContain(Buffer.from('api:sk_improvmx').toString('base64').slice(0, 16));
  });
});
