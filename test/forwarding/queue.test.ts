import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type FakeImprovmx, startFakeImprovmx } from './fake-improvmx.ts';
import type { FakeRequest } from './fake-provider.ts';
import { type ForwardingApp, startForwardingApp } from './forwarding-app.ts';

describe('the forwarding queue', () => {
  let fake: FakeImprovmx;
  let server: ForwardingApp;
  beforeAll(async () => {
    fake = await startFakeImprovmx();
    server = await startForwardingApp({ fake, quarantineDays: 0 });
  });
  afterAll(async () => {
    await server.close();
    await fake.close();
  });
  beforeEach(() => {
    fake.history.length = 0;
    fake.requests.length = 0;
  });
  afterEach(async () => {
    fake.trouble = () => undefined;
    await server.settled();
  });

  async function stateOf(name: string) {
    return (await server.forwarding.list()).find((state) => state.name === name);
  }

  it('creates the alias soon after forwarding was turned on', async () => {
    await server.forwarded('prompt', 'prompt@example.com');
    await eventually(
      () => fake.aliases.get('prompt'),
      (seen) => seen === 'prompt@example.com',
    );
    await server.settled();
    expect(await stateOf('prompt')).toMatchObject({
      destination: 'prompt@example.com',
      provider_destination: 'prompt@example.com',
      is_synced: true,
      attempts: 0,
      last_error: null,
      next_try_at: null,
    });
  });

  it('does not call the provider for names that never had mail', async () => {
    const account = await server.createAccount();
    await server.rename(account, 'silent-one');
    await server.rename(account, 'silent-two');
    await server.disable(account);
    await server.forwarded('loud', 'loud@example.com');
    await server.settled();
    expect(fake.requests.filter(({ path }) => path.includes('silent'))).toEqual([]);
    expect(await stateOf('silent-one')).toBeUndefined();
  });

  it('removes the alias when forwarding is turned off, without releasing the name', async () => {
    const account = await server.forwarded('off', 'off@example.com');
    await server.disable(account);
    await server.settled();
    expect(fake.aliases.get('off')).toBeUndefined();
    expect(await stateOf('off')).toMatchObject({
      account_id: account.id,
      provider_destination: null,
    });
  });

  it('ends with the last requested state after quick changes', async () => {
    const account = await server.forwarded('flicker', 'one@example.com');
    await Promise.all([server.disable(account), server.enable(account, 'two@example.com')]);
    await server.disable(account);
    await server.enable(account, 'three@example.com');
    await server.settled();
    expect(fake.aliases.get('flicker')).toBe('three@example.com');
  });

  it('checks again if the settings changed during a provider call', async () => {
    let release = () => {};
    const account = await server.forwarded('busy', 'first@example.com');
    await server.settled();
    const arrived = new Promise<void>((resolve) => {
      fake.trouble = ({ method }) => {
        if (method !== 'POST') return undefined;
        resolve();
        return { kind: 'late', gate: new Promise((open) => (release = open)) };
      };
    });
    await server.enable(account, 'second@example.com');
    await arrived;
    fake.trouble = () => undefined;
    await server.enable(account, 'third@example.com');
    release();
    await server.settled();
    expect(fake.aliases.get('busy')).toBe('third@example.com');
  });

  it('renames at once while the provider is down, and removes the alias when it is back', async () => {
    const account = await server.forwarded('patient', 'patient@example.com');
    await server.settled();
    fake.trouble = () => ({ kind: 'dead' });
    expect(await server.rename(account, 'patient-2')).toMatchObject({ status: 200 });
    const state = await eventually(
      () => stateOf('patient'),
      (seen) => (seen?.attempts ?? 0) >= 2,
    );
    expect(state).toMatchObject({
      destination: null,
      provider_destination: 'patient@example.com',
      is_synced: false,
      last_error: expect.stringMatching(/^The request to the provider failed/),
      next_try_at: expect.any(Date),
      alias_removed_at: null,
    });
    expect(fake.aliases.get('patient')).toBe('patient@example.com');
    fake.trouble = () => undefined;
    await server.settled();
    expect(fake.aliases.get('patient')).toBeUndefined();
    expect(await stateOf('patient')).toMatchObject({
      provider_destination: null,
      attempts: 0,
      last_error: null,
    });
  });

  it('responds with 200 and retries if the provider is down when forwarding is turned on', async () => {
    fake.trouble = () => ({ kind: 'answer', answer: { status: 500 } });
    await server.forwarded('later', 'later@example.com');
    await eventually(
      () => stateOf('later'),
      (seen) => (seen?.attempts ?? 0) >= 1,
    );
    fake.trouble = () => undefined;
    await server.settled();
    expect(fake.aliases.get('later')).toBe('later@example.com');
  });

  it("keeps a name from others until the provider has confirmed the alias's deletion", async () => {
    const first = await server.forwarded('coveted', 'first@example.com');
    await server.settled();
    fake.trouble = ({ method }) => (method === 'DELETE' ? { kind: 'dead' } : undefined);
    await server.rename(first, 'coveted-2');
    const other = await server.createAccount();
    expect(await server.rename(other, 'coveted')).toEqual({
      status: 409,
      body: { error: 'The display name coveted is already taken.' },
    });
    fake.trouble = () => undefined;
    await server.settled();
    expect(await server.rename(other, 'coveted')).toMatchObject({ status: 200 });
  });

  it('lets the last owner reclaim the name before the alias is deleted, and forwards again', async () => {
    const account = await server.forwarded('boomerang', 'old@example.com');
    await server.settled();
    fake.trouble = () => ({ kind: 'dead' });
    await server.rename(account, 'boomerang-2');
    expect(await server.rename(account, 'boomerang')).toMatchObject({ status: 200 });
    await server.enable(account, 'new@example.com');
    fake.trouble = () => undefined;
    await server.settled();
    expect(fake.aliases.get('boomerang')).toBe('new@example.com');
  });

  it("never forwards a name's mail to its former owner once another account has it", async () => {
    const first = await server.forwarded('jane', 'a@example.com');
    await server.settled();
    fake.trouble = () => ({ kind: 'dead' });
    await server.rename(first, 'jane-former');
    const second = await server.createAccount();
    expect(await server.rename(second, 'jane')).toMatchObject({ status: 409 });
    fake.trouble = () => undefined;
    await server.settled();
    expect(await server.rename(second, 'jane')).toMatchObject({ status: 200 });
    fake.trouble = () => ({ kind: 'answer', answer: { status: 502 } });
    await server.enable(second, 'b@example.com');
    await server.enable(second, 'b2@example.com');
    fake.trouble = () => undefined;
    await server.settled();
    // Late duplicate jobs change nothing.
    for (let repeat = 0; repeat < 3; repeat += 1) await requeue('jane', 'jane-former');
    await server.settled();
    expect(fake.aliases.get('jane')).toBe('b2@example.com');
    const gone = fake.history.findIndex(([name, to]) => name === 'jane' && to === undefined);
    const after = fake.history.slice(gone).filter(([name]) => name === 'jane');
    expect(gone).toBeGreaterThan(0);
    expect(after.some(([, destination]) => destination === 'a@example.com')).toBe(false);
  });

  it('does not trust a removal while an earlier call may still take effect', async () => {
    let obey = () => {};
    const gate = new Promise<void>((resolve) => {
      obey = resolve;
    });
    let held: FakeRequest | undefined;
    fake.trouble = (request) => {
      if (request.body?.alias !== 'ghost' || held) return undefined;
      held = request;
      return { kind: 'late', gate };
    };
    const account = await server.forwarded('ghost', 'ghost@example.com');
    await eventually(
      () => held,
      (seen) => seen !== undefined,
    );
    await server.rename(account, 'ghost-2');
    await eventually(
      () =>
        fake.requests.filter(({ method, path }) => method === 'DELETE' && path.endsWith('ghost')),
      (removals) => removals.length > 0,
    );
    obey();
    await eventually(
      () => fake.history.some(([name, to]) => name === 'ghost' && to === 'ghost@example.com'),
      Boolean,
    );
    await server.settled();
    expect(fake.aliases.get('ghost')).toBeUndefined();
    expect(await stateOf('ghost')).toMatchObject({ alias_removed_at: expect.any(Date) });
  });

  it('repeats a call after a lost response, with the same result', async () => {
    let lost = 0;
    fake.trouble = ({ method }) => {
      if (method === 'GET' || lost >= 2) return undefined;
      lost += 1;
      return { kind: 'answer lost' };
    };
    const account = await server.forwarded('echo', 'echo@example.com');
    await eventually(
      () => stateOf('echo'),
      (state) =>
        state?.provider_destination === 'echo@example.com' && state.stage === 'waits for an answer',
    );
    await server.settled();
    expect(await stateOf('echo')).toMatchObject({ stage: 'settled', uncertain_until: null });
    expect(fake.aliases.get('echo')).toBe('echo@example.com');
    lost = 0;
    await server.disable(account);
    await server.settled();
    expect(fake.aliases.get('echo')).toBeUndefined();
  });

  it('waits as long as the provider asks, and logs that once, not as an error', async () => {
    server.warnings.length = 0;
    fake.trouble = () => ({
      kind: 'answer',
      answer: { status: 429, body: { error: 'Slow down' }, headers: { 'retry-after': '4' } },
    });
    await server.forwarded('polite', 'polite@example.com');
    const state = await eventually(
      () => stateOf('polite'),
      (seen) => seen?.last_error != null,
    );
    const pause = { until: expect.any(Date) as Date };
    expect(server.warnings).toEqual([pause]);
    const { until } = server.warnings[0] as typeof pause;
    expect(state).toMatchObject({
      attempts: 0,
      last_error: 'The provider responded with 429: Slow down',
    });
    expect(state?.next_try_at?.getTime()).toBeGreaterThanOrEqual(until.getTime());
    const asked = fake.requests.length;
    expect(asked).toBe(1);
    let calledAt = Infinity;
    fake.trouble = () => {
      calledAt = Math.min(calledAt, Date.now());
      return undefined;
    };
    for (let name = 0; name < 5; name += 1)
      await server.forwarded(`polite-${name}`, 'polite@example.com');
    await server.settled();
    expect(calledAt).toBeGreaterThanOrEqual(until.getTime());
    expect(fake.aliases.get('polite')).toBe('polite@example.com');
    expect(fake.requests.length - asked).toBeLessThanOrEqual(12);
    // No name was checked during the pause.
    expect(server.warnings).toEqual([pause]);
  });

  it('processes other names while one hangs', async () => {
    fake.trouble = ({ path, body }) =>
      path.endsWith('/stuck') || body?.alias === 'stuck' ? { kind: 'hang' } : undefined;
    await server.forwarded('stuck', 'stuck@example.com');
    await eventually(() => fake.requests.some(({ body }) => body?.alias === 'stuck'), Boolean);
    for (const name of ['free-1', 'free-2', 'free-3'])
      await server.forwarded(name, `${name}@example.com`);
    await eventually(
      () => ['free-1', 'free-2', 'free-3'].filter((name) => fake.aliases.has(name)),
      (seen) => seen.length === 3,
    );
    expect((await stateOf('stuck'))?.is_synced).toBe(false);
  });

  it('processes many names that changed at once', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `crowd-${index}`);
    await Promise.all(names.map((name) => server.forwarded(name, `${name}@example.com`)));
    await server.settled();
    expect(names.map((name) => fake.aliases.get(name))).toEqual(
      names.map((name) => `${name}@example.com`),
    );
  });

  it('creates no job if the request fails', async () => {
    const account = await server.forwarded('atomic', 'atomic@example.com');
    await server.settled();
    const before = fake.requests.length;
    const { db } = server.database;
    await expect(
      db.transaction().execute(async (trx) => {
        await server.forwarding.enqueueSync(trx, 'atomic');
        throw new Error('rolled back');
      }),
    ).rejects.toThrow('rolled back');
    expect((await stateOf('atomic'))?.is_synced).toBe(true);
    expect(fake.requests).toHaveLength(before);
    await server.disable(account);
  });

  it('never reveals the credentials', async () => {
    const text = JSON.stringify([server.log, server.warnings, await server.forwarding.list()]);
    expect(server.warnings.length).toBeGreaterThan(0);
    expect(text).not.toContain('canary');
    expect(text).not.toContain(Buffer.from('api:sk_improvmx').toString('base64').slice(0, 16));
  });

  async function requeue(...names: string[]): Promise<void> {
    await server.database.db.transaction().execute(async (trx) => {
      for (const name of names) await server.forwarding.enqueueSync(trx, name);
    });
  }
});
