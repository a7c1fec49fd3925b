import { expect, it } from 'vitest';
import { suspendAccount } from '#server/features/accounts/suspend-account.ts';
import { startForwardingApp } from './forwarding-app.ts';
import { rigs } from './rigs.ts';

it.each(Object.keys(rigs))(
  'forwards mail of a name only to the right destination through all its changes: %s',
  async (provider) => {
    const rig = await rigs[provider]!();
    const { settings } = rig;
    const server = await startForwardingApp({ settings, quarantineDays: 0 });
    for (const email of ['first@example.com', 'second@example.com', 'back@example.com'])
      rig.agree(email);
    const seen = async (name: string) => {
      await server.settled();
      return rig.seen(name);
    };

    const first = await server.forwarded('shared', 'first@example.com');
    expect(await seen('shared')).toEqual(['first@example.com']);

    rig.fake.trouble = () => ({ kind: 'dead' });
    expect(await server.rename(first, 'shared-first')).toMatchObject({ status: 200 });
    const second = await server.createAccount();
    expect(await server.rename(second, 'shared')).toEqual({
      status: 409,
      body: { error: 'The display name shared is already taken.' },
    });
    rig.fake.trouble = () => undefined;
    expect(await seen('shared')).toEqual([]);
    expect(await seen('shared-first')).toEqual([]);

    expect(await server.rename(second, 'shared')).toMatchObject({ status: 200 });
    expect(await seen('shared')).toEqual([]);
    await server.enable(second, 'second@example.com');
    expect(await seen('shared')).toEqual(['second@example.com']);

    for (const [suspended, destinations] of [
      [true, []],
      [false, ['second@example.com']],
    ] as const) {
      await suspendAccount(server.database.db, server.forwarding, { account: 'shared', suspended });
      expect(await seen('shared')).toEqual(destinations);
    }

    await server.disable(second);
    expect(await seen('shared')).toEqual([]);
    await server.enable(second);
    expect(await seen('shared')).toEqual(['second@example.com']);

    await server.rename(second, 'shared-second');
    expect(await seen('shared')).toEqual([]);
    expect(await server.rename(first, 'shared')).toMatchObject({ status: 200 });
    await server.enable(first, 'back@example.com');
    expect(await seen('shared')).toEqual(['back@example.com']);

    expect(await server.forwarding.check()).toEqual({ provider, ok: true, findings: [] });
    await server.close();
    await rig.fake.close();
  },
);

it('quarantines a name for others, but not for its last owner', async () => {
  const rig = await rigs['improvmx']!();
  const { settings } = rig;
  const server = await startForwardingApp({ settings, quarantineDays: 30 });
  const first = await server.forwarded('resting', 'first@example.com');
  await server.rename(first, 'resting-first');
  await server.settled();
  const second = await server.createAccount();
  const taken = { status: 409, body: { error: 'The display name resting is already taken.' } };
  expect(await server.rename(second, 'resting')).toEqual(taken);
  await leaveDaysAgo(29);
  expect(await server.rename(second, 'resting')).toEqual(taken);
  expect(await server.rename(first, 'resting')).toMatchObject({ status: 200 });
  await server.rename(first, 'resting-first');
  await server.settled();
  await leaveDaysAgo(31);
  expect(await server.rename(second, 'resting')).toMatchObject({ status: 200 });
  await server.close();
  await rig.fake.close();

  async function leaveDaysAgo(days: number): Promise<void> {
    await server.database.db
      .updateTable('display_names')
      .set({ released_at: new Date(Date.now() - days * 86_400_000) })
      .where('name', '=', 'resting')
      .execute();
  }
});
