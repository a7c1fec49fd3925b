import { describe, expect, it } from 'vitest';
import { call } from '../support/call.ts';
import { errorCode } from '../support/expected-responses.ts';
import { setSuspended } from '../support/suspend.ts';
import { useSignOn } from './support/use-sign-on.ts';

const fixture = useSignOn();
const { createBrowser, createUser, getSession, sessionHeaders } = fixture;

async function readDisplayName(browser: ReturnType<typeof createBrowser>): Promise<unknown> {
  const path = '/account/get-display-name';
  const { body } = await call(fixture.server.app, { path, headers: sessionHeaders(browser) });
  return (body as { display_name: string }).display_name;
}

it('a first single sign-on creates an account for a member of an allowed group, and later sign-ons find it', async () => {
  const jane = createUser({ groups: ['staff'], preferred_username: 'Jane.Signs@corp.example' });
  const first = createBrowser();
  const page = await first.signOn(jane, '?to=keys%3Fx%3D1');
  expect(page).toMatchObject({ status: 200, headers: { refresh: '0; url=/dashboard/keys?x=1' } });
  expect([...first.cookies.keys()]).toEqual(['__Host-nameplate']);
  const { account_id } = await getSession(first);
  expect(await getSession(first)).toMatchObject({ session: { via: 'oidc' }, login_age: 'fresh' });
  expect(await readDisplayName(first)).toBe('jane-signs');
  const second = createBrowser();
  await second.signOn(jane);
  expect((await getSession(second)).account_id).toBe(account_id);
});

it.each([
  ['a reserved name', 'admin'],
  ['a taken name', 'jane-signs'],
  ['an invalid name', 'Jürgen'],
  ['a name below the minimum length', 'j'],
  ['no name', undefined],
  ['a name that is not a string', ['jane']],
])(
  'a first single sign-on with %s creates an account without a display name',
  async (_title, preferred_username) => {
    const browser = createBrowser();
    await browser.signOn(createUser({ groups: ['staff'], preferred_username }));
    expect(await readDisplayName(browser)).toBe('');
  },
);

it('a first single sign-on of one user in several windows at once creates one account', async () => {
  const jane = createUser();
  const before = await fixture.countAccounts();
  const browsers = Array.from({ length: 5 }, createBrowser);
  await Promise.all(browsers.map((browser) => browser.signOn(jane)));
  const accounts = await Promise.all(browsers.map((window) => getSession(window)));
  expect(new Set(accounts.map(({ account_id }) => account_id)).size).toBe(1);
  expect(await fixture.countAccounts()).toBe(before + 1);
});

it('a first single sign-on never matches an account by email address, verified or not', async () => {
  const owner = createBrowser();
  const email = 'jane@corp.example';
  await owner.signOn(createUser({ email, email_verified: true }));
  const other = createBrowser();
  await other.signOn(createUser({ email, email_verified: true }));
  const sessions = [await getSession(owner), await getSession(other)];
  expect(sessions[0]!.account_id).not.toBe(sessions[1]!.account_id);
});

it('a single sign-on is refused for a suspended account', async () => {
  const jane = createUser();
  const first = createBrowser();
  await first.signOn(jane);
  await setSuspended(fixture.server, (await getSession(first)).account_id);
  const otherBrowser = createBrowser();
  expect(await otherBrowser.signOn(jane)).toMatchObject(errorCode(403, 'signOnSuspended'));
  expect(otherBrowser.cookies.size).toBe(0);
});

it('a single sign-on starts a new session, even if the browser sends a session cookie', async () => {
  const visitor = createBrowser();
  const oldToken = 'A'.repeat(43);
  visitor.cookies.set('__Host-nameplate', oldToken);
  await visitor.signOn(createUser());
  expect(visitor.cookies.get('__Host-nameplate')).not.toBe(oldToken);
});

it('a single sign-on redirects only to the dashboard, and to pages of members', async () => {
  for (const to of ['/@jane-doe', '/members'])
    expect(
      await createBrowser().signOn(createUser(), `?to=${encodeURIComponent(to)}`),
    ).toMatchObject({ headers: { refresh: `0; url=${to}` } });
  const targets = [
    '//evil.example',
    '/@a\n',
    '/members/x',
    'https://evil.example',
    '../x',
    '/x',
    '\\evil',
    'a\nb',
    '%0d',
  ];
  for (const target of [...targets, 'x'.repeat(501)])
    expect(
      await createBrowser().signOn(createUser(), `?to=${encodeURIComponent(target)}`),
    ).toMatchObject({ headers: { refresh: '0; url=/dashboard/' } });
});

it('a single sign-on cannot be started from another site', async () => {
  for (const site of ['cross-site', 'same-site'])
    expect(
      await createBrowser().open('/dashboard/sign-on', { 'sec-fetch-site': site }),
    ).toMatchObject(errorCode(403, 'signOnFromElsewhere'));
});

