import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseDisplayName } from '#server/features/names/display-name.ts';
import { createReservedNameCheck } from '#server/features/names/reserved-names.ts';
import { errorText } from '../support/expected-responses.ts';
import { statusAndBody } from '../support/status-and-body.ts';
import type { TestAccount } from '../support/test-app.ts';
import { useServer } from '../support/use-server.ts';

const { server, account } = useServer({ account: 'per test' });

async function rename({ client }: TestAccount, displayName: unknown) {
  const request = { display_name: displayName as string };
  const { status, body } = await statusAndBody(client.account.updateDisplayName(request));
  return { status, body: body as { error: string; message: string } };
}

let counter = 0;
function createUnusedName(): string {
  counter += 1;
  return `fresh-${counter}`;
}

function readSuggestion(input: string, isReserved: (name: string) => boolean): string | undefined {
  try {
    parseDisplayName(input, isReserved);
    return undefined;
  } catch (error) {
    return /How about (.+)\?$/.exec((error as Error).message)?.[1];
  }
}

it('getDisplayName returns an empty string before a name was ever set, even without settings', async () => {
  const { id, client } = account;
  expect(await client.account.getDisplayName()).toEqual({ display_name: '' });
  await server.sql`DELETE FROM forwarding_settings WHERE account_id = ${id}`;
  expect(await client.account.getDisplayName()).toEqual({ display_name: '' });
});

it.each([
  ['Jane Doe', 'jane-doe'],
  ['JANET', 'janet'],
  ['My New Name!', 'my-new-name'],
  ['a_b.c', 'abc'],
  ['jane@evil', 'janeevil'],
  ['abc\r\nBcc: x@y', 'abc-bcc-xy'],
  ['  padded \t name  ', 'padded-name'],
  ['a--b', 'a--b'],
  ['he❤️arts', 'hearts'],
  ['x'.repeat(63), 'x'.repeat(63)],
  [`${' '.repeat(300)}far right`, 'far-right'],
  [`far${' '.repeat(1_000_000)}apart`, 'far-apart'],
  [`long${'!'.repeat(1_000_000)}pause`, 'longpause'],
])('updateDisplayName sanitizes %.20j to %j', async (input, expected) => {
  const { client } = account;
  const response = await rename(account, input);
  expect(response.status).toBe(200);
  expect(await client.account.getDisplayName()).toEqual({ display_name: expected });
});

const MISSING = 'A display name is required (display_name).';
const NO_TEXT = 'A display name is required: display_name must be a string.';
const SHORT = /at least 3 characters/;
it.each<[unknown, string | RegExp]>([
  [null, NO_TEXT],
  [{}, NO_TEXT],
  [undefined, MISSING],
  ['\t\n', MISSING],
  ...['ab', 'a!', '😀😀😀', 'ａｄｍｉｎ', '---', '-a-', '-ab', 'é é é'].map(
    (name): [string, RegExp] => [name, SHORT],
  ),
])('updateDisplayName refuses %j: %s', async (input, error) => {
  expect(await rename(await server.createAccount(), input)).toEqual(
    errorText(400, typeof error === 'string' ? error : expect.stringMatching(error)),
  );
});

const invalidNames =
  `José Andre\u0301 Straße Жanna Ⓐlpha 🅱etas 🄶amma ⒟elta 🄔psil -abd- xn--abe xn--a xn--xn--
    abc1٣ -admin-`.split(/\s+/);
const tooLong = ['q'.repeat(64), 'ab '.repeat(40), 'y'.repeat(10_000), 'z'.repeat(900_000)];
it.each([...invalidNames, ...tooLong, '❤️ hearts ❤️ inside', `w${'-'.repeat(1_000_000)}b`])(
  'updateDisplayName refuses the invalid name %.20j with a suggestion that is accepted',
  async (input) => {
    const response = await rename(account, input);
    expect(response.status).toBe(400);
    const suggestion = /^The display name is not valid\. How about ([a-z0-9-]+)\?$/.exec(
      response.body.error,
    )?.[1];
    expect(await rename(account, suggestion)).toMatchObject({ status: 200 });
  },
);

it('updateDisplayName suggests only names that are accepted', () => {
  const isReserved = createReservedNameCheck({ RESERVED_NAMES: [], MAIL_DOMAIN: 'example.org' });
  const character = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('ädmin', 'námeplate', 'sécurity', 'xn--', '-', '٣', '12', 'ß', ' '),
  );
  fc.assert(
    fc.property(fc.array(character, { maxLength: 5 }), (parts) => {
      const suggestion = readSuggestion(parts.join(''), isReserved);
      if (suggestion !== undefined)
        expect(parseDisplayName(suggestion, isReserved)).toBe(suggestion);
    }),
    { numRuns: 2_000 },
  );
});

