import { expect, it } from 'vitest';
import { useFakeProvider } from '../forwarding/use-forwarding.ts';
import { send } from '../support/call.ts';
import { eventually } from '../support/eventually.ts';
import { type TestAccount, type TestApp, openTestApp } from '../support/test-app.ts';

const { server, fake } = await useFakeProvider();

async function readForwarding(app: TestApp, account: TestAccount): Promise<unknown> {
  const { status, body } = await send(app, account, 'GET /owner/forwarding/get-forwarding');
  expect(status).toBe(200);
  return body;
}

const NO_FORWARDING = {
  ...{ forwarding_email: null, available: true, enabled: false, email: null, confirmed: null },
  ...{ login_email: null, provider_email: null, stage: null, attempts: 0 },
  ...{ last_error: null, next_try_at: null, pending_email: null, pending_expires_at: null },
  group_addresses: [],
};

it("get-forwarding returns the account's requested settings and what the provider has", async () => {
  const otherAccount = await server.createAccount();
  const account = await server.createForwardedAccount('jane-doe', 'jane@example.com');
  await server.waitUntilSynced();
  expect(await readForwarding(server, account)).toEqual({
    ...NO_FORWARDING,
    forwarding_email: 'jane-doe@nameplate.example',
    enabled: true,
    email: 'jane@example.com',
    provider_email: 'jane@example.com',
    stage: 'settled',
  });
  expect(await readForwarding(server, otherAccount)).toEqual(NO_FORWARDING);
  await server.rename(otherAccount, 'joe-bloggs');
  expect(await readForwarding(server, otherAccount)).toEqual({
    ...NO_FORWARDING,
    forwarding_email: 'joe-bloggs@nameplate.example',
  });
});

it('get-forwarding returns the last error and the time of the next attempt', async () => {
  fake.faultFor = () => ({ kind: 'respond', response: { status: 403, body: { error: 'No.' } } });
  const account = await server.createForwardedAccount('in-trouble', 'trouble@example.com');
  const value = await eventually(
    () => readForwarding(server, account),
    // The job is rescheduled just after the error is stored.
    (body) => (body as { next_try_at: string | null }).next_try_at !== null,
  );
  expect(value).toEqual({
    ...NO_FORWARDING,
    ...{
      forwarding_email: 'in-trouble@nameplate.example',
      enabled: true,
      email: 'trouble@example.com',
    },
    ...{ stage: 'waiting', attempts: expect.any(Number) },
    last_error: expect.stringContaining('403'),
    next_try_at: expect.stringMatching(/^\d{4}-.*Z$/),
  });
  fake.faultFor = () => undefined;
  await server.waitUntilSynced();
  expect(await readForwarding(server, account)).toMatchObject({ stage: 'settled', attempts: 0 });
});

it('get-forwarding reports that the server has no forwarding provider', async () => {
  const serverWithoutProvider = await openTestApp();
  const account = await serverWithoutProvider.createNamedAccount('jane-doe');
  const settings = { enabled: true, email: 'jane@example.org' };
  await account.client.emailForwarding.emailForwardingToggle(settings);
  expect(await readForwarding(serverWithoutProvider, account)).toEqual({
    ...NO_FORWARDING,
    ...settings,
    forwarding_email: 'jane-doe@nameplate.example',
    available: false,
    stage: 'no provider',
  });
});
