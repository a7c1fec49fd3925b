import { expect, it } from 'vitest';
import { hasFailingAlias } from '#db/queries/provider-aliases.ts';
import { PROVIDER_ERRORS } from '#server/features/forwarding/forwarding-provider.ts';
import { formatStored } from '#server/platform/text/language.ts';
import { createOperator } from '../support/endpoints.ts';
import { eventually } from '../support/eventually.ts';
import { respondWith } from './fake-provider.ts';
import { type ForwardingApp, startForwardingApp } from './forwarding-app.ts';
import { providerFixtures } from './provider-fixtures.ts';

/** Waits until a pending name has an error. Returns the error and the log. */
async function readFailure(server: ForwardingApp, name: string) {
  const state = await eventually(
    async () => (await server.forwarding.list()).find((item) => item.name === name),
    (value) => value?.last_error != null,
  );
  const error = formatStored(PROVIDER_ERRORS, state?.last_error ?? null);
  return { error, log: JSON.stringify([server.log, server.warnings]) };
}

it.each(Object.keys(providerFixtures))(
  "an address in a provider's error is neither logged nor stored: %s",
  async (provider) => {
    const fixture = await providerFixtures[provider]!();
    const server = await startForwardingApp({ settings: fixture.settings });
    const message = "No <O'Neil+x@Canary.example.com>, o'neil@canary.example.com.";
    fixture.fake.faultFor = () => respondWith(400, { error: message });
    await server.createForwardedAccount('repeated', "o'neil+x@canary.example.com");
    const { error, log } = await readFailure(server, 'repeated');
    expect(error).toBe('The provider responded with 400: No <…>, ….');
    expect(log).toContain('"code":"HTTP_400"');
    expect(log).not.toMatch(/canary\.example\.com/i);
    await server.close();
    await fixture.fake.close();
  },
);

it('an address that must be confirmed is neither logged nor stored, and no failure', async () => {
  const fixture = await providerFixtures['cloudflare']!();
  const server = await startForwardingApp({ settings: fixture.settings });
  await createOperator(server);
  await server.createForwardedAccount('unconfirmed', 'jane@canary.example.com');
  const { error, log } = await readFailure(server, 'unconfirmed');
  expect(error).toBe('Waiting for … to confirm the email from Cloudflare.');
  expect(log).toContain('"name":"unconfirmed"');
  expect(log).toContain('"code":"UNCONFIRMED"');
  expect(log).not.toContain('canary.example.com');
  expect(await hasFailingAlias(server.db)).toBe(false);
  expect(await server.sql`SELECT FROM events WHERE type = 'forwarding_failing'`).toEqual([]);
  await server.close();
  await fixture.fake.close();
});