it.each([
  ['José Doe', 'jose-doe'],
  ['Jörg (Kassenwart) 🤾', 'joerg-kassenwart'],
  ['Jane Döe', 'jane-doee'],
  ['Straße', 'strasse'],
  ['Łódź Ærøskøbing', 'lodz-aeroskobing'],
  ['Жanna B', 'anna-b'],
])('updateDisplayName keeps the letters of %j in the suggestion: %s', async (input, suggestion) => {
  expect(await rename(account, input)).toEqual(
    errorText(400, `The display name is not valid. How about ${suggestion}?`),
  );
});

it("updateDisplayName accepts the account's current name, and still disables forwarding", async () => {
  const { client } = account;
  const name = createUnusedName();
  // The specification wants this sentence, whether or not there was forwarding.
  const body = {
    success: true,
    message: `The display name was updated to ${name}. Email forwarding was disabled and can be re-enabled via the API or dashboard.`,
  };
  expect(await rename(account, name)).toEqual({ status: 200, body });
  await client.emailForwarding.emailForwardingToggle({ enabled: true, email: 'a@example.com' });
  expect(await rename(account, name)).toEqual({ status: 200, body });
  await expect(client.emailForwarding.emailForwardingToggle({ enabled: true })).rejects.toThrow(
    'An email is required',
  );
});

it('updateDisplayName responds with 409 for a taken name even when the settings row is missing', async () => {
  const [a, b] = [await server.createAccount(), await server.createAccount()];
  const name = createUnusedName();
  await rename(a, name);
  await server.sql`DELETE FROM forwarding_settings
      WHERE account_id = ${b.id}`;
  expect(await rename(b, name)).toMatchObject({ status: 409 });
});

it('updateDisplayName logs one event for a change and none for a refusal or the current name', async () => {
  const [first, second] = [createUnusedName(), createUnusedName()];
  for (const name of [first, second, second, 'admin']) await rename(account, name);
  const events = await server.sql`SELECT type, outcome, detail FROM events
      WHERE account_id = ${account.id} ORDER BY created_at`;
  const by = account.key.split('.')[0];
  const event = { type: 'display_name_updated', outcome: 'succeeded' };
  expect(events).toEqual([
    { ...event, detail: { from: null, to: first, by } },
    { ...event, detail: { from: first, to: second, by } },
  ]);
  const { emailForwarding } = account.client;
  await emailForwarding.emailForwardingToggle({ enabled: true, email: 'a@example.com' });
  await rename(account, second);
  const { events: latest } = await account.owner.events.listEvents({ limit: 1 });
  expect(latest).toMatchObject([{ type: 'forwarding_updated', detail: { enabled: false } }]);
  await emailForwarding.emailForwardingToggle({ enabled: true, email: 'a@example.com' });
  await rename(account, createUnusedName());
  const { events: both } = await account.owner.events.listEvents({ limit: 2 });
  expect(both).toMatchObject([
    { type: 'display_name_updated' },
    { type: 'forwarding_updated', detail: { enabled: true } },
  ]);
});

it('a name that had mail is not free until the alias is confirmed as deleted, however long that takes', async () => {
  const name = createUnusedName();
  await rename(account, name);
  const settings = { enabled: true, email: 'a@example.com' };
  await account.client.emailForwarding.emailForwardingToggle(settings);
  await rename(account, createUnusedName());
  await server.sql`UPDATE display_names
    SET released_at = now() - interval '400 days', alias_removed_at = NULL WHERE name = ${name}`;
  expect(await rename(await server.createAccount(), name)).toMatchObject({ status: 409 });
  expect(await rename(account, name)).toMatchObject({ status: 200 });
});

it.each([
  ['that had mail', ['rename', 'forward']],
  ['whose page was visible while it was left', ['rename', 'toggle']],
  ['whose page was visible since before it was taken', ['toggle', 'rename']],
  ['whose page was visible and hidden again', ['toggle', 'rename', 'toggle']],
])('a name %s is in quarantine for others until the days have passed', async (_when, actions) => {
  const otherAccount = await server.createAccount();
  const { site, emailForwarding } = account.client;
  const name = createUnusedName();
  for (const action of actions)
    if (action === 'rename') await rename(account, name);
    else if (action === 'toggle') await site.toggleSiteVisibility();
    else await emailForwarding.emailForwardingToggle({ enabled: true, email: 'a@example.com' });
  await rename(account, createUnusedName());
  expect(await rename(otherAccount, name)).toMatchObject({ status: 409 });
  expect(await rename(account, name)).toMatchObject({ status: 200 });
  await rename(account, createUnusedName());
  expect(await rename(otherAccount, name)).toMatchObject({ status: 409 });
  for (const [days, status] of [
    [29, 409],
    [31, 200],
  ] as const) {
    // A name without mail does not wait for an alias.
    await server.sql`UPDATE display_names SET released_at = now() - ${days} * interval '1 day',
      alias_removed_at = CASE WHEN was_forwarded THEN alias_removed_at END WHERE name = ${name}`;
    expect(await rename(otherAccount, name)).toMatchObject({ status });
  }
  // The name is free at once, because the new owner's page was never visible.
  await rename(otherAccount, createUnusedName());
  expect(await rename(account, name)).toMatchObject({ status: 200 });
});
