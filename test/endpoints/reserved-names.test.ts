import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReservedNameCheck, ROUTE_SEGMENTS } from '#server/features/names/reserved-names.ts';
import { send } from '../support/call.ts';
import { type TestAccount, type TestApp, startTestApp } from '../support/test-app.ts';
import { openTestDatabase, type TestDatabase } from '../support/test-database.ts';

let database: TestDatabase;
let server: TestApp;
/** Has no quarantine, and reserves more names. */
let serverWithoutQuarantine: TestApp;
beforeAll(async () => {
  database = await openTestDatabase();
  server = await startTestApp({}, database);
  const isReserved = createReservedNameCheck({
    RESERVED_NAMES: ['My-Company', 'brand_name'],
    MAIL_DOMAIN: 'letters.example',
  });
  serverWithoutQuarantine = await startTestApp({ NAME_QUARANTINE_DAYS: 0, isReserved }, database);
});
afterAll(async () => {
  await Promise.all([server.app.close(), serverWithoutQuarantine.app.close()]);
  await database.close();
});

async function rename(app: TestApp, account: TestAccount, name: string) {
  const json = { display_name: name };
  const { status, body } = await send(app, account, 'POST /account/update-display-name', json);
  return { status, body };
}

describe('reserved names', () => {
  it('include the first segment of every path of the server', async () => {
    // Top-level paths of the printed route tree are enough: nested ones have the same first segment.
    const printedRoutes = server.app.printRoutes({ commonPrefix: false });
    const segments = [...printedRoutes.matchAll(/^ {4}[├└]── ([\w.-]+)/gm)].map(
      ([, segment]) => segment!,
    );
    expect(segments).toContain('account');
    expect(segments).toContain('healthz');
    expect(ROUTE_SEGMENTS).toEqual(expect.arrayContaining([...new Set(segments)]));
    const account = await server.createAccount();
    for (const segment of segments)
      expect([segment, (await rename(server, account, segment)).status]).toEqual([segment, 409]);
  });

  it('are compared with and without hyphens, and the operator can add more', async () => {
    const account = await serverWithoutQuarantine.createAccount();
    for (const name of ['my-company', 'm y company', 'Brand Name', 'ad-min'])
      expect(await rename(serverWithoutQuarantine, account, name)).toEqual({
        status: 409,
        body: { error: expect.stringMatching(/^The display name [a-z-]+ is not available\.$/) },
      });
    expect(await rename(server, account, 'my-company')).toMatchObject({ status: 200 });
  });

  it('include trusted mailboxes and roles', async () => {
    const account = await server.createAccount();
    for (const name of ['sslmaster', 'dmarc-reports', 'tlsrpt', 'mailman', 'ceo', 'verify'])
      expect([name, (await rename(server, account, name)).status]).toEqual([name, 409]);
  });

  it('include the first label of the mail domain', async () => {
    const account = await serverWithoutQuarantine.createAccount();
    expect(await rename(serverWithoutQuarantine, account, 'Letters')).toMatchObject({
      status: 409,
    });
    expect(await rename(server, account, 'Letters')).toMatchObject({ status: 200 });
  });

  it('include names that begin or end with a role, but not words that contain one', async () => {
    const account = await server.createAccount();
    for (const name of ['admin-team', 'support-2', 'the-admin', 'officialnameplate', 'operators'])
      expect([name, (await rename(server, account, name)).status]).toEqual([name, 409]);
    for (const name of ['adminton', 'supporters', 'the-admin-team', 'plates'])
      expect([name, (await rename(server, account, name)).status]).toEqual([name, 200]);
  });

  it("include names similar to mail roles or the service's name", async () => {
    const account = await server.createAccount();
    for (const name of ['adm1n', '1nf0', 'hostmaster', 'narneplate', 'n4meplate', '4dmin'])
      expect([name, (await rename(server, account, name)).status]).toEqual([name, 409]);
  });

  it('include no ordinary names and words', () => {
    const isReserved = createReservedNameCheck({ RESERVED_NAMES: [], MAIL_DOMAIN: 'example.org' });
    const ordinaryNames =
      `mall anna-10 route-101 marne verne bernie arno corner modern journal world
      arnold vivian savvy ali lia allison william jill silas elias tobias salim sail sales-alert
      milly lilly emil nina jan-4 team-7 class-of-1984 3d-print 4x4-club 7even lena-hoffmann
      mia-sophie bakery-north priya jose chloe zoe ines admiral operetta
      cooperator opera supper sponsor lance fox-news-fan hans-peter plate nancy tina rosa karl`.split(
        /\s+/,
      );
    expect(ordinaryNames.filter(isReserved)).toEqual([]);
  });

  it('include names that a forwarding provider could mistake for an alias id', async () => {
    const account = await server.createAccount();
    const id = '65a0c0ffee65a0c0ffee65a0';
    expect(await rename(server, account, id)).toEqual({
      status: 409,
      body: { error: `The display name ${id} is not available.` },
    });
    for (const name of [`${id}1`, id.slice(1), `${id.slice(1)}g`])
      expect([name, (await rename(server, account, name)).status]).toEqual([name, 200]);
  });
});

describe('a name that had mail', () => {
  it('is free without quarantine as soon as its alias is deleted', async () => {
    const [a, b] = [
      await serverWithoutQuarantine.createAccount(),
      await serverWithoutQuarantine.createAccount(),
    ];
    await rename(serverWithoutQuarantine, a, 'short-lived');
    await a.client.emailForwarding.emailForwardingToggle({ enabled: true, email: 'a@example.com' });
    await rename(serverWithoutQuarantine, a, 'short-lived-too');
    expect(await rename(server, b, 'short-lived')).toMatchObject({ status: 409 });
    expect(await rename(serverWithoutQuarantine, b, 'short-lived')).toMatchObject({ status: 200 });
  });
});
