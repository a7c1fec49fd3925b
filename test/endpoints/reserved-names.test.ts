import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reservedNames, ROUTED_SEGMENTS } from '../../server/service/names/reserved-names.ts';
import { post } from '../support/checked-call.ts';
import { type TestAccount, type TestApp, startTestApp } from '../support/test-app.ts';
import { openTestDatabase, type TestDatabase } from '../support/test-database.ts';

let database: TestDatabase;
let server: TestApp;
/** Names are free again at once, and one more is reserved. */
let relaxed: TestApp;
beforeAll(async () => {
  database = await openTestDatabase();
  server = await startTestApp({}, database);
  const isReserved = reservedNames(['My-Company', 'brand_name']);
  relaxed = await startTestApp({ quarantineDays: 0, isReserved }, database);
});
afterAll(async () => {
  await Promise.all([server.app.close(), relaxed.app.close()]);
  await database.close();
});

function rename({ app }: TestApp, { key }: TestAccount, name: string) {
  const json = { display_name: name };
  return post(app, { path: '/account/update-display-name', key, json });
}

describe('reserved names', () => {
  it('include every first segment of a path that the server answers', async () => {
    // A path at the top of the printed tree; what lies below it has the same first segment.
    const printed = server.app.printRoutes({ commonPrefix: false });
    const segments = [...printed.matchAll(/^[├└]── \/([\w.-]+)/gm)].map(([, segment]) => segment!);
    expect(segments).toContain('account');
    expect(segments).toContain('healthz');
    expect(ROUTED_SEGMENTS).toEqual(expect.arrayContaining([...new Set(segments)]));
    const account = await server.createAccount();
    for (const segment of segments)
      expect([segment, (await rename(server, account, segment)).status]).toEqual([segment, 409]);
  });

  it('are compared with and without hyphens, and the operator can add to them', async () => {
    const account = await relaxed.createAccount();
    for (const name of [
      'my-company',
      'MyCompany',
      'm y company',
      'Brand Name',
      'brandname',
      'ad-min',
    ])
      expect(await rename(relaxed, account, name)).toEqual({
        status: 409,
        body: { error: expect.stringMatching(/^The display name [a-z-]+ is not available\.$/) },
      });
    expect(await rename(server, account, 'my-company')).toMatchObject({ status: 200 });
  });
});

describe('a name that had mail', () => {
  it('is free at once without quarantine days, as soon as its alias is gone', async () => {
    const [a, b] = [await relaxed.createAccount(), await relaxed.createAccount()];
    await rename(relaxed, a, 'short-lived');
    await a.client.emailForwarding.emailForwardingToggle({ enabled: true, email: 'a@example.com' });
    await rename(relaxed, a, 'short-lived-too');
    expect(await rename(server, b, 'short-lived')).toMatchObject({ status: 409 });
    expect(await rename(relaxed, b, 'short-lived')).toMatchObject({ status: 200 });
  });
});
