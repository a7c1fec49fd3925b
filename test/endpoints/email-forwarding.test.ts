import { beforeEach, expect, it } from 'vitest';
import type { EmailForwardingToggleRequest } from '#client/index.ts';
import { send } from '../support/call.ts';
import { errorText, okBody } from '../support/expected-responses.ts';
import { failWrites } from '../support/fail-writes.ts';
import { statusAndBody } from '../support/status-and-body.ts';
import type { TestAccount } from '../support/test-app.ts';
import { useServer } from '../support/use-server.ts';
import { withTitles } from '../support/with-titles.ts';

const { server } = useServer({ FORWARDING_REFUSED_DOMAINS: ['company.com'] });

const EMAIL = 'jane@example.com';
let nameCount = 0;
let account: Awaited<ReturnType<typeof createNamedAccount>>;
beforeEach(async () => {
  account = await createNamedAccount();
});

async function createNamedAccount(): Promise<TestAccount & { name: string }> {
  nameCount += 1;
  const name = `person-${nameCount}`;
  return { ...(await server.createNamedAccount(name)), name };
}

function toggle({ client }: TestAccount, request: unknown) {
  return statusAndBody(
    client.emailForwarding.emailForwardingToggle(request as EmailForwardingToggleRequest),
  );
}

async function readSettings({ id }: TestAccount) {
  const [settings] =
    await server.sql`SELECT forwarding_enabled AS enabled, forwarding_email AS email
    FROM forwarding_settings WHERE account_id = ${id}`;
  return settings;
}

const enabledSettings = (name: string, email: string) =>
  okBody({
    success: true,
    message: `Mail to ${name}@nameplate.example would go to ${email}, but this server has no mail provider: nothing is forwarded.`,
    enabled: true,
    email,
  });
const disabledSettings = (email: string | null) =>
  okBody({ success: true, message: 'Email forwarding is disabled.', enabled: false, email });
const badRequest = (error: unknown) => ({ status: 400, body: { error } });

it('emailForwardingToggle turns forwarding on and off, and keeps or changes the address meanwhile', async () => {
  const { name } = account;
  const other = 'other@example.com';
  expect(await toggle(account, { enabled: false })).toEqual(disabledSettings(null));
  for (const [request, response] of [
    [{ enabled: true, email: EMAIL }, enabledSettings(name, EMAIL)],
    [{ enabled: false }, disabledSettings(EMAIL)],
    [{ enabled: true }, enabledSettings(name, EMAIL)],
    [{ enabled: true, email: null }, enabledSettings(name, EMAIL)],
    [{ enabled: true, email: other }, enabledSettings(name, other)],
    [{ enabled: false, email: EMAIL }, disabledSettings(EMAIL)],
  ] as const) {
    expect(await toggle(account, request)).toEqual(response);
    const { enabled, email } = response.body;
    expect(await readSettings(account)).toEqual({ enabled, email });
  }
});

it('turning forwarding on needs an address and a display name, and nothing is stored without', async () => {
  const unnamed = await server.createAccount();
  for (const json of [{ enabled: true }, { enabled: true, email: null }])
    expect(await toggle(account, json)).toEqual(
      badRequest('An email is required to enable forwarding.'),
    );
  expect(await toggle(unnamed, { enabled: true, email: EMAIL })).toEqual(
    badRequest('A display name must be set before forwarding is enabled.'),
  );
  expect(await toggle(unnamed, { enabled: false })).toEqual(disabledSettings(null));
  for (const owner of [account, unnamed])
    expect(await readSettings(owner)).toEqual({ enabled: false, email: null });
});

const malformed = `jane @example.com jane@ a@b a@@b.c a@b@c.d a(comment)@x.com a@[127.0.0.1]
    a@x.com,b@y.com =?utf-8?q?a?=@x.com a%y.com@x.com @x.com:a@y.com .a@x.com |id@x.com a..b@x.com
    a@x..com a@-x.com a@x_y.com ä@x.com`.split(/\s+/);
const withSpaces = [' a@b.example', '"a b"@c.d', 'a@x.com\r\nBcc:b@y.com', 'Jane <a@x.com>'];
const longDomains = [`a@${'b'.repeat(64)}.com`, `a@${'b.'.repeat(126)}com`];
const tooLong = [`${'a'.repeat(65)}@x.com`, ...longDomains];
it.each(withTitles([...malformed, ...withSpaces, ...tooLong, '', 1, ['a@x.com']]))(
  'emailForwardingToggle refuses the address $title',
  async ({ value }) => {
    for (const enabled of [true, false])
      expect(await toggle(account, { enabled, email: value })).toEqual(
        badRequest(
          'email must be one plain email address of at most 254 characters, with a domain such as münchen.de as xn--mnchen-3ya.de, or null.',
        ),
      );
    expect(await readSettings(account)).toEqual({ enabled: false, email: null });
  },
);

it.each([
  'User+tag@Example.com',
  "o'neill_x-y.z@mail.example.co.uk",
  'a@xn--mnchen-3ya.com',
  '1@2.com',
  'a-b/c|d@x.com',
  // Domains that only look internal.
  'a@local.com',
  'a@mycompany.com',
  'a@company.com.br',
  `${'a'.repeat(64)}@${`${'b'.repeat(60)}.`.repeat(3)}museum`.slice(0, 254),
])('emailForwardingToggle accepts the address %s unchanged', async (email) => {
  expect(await toggle(account, { enabled: true, email })).toEqual(
    enabledSettings(account.name, email),
  );
  expect(await readSettings(account)).toEqual({ enabled: true, email });
});

