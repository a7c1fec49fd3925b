import { afterAll, beforeAll, expect, it } from 'vitest';
import { createReservedNameCheck, ROUTE_SEGMENTS } from '#server/features/names/reserved-names.ts';
import { send } from '../support/call.ts';
import { errorText } from '../support/expected-responses.ts';
import { type TestAccount, type TestApp, startTestApp } from '../support/test-app.ts';
import { useServer } from '../support/use-server.ts';

const { server, account } = useServer({ account: 'per test' });
/** Has no quarantine, and reserves more names. */
let serverWithoutQuarantine: TestApp;
beforeAll(async () => {
  const names = { RESERVED_NAMES: ['My-Company', 'brand_name'], MAIL_DOMAIN: 'letters.example' };
  const isReserved = createReservedNameCheck(names);
  const options = { NAME_QUARANTINE_DAYS: 0, names: { isReserved } };
  serverWithoutQuarantine = await startTestApp(options, server.database);
});
afterAll(() => serverWithoutQuarantine.app.close());

/** Looks like the id of an alias at a forwarding provider. */
const ALIAS_ID = '65a0c0ffee65a0c0ffee65a0';

async function rename(app: TestApp, owner: TestAccount, name: string) {
  const json = { display_name: name };
  const { status, body } = await send(app, owner, 'POST /account/update-display-name', json);
  return { status, body };
}

it('reserved names include the first segment of every path of the server', async () => {
  // Top-level paths of the printed route tree are enough: nested ones have the same first segment.
  const printedRoutes = server.app.printRoutes({ commonPrefix: false });
  const segments = [...printedRoutes.matchAll(/^ {4}[├└]── ([\w.-]+)/gm)]
    .map(([, name]) => name!)
    // Names of files cannot be display names.
    .filter((name) => !name.includes('.', 1));
  expect(segments).toContain('account');
  expect(segments).toContain('healthz');
  expect(ROUTE_SEGMENTS).toEqual(expect.arrayContaining([...new Set(segments)]));
  for (const segment of segments)
    expect([segment, (await rename(server, account, segment)).status]).toEqual([segment, 409]);
});

it('reserved names are compared with and without hyphens, and the operator can add more', async () => {
  for (const name of ['my-company', 'm y company', 'Brand Name', 'ad-min'])
    expect(await rename(serverWithoutQuarantine, account, name)).toEqual(
      errorText(409, expect.stringMatching(/^The display name [a-z-]+ is not available\.$/)),
    );
  expect(await rename(server, account, 'my-company')).toMatchObject({ status: 200 });
});

it.each([
  ['mailboxes and roles', ['sslmaster', 'dmarc-reports', 'tlsrpt', 'mailman', 'ceo', 'verify'], []],
  [
    'names that begin or end with a role, but not words that contain one',
    ['admin-team', 'support-2', 'the-admin', 'officialnameplate', 'operators'],
    ['adminton', 'supporters', 'the-admin-team', 'plates'],
  ],
  [
    "names similar to mail roles or the service's name",
    ['adm1n', '1nf0', 'hostmaster', 'narneplate', 'n4meplate', '4dmin'],
    [],
  ],
  [
    'names that a forwarding provider could mistake for an alias id',
    [ALIAS_ID],
    [`${ALIAS_ID}1`, ALIAS_ID.slice(1), `${ALIAS_ID.slice(1)}g`],
  ],
])('reserved names include %s', async (_what, reserved, free) => {
  for (const name of [...reserved, ...free])
    expect([name, (await rename(server, account, name)).status]).toEqual([
      name,
      reserved.includes(name) ? 409 : 200,
    ]);
});

it('reserved names include the first label of the mail domain', async () => {
  expect(await rename(serverWithoutQuarantine, account, 'Letters')).toMatchObject({ status: 409 });
  expect(await rename(server, account, 'Letters')).toMatchObject({ status: 200 });
});

it('reserved names include no ordinary names and words', () => {
  const isReserved = createReservedNameCheck({ RESERVED_NAMES: [], MAIL_DOMAIN: 'example.org' });
  const ordinaryNames = `mall anna-10 route-101 marne verne bernie arno corner modern journal world
      arnold vivian savvy ali lia allison william jill silas elias tobias salim sail sales-alert
      milly lilly emil nina jan-4 team-7 class-of-1984 3d-print 4x4-club 7even lena-hoffmann
      mia-sophie bakery-north priya jose chloe zoe ines admiral operetta
      cooperator opera supper sponsor lance fox-news-fan hans-peter plate nancy tina rosa karl`.split(
    /\s+/,
  );
  expect(ordinaryNames.filter(isReserved)).toEqual([]);
});

it('a name that had mail is free without quarantine as soon as its alias is deleted', async () => {
  const a = await serverWithoutQuarantine.createNamedAccount('short-lived');
  const b = await serverWithoutQuarantine.createAccount();
  await a.client.emailForwarding.emailForwardingToggle({ enabled: true, email: 'a@example.com' });
  await rename(serverWithoutQuarantine, a, 'short-lived-too');
  expect(await rename(server, b, 'short-lived')).toMatchObject({ status: 409 });
  expect(await rename(serverWithoutQuarantine, b, 'short-lived')).toMatchObject({ status: 200 });
});