it('a single sign-on adds an account event, and logs neither code nor state', async () => {
  const visitor = createBrowser();
  const jane = createUser({ groups: ['staff'], email: 'events@corp.example' });
  const callbackUrl = await visitor.logInAtProvider(await visitor.startSignOn(), jane);
  await visitor.open(callbackUrl);
  await visitor.open(callbackUrl);
  const headers = sessionHeaders(visitor);
  const { body } = await call(fixture.server.app, { path: '/owner/events/list-events', headers });
  expect(body).toMatchObject({
    events: [
      { type: 'logged_in', summary: 'Signed in with single sign-on' },
      { type: 'identity_linked', summary: 'Single sign-on as events@corp.example linked' },
    ],
  });
  const log = JSON.stringify(fixture.server.log);
  expect(log).toContain('/dashboard/sign-on/callback');
  const { searchParams } = new URL(callbackUrl, 'https://names.example.org');
  for (const secret of ['code', 'state']) expect(log).not.toContain(searchParams.get(secret));
  expect(log).not.toContain(fixture.provider.settings.OIDC_CLIENT_SECRET);
});

it('a recent login by single sign-on depends on when the user logged in at the provider', async () => {
  const jane = createUser();
  const visitor = createBrowser();
  await visitor.signOn(jane);
  const { account_id, session } = await getSession(visitor);
  expect((await getSession(visitor)).login_age).toBe('fresh');
  await fixture.server
    .sql`UPDATE sessions SET authenticated_at = ${new Date(Date.now() - 3_601_000)}
      WHERE id = ${session.id}`;
  expect((await getSession(visitor)).login_age).toBe('stale');

  const again = await visitor.startSignOn('?for=again');
  const parameters = new URL(again).searchParams;
  expect([parameters.get('prompt'), parameters.get('max_age')]).toEqual(['login', '300']);
  const page = await visitor.open(await visitor.logInAtProvider(again, jane));
  expect(page.text).toContain('Close this tab');
  expect(page.headers).not.toHaveProperty('refresh');
  expect(await getSession(visitor)).toMatchObject({ account_id, login_age: 'fresh' });
});

describe('at a provider like Google, which refuses prompt=login and sends no auth_time, a login', () => {
  const google = useSignOn({ isLikeGoogle: true });

  it('at a provider like Google, which refuses prompt=login and sends no auth_time, a login is not recent, also again: the page names other ways, and the session goes on', async () => {
    const jane = google.createUser();
    const visitor = google.createBrowser();
    await visitor.signOn(jane);
    const before = await google.getSession(visitor);
    expect(before.login_age).toBe('stale');
    const page = await visitor.signOn(jane, '?for=again');
    expect(page).toMatchObject(errorCode(403, 'signOnNotRecent'));
    expect(page.text).toMatch(/\(auth_time_missing\)\..* sign in with a passkey, a login link or/);
    expect(await google.getSession(visitor)).toEqual(before);
  });
});

it('a recent login by single sign-on is refused for another user', async () => {
  const visitor = createBrowser();
  await visitor.signOn(createUser());
  const cookie = visitor.cookies.get('__Host-nameplate');
  for (const other of [createUser(), createUser({})]) {
    visitor.logOutAtProvider();
    expect(await visitor.signOn(other, '?for=again')).toMatchObject(
      errorCode(409, 'signOnOtherAccount'),
    );
  }
  expect(visitor.cookies.get('__Host-nameplate')).toBe(cookie);
});

describe('with open sign-up, first single sign-ons', () => {
  const limits = { requestsPerMinute: 0, signUpsPerDay: 2 };
  const openSignUp = useSignOn({ REGISTRATION: 'open', limits });

  it("with open sign-up, first single sign-ons count towards the network's sign-up limit, and later ones do not", async () => {
    const jane = openSignUp.createUser({});
    for (const name of [jane, openSignUp.createUser({}), jane])
      expect(await openSignUp.createBrowser().signOn(name)).toMatchObject({ status: 200 });
    const before = await openSignUp.countAccounts();
    expect(await openSignUp.createBrowser().signOn(openSignUp.createUser({}))).toMatchObject(
      errorCode(429, 'registrationRateLimited'),
    );
    expect(await openSignUp.countAccounts()).toBe(before);
    expect(await openSignUp.createBrowser().signOn(jane)).toMatchObject({ status: 200 });
  });
});

describe('with applications, a first single sign-on', () => {
  const applications = useSignOn({ REGISTRATION: 'approval' });

  it('with applications, a first single sign-on outside the allowed groups leads to the application', async () => {
    const outsider = applications.createUser({});
    expect(await applications.createBrowser().signOn(outsider)).toMatchObject(
      errorCode(403, 'signOnNeedsApplication'),
    );
    const member = applications.createUser({ groups: ['staff'] });
    expect(await applications.createBrowser().signOn(member)).toMatchObject({ status: 200 });
  });
});