it('emailForwardingToggle refuses an address at the mail domain itself: a loop', async () => {
  for (const [email, domain] of [
    [`${account.name}@nameplate.example`, 'nameplate.example'],
    ['Anybody@NamePlate.Example', 'nameplate.example'],
    ['a@sub.NamePlate.example', 'sub.nameplate.example'],
  ])
    for (const enabled of [true, false])
      expect(await toggle(account, { enabled, email })).toEqual(
        badRequest(`Addresses at ${domain} belong to this server. Use another one.`),
      );
  const similarDomain = 'a@nameplate.example.com';
  expect(await toggle(account, { enabled: true, email: similarDomain })).toEqual(
    enabledSettings(account.name, similarDomain),
  );
});

it.each([
  ['a@nameplate.example', 'forwardingLoop'],
  ['a@b.test', 'forwardingAddressNotAllowed'],
])('the code for a forwarding address %s says why it is refused', async (email, code) => {
  const request = account.client.emailForwarding.emailForwardingToggle({ enabled: true, email });
  await expect(request).rejects.toMatchObject({ status: 400, code, field: 'email' });
});

const internal = `root@localhost.localdomain all-staff@corp.internal a@10.in-addr.arpa
    a@router.home.arpa a@router.LAN a@printer.local a@b.localhost a@b.test a@b.invalid
    a@not-nameplate.example a@b.onion`.split(/\s+/);
it.each(internal)('emailForwardingToggle refuses the internal address %s', async (email) => {
  const ending = email.toLowerCase().split('.').at(-1);
  for (const enabled of [true, false])
    expect(await toggle(account, { enabled, email })).toEqual(
      badRequest(`Addresses that end in .${ending} do not exist on the internet.`),
    );
  expect(await readSettings(account)).toEqual({ enabled: false, email: null });
});

it('emailForwardingToggle refuses a stored address if the operator has excluded its domain since', async () => {
  await server.sql`UPDATE forwarding_settings SET forwarding_email = 'a@company.com'
      WHERE account_id = ${account.id}`;
  expect(await toggle(account, { enabled: true })).toEqual(
    badRequest('The operator of this server excludes addresses at company.com.'),
  );
  const email = 'a@partner.Company.com';
  expect(await toggle(account, { enabled: false, email })).toEqual(
    badRequest('The operator of this server excludes addresses at partner.company.com.'),
  );
  expect(await toggle(account, { enabled: false })).toEqual(disabledSettings('a@company.com'));
});

it('emailForwardingToggle responds with 404 when the settings row is missing', async () => {
  await server.sql`DELETE FROM forwarding_settings
      WHERE account_id = ${account.id}`;
  for (const enabled of [true, false])
    expect(await toggle(account, { enabled, email: EMAIL })).toEqual(
      errorText(404, 'The profile could not be found; the session may be stale.'),
    );
});

it('emailForwardingToggle responds with 500 when the database fails, and changes nothing', async () => {
  await toggle(account, { enabled: true, email: EMAIL });
  const stopFailing = await failWrites(server.db, 'UPDATE forwarding_settings', account.id);
  expect(await toggle(account, { enabled: false, email: 'b@example.com' })).toEqual(
    errorText(500, 'Email forwarding could not be updated.'),
  );
  await stopFailing();
  expect(await readSettings(account)).toEqual({ enabled: true, email: EMAIL });
});

it('a change of the display name removes the address from stored responses, and a retry does nothing', async () => {
  const other = await createNamedAccount();
  const enableForwarding = (owner: TestAccount) =>
    send(
      server,
      owner,
      'POST /email-forwarding/email-forwarding-toggle',
      { enabled: true, email: EMAIL },
      { 'idempotency-key': 'turn-on' },
    );
  const countStoredResponses = async ({ id }: TestAccount) => {
    // Near midnight, a response can be stored once for each day.
    const rows = await server.sql`SELECT DISTINCT key FROM idempotency_keys AS stored
      WHERE account_id = ${id} AND strpos(to_jsonb(stored)::text, ${EMAIL}) > 0`;
    return rows.length;
  };
  for (const owner of [account, other])
    expect(await enableForwarding(owner)).toMatchObject({ status: 200 });
  expect([await countStoredResponses(account), await countStoredResponses(other)]).toEqual([1, 1]);
  await account.client.account.updateDisplayName({ display_name: `${account.name}-new` });
  expect([await countStoredResponses(account), await countStoredResponses(other)]).toEqual([0, 1]);
  expect(await enableForwarding(account)).toMatchObject({
    status: 200,
    headers: { 'idempotent-replayed': 'true' },
    body: {
      success: true,
      message: 'Email forwarding was disabled afterwards, by a change of the display name.',
      enabled: false,
      email: null,
    },
  });
  expect(await readSettings(account)).toEqual({ enabled: false, email: null });
  expect(await enableForwarding(other)).toMatchObject({ body: { enabled: true, email: EMAIL } });
});

it.each([
  ['display_names', 'INSERT'],
  ['forwarding_settings', 'UPDATE'],
  ['events', 'INSERT'],
] as const)(
  'a change of the display name that fails at %s leaves the name and forwarding unchanged',
  async (table, operation) => {
    await toggle(account, { enabled: true, email: EMAIL });
    const stopFailing = await failWrites(server.db, `${operation} ${table}`, account.id);
    expect(
      await send(server, account, 'POST /account/update-display-name', {
        display_name: `${account.name}-new`,
      }),
    ).toMatchObject({ status: 500, body: { error: 'The display name could not be updated.' } });
    await stopFailing();
    expect(await account.client.account.getDisplayName()).toEqual({ display_name: account.name });
    expect(await readSettings(account)).toEqual({ enabled: true, email: EMAIL });
    await server.createNamedAccount(`${account.name}-new`);
  },
);
