import { expect, it } from 'vitest';
import { setSuspended } from '../support/suspend.ts';
import { startForwardingApp } from './forwarding-app.ts';
import { providerFixtures } from './provider-fixtures.ts';

it.each(Object.keys(providerFixtures))(
  'mail to a name goes only to its current owner through all changes: %s',
  async (provider) => {
    const fixture = await providerFixtures[provider]!();
    const { settings } = fixture;
    const server = await startForwardingApp({ settings, quarantineDays: 0 });
    for (const email of ['first@example.com', 'second@example.com', 'back@example.com'])
      fixture.confirm(email);
    const destinationsOf = async (name: string) => {
      await server.waitUntilSynced();
      const destinations = fixture.destinationsOf(name);
      expect(
        await server.sql`SELECT destination FROM postfix_aliases WHERE name = ${name}`,
      ).toEqual(destinations.map((destination) => ({ destination })));
      return destinations;
    };

    const first = await server.createForwardedAccount('shared', 'first@example.com');
    expect(await destinationsOf('shared')).toEqual(['first@example.com']);

    fixture.fake.faultFor = () => ({ kind: 'disconnect' });
    expect(await server.rename(first, 'shared-first')).toMatchObject({ status: 200 });
    const second = await server.createAccount();
    expect(await server.rename(second, 'shared')).toEqual({
      status: 409,
      body: { error: 'The display name shared is already taken.' },
    });
    fixture.fake.faultFor = () => undefined;
    expect(await destinationsOf('shared')).toEqual([]);
    expect(await destinationsOf('shared-first')).toEqual([]);

    expect(await server.rename(second, 'shared')).toMatchObject({ status: 200 });
    expect(await destinationsOf('shared')).toEqual([]);
    await server.enableForwarding(second, 'second@example.com');
    expect(await destinationsOf('shared')).toEqual(['second@example.com']);

    for (const [suspended, destinations] of [
      [true, []],
      [false, ['second@example.com']],
    ] as const) {
      await setSuspended(server, 'shared', suspended);
      expect(await destinationsOf('shared')).toEqual(destinations);
    }

    await server.disableForwarding(second);
    expect(await destinationsOf('shared')).toEqual([]);
    await server.enableForwarding(second);
    expect(await destinationsOf('shared')).toEqual(['second@example.com']);

    await server.rename(second, 'shared-second');
    expect(await destinationsOf('shared')).toEqual([]);
    expect(await server.rename(first, 'shared')).toMatchObject({ status: 200 });
    await server.enableForwarding(first, 'back@example.com');
    expect(await destinationsOf('shared')).toEqual(['back@example.com']);

    expect(await server.forwarding.check()).toEqual([]);
    await server.close();
    await fixture.fake.close();
  },
);
