import { expect, it } from 'vitest';
import { send } from '../support/call.ts';
import { okBody } from '../support/expected-responses.ts';
import { type TestAccount, openTestApp } from '../support/test-app.ts';
import { useServer } from '../support/use-server.ts';

const TOGGLE = 'POST /email-forwarding/email-forwarding-toggle';

const { server, account } = useServer({ account: 'per test', TRUST_ACCOUNTS: 'false' });

async function recordDestination(index: number, headers = {}, owner: TestAccount = account) {
  const json = { enabled: false, email: `${index}@example.com` };
  const response = await send(server, owner, TOGGLE, json, headers);
  const { status, body } = response;
  return { status, body, retryAfter: Number(response.headers['retry-after'] ?? 0) };
}

const successResponse = (index: number) => {
  const email = `${index}@example.com`;
  const message = 'Email forwarding is disabled.';
  return { ...okBody({ success: true, message, enabled: false, email }), retryAfter: 0 };
};
const tooManyMails = (retryText: string) => ({
  status: 429,
  body: {
    error: `Too many new addresses or confirmations within a day. Try again in ${retryText}.`,
  },
  retryAfter: expect.any(Number) as number,
});

async function ageDestinations({ id }: TestAccount, hours: number): Promise<void> {
  await server.sql`UPDATE forwarding_destinations SET added_at = added_at - ${hours} * interval '1 hour'
    WHERE account_id = ${id}`;
}

it('the forwarding addresses of an account are limited to five a day, and choosing one again does not count', async () => {
  const otherAccount = await server.createAccount();
  for (const index of [1, 2, 3, 4, 5, 1, 2, 3])
    expect(await recordDestination(index)).toEqual(successResponse(index));
  const headers = { 'idempotency-key': 'sixth' };
  const refused = await recordDestination(6, headers);
  expect(refused).toEqual(tooManyMails('24 hours'));
  expect(refused.retryAfter).toBeGreaterThan(86_000);
  expect(await recordDestination(1)).toEqual(successResponse(1));
  expect(await recordDestination(6, {}, otherAccount)).toEqual(successResponse(6));
  // A refusal does not use up the key.
  await ageDestinations(account, 24);
  expect(await recordDestination(6, headers)).toEqual(successResponse(6));
});

it('the forwarding addresses of an account are counted for a day each, even if the display name changes', async () => {
  await recordDestination(1);
  await ageDestinations(account, 12);
  for (const index of [2, 3, 4, 5]) await recordDestination(index);
  await account.client.account.updateDisplayName({ display_name: 'of-one-day' });
  expect(await recordDestination(6)).toEqual(tooManyMails('12 hours'));
  await ageDestinations(account, 12);
  expect(await recordDestination(6)).toEqual(successResponse(6));
  expect(await recordDestination(1)).toEqual(tooManyMails('12 hours'));
});

it('the forwarding addresses of an account are stored only as hashes', async () => {
  await recordDestination(1);
  await account.client.account.updateDisplayName({ display_name: 'forgotten' });
  const rows = await server.db.selectFrom('forwarding_destinations').selectAll().execute();
  expect(Buffer.from(rows.at(-1)!.address_hash)).toHaveLength(32);
  expect(JSON.stringify(rows)).not.toContain('example.com');
});

it('confirmations have a limit for all accounts together, beyond which requests change nothing', async () => {
  const limitedServer = await openTestApp({ mailEnabled: true, UNCONFIRMED_MAILS_PER_HOUR: 1 });
  const enableForwarding = async (name: string) => {
    const owner = await limitedServer.createNamedAccount(name);
    const json = { enabled: true, email: `${name}@example.com` };
    const { status, headers } = await send(limitedServer, owner, TOGGLE, json);
    return { owner, responseSummary: [status, headers['x-error-code']] };
  };
  expect((await enableForwarding('jane-doe')).responseSummary).toEqual([200, undefined]);
  // Counts the mail in the current hour, in case the hour has changed since.
  await limitedServer.sql`UPDATE unconfirmed_mails SET hour = date_trunc('hour', now())`;
  const { owner, responseSummary } = await enableForwarding('john-doe');
  expect(responseSummary).toEqual([503, 'mailLimitReached']);
  const rows =
    await limitedServer.sql`SELECT forwarding_email, forwarding_enabled FROM forwarding_settings
    WHERE account_id = ${owner.id}`;
  expect(rows).toEqual([{ forwarding_email: null, forwarding_enabled: false }]);
});
