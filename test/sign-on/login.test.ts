import { describe, expect, it } from 'vitest';
import { suspendAccount } from '#server/features/accounts/suspend-account.ts';
import { databaseForwarding } from '#server/features/forwarding/forwarding.ts';
import { call } from '../support/call.ts';
import { useSignOn } from './support/use-sign-on.ts';

const used = useSignOn();
const { browser, user, sessionOf, headersOf } = used;

async function nameOf(signedIn: ReturnType<typeof browser>): Promise<unknown> {
  const path = '/account/get-display-name';
  const { body } = await call(used.server.app, { path, headers: headersOf(signedIn) });
  return (body as { display_name: string }).display_name;
}

describe('a first single sign-on', () => {
  it('creates an account for a member of an allowed group, and later sign-ons find it', async () => {
    const jane = user({ groups: ['staff'], preferred_username: 'Jane.Signs@corp.example' });
    const first = browser();
    const page = await first.signOn(jane, '?to=keys%3Fx%3D1');
    expect(page).toMatchObject({ status: 200, headers: { refresh: '0; url=/dashboard/keys?x=1' } });
    expect([...first.cookies.keys()]).toEqual(['__Host-nameplate']);
    const { account_id } = await sessionOf(first);
    expect(await sessionOf(first)).toMatchObject({ session: { via: 'oidc' }, proof: 'fresh' });
    expect(await nameOf(first)).toBe('jane-signs');
    const second = browser();
    await second.signOn(jane);
    expect((await sessionOf(second)).account_id).toBe(account_id);
  });

  it.each([
    ['a name that is reserved', 'admin'],
    ['a name that is taken', 'jane-signs'],
    ['a name that is not valid', 'Jürgen'],
    ['a name that is too short', 'j'],
    ['no name', undefined],
    ['a name that is no text', ['jane']],
  ])(
    'with %s creates an account without a display name, which its owner chooses',
    async (_title, preferred_username) => {
      const signedIn = browser();
      await signedIn.signOn(user({ groups: ['staff'], preferred_username }));
      expect(await nameOf(signedIn)).toBe('');
    },
  );

  it('of one user in many windows creates one account', async () => {
    const jane = user();
    const before = await used.countAccounts();
    const windows = Array.from({ length: 5 }, browser);
    await Promise.all(windows.map((window) => window.signOn(jane)));
    const accounts = await Promise.all(windows.map((window) => sessionOf(window)));
    expect(new Set(accounts.map(({ account_id }) => account_id)).size).toBe(1);
    expect(await used.countAccounts()).toBe(before + 1);
  });

  it.each([
    ['a verified address of an allowed domain', true, { email: 'a@Corp.example' }],
    ['an address that is not verified', false, { email: 'b@corp.example', email_verified: false }],
    ['an address that is verified in words', false, { email_verified: 'true' }],
    ['an address of a subdomain', false, { email: 'c@sub.corp.example' }],
    ['two addresses in one', false, { email: 'd@evil.example@corp.example' }],
    ['an address of another domain', false, { email: 'e@corp.example.evil.example' }],
    ['another group', false, { groups: ['Staff', 'staff-guests'], email: undefined }],
    ['a group in place of a list', true, { groups: 'staff', email: undefined }],
    ['nothing', false, { email: undefined }],
  ])('with %s is admitted: %s', async (_title, isAdmitted, claims) => {
    const before = await used.countAccounts();
    const visitor = browser();
    const address = { email: 'x@corp.example', email_verified: true };
    const page = await visitor.signOn(user({ ...address, ...claims }));
    expect(page.status).toBe(isAdmitted ? 200 : 403);
    expect(visitor.cookies.has('__Host-nameplate')).toBe(isAdmitted);
    expect(await used.countAccounts()).toBe(before + Number(isAdmitted));
    if (!isAdmitted) expect(page.text).toContain('You have no account here yet.');
  });

  it('never matches an account by email address, verified or not', async () => {
    const owner = browser();
    const email = 'jane@corp.example';
    await owner.signOn(user({ email, email_verified: true }));
    const other = browser();
    await other.signOn(user({ email, email_verified: true }));
    const both = [await sessionOf(owner), await sessionOf(other)];
    expect(both[0]!.account_id).not.toBe(both[1]!.account_id);
  });
});

describe('a single sign-on', () => {
  it('of a suspended account is refused', async () => {
    const jane = user();
    const first = browser();
    await first.signOn(jane);
    const { account_id: account } = await sessionOf(first);
    const { db } = used.server.database;
    const forwarding = databaseForwarding('none', db);
    await suspendAccount(db, forwarding, { account, suspended: true });
    const again = browser();
    expect(await again.signOn(jane)).toMatchObject({
      status: 403,
      headers: { 'x-error-code': 'signOnSuspended' },
    });
    expect(again.cookies.size).toBe(0);
  });

  it('starts a new session, whatever cookie the browser sent', async () => {
    const visitor = browser();
    const brought = 'A'.repeat(43);
    visitor.cookies.set('__Host-nameplate', brought);
    await visitor.signOn(user());
    expect(visitor.cookies.get('__Host-nameplate')).not.toBe(brought);
  });

  it('redirects only to the dashboard', async () => {
    for (const to of [
      '//evil.example',
      'https://evil.example',
      '../x',
      '/x',
      '\\evil',
      'a\nb',
      '%0d',
    ])
      expect(await browser().signOn(user(), `?to=${encodeURIComponent(to)}`)).toMatchObject({
        headers: { refresh: '0; url=/dashboard/' },
      });
    const long = await browser().signOn(user(), `?to=${'x'.repeat(501)}`);
    expect(long).toMatchObject({ headers: { refresh: '0; url=/dashboard/' } });
  });

  it('cannot be started from another site', async () => {
    for (const site of ['cross-site', 'same-site'])
      expect(await browser().open('/dashboard/sign-on', { 'sec-fetch-site': site })).toMatchObject({
        status: 403,
        headers: { 'x-error-code': 'signOnFromElsewhere' },
      });
  });

  it('is an event of the account, and leaves neither code nor state in the log', async () => {
    const visitor = browser();
    const jane = user({ groups: ['staff'], email: 'events@corp.example' });
    const back = await visitor.prove(await visitor.leave(), jane);
    await visitor.open(back);
    await visitor.open(back);
    const headers = headersOf(visitor);
    const { body } = await call(used.server.app, { path: '/owner/events/list-events', headers });
    expect(body).toMatchObject({
      events: [
        { type: 'logged_in', summary: 'Signed in with single sign-on' },
        { type: 'identity_linked', summary: 'Single sign-on as events@corp.example linked' },
      ],
    });
    const log = JSON.stringify(used.server.log);
    expect(log).toContain('/dashboard/sign-on/callback');
    const { searchParams } = new URL(back, 'https://names.example.org');
    for (const secret of ['code', 'state']) expect(log).not.toContain(searchParams.get(secret));
    expect(log).not.toContain(used.provider.settings.OIDC_CLIENT_SECRET);
  });

  it('is offered by name on the dashboard', async () => {
    expect((await browser().open('/dashboard/')).text).toContain(' data-sign-on="Example ID"');
  });
});

describe('a recent login by single sign-on', () => {
  it('has the time of the login at the provider', async () => {
    const jane = user();
    const visitor = browser();
    await visitor.signOn(jane);
    const { db } = used.server.database;
    const { account_id, session } = await sessionOf(visitor);
    expect((await sessionOf(visitor)).proof).toBe('fresh');
    await db
      .updateTable('sessions')
      .set({ authenticated_at: new Date(Date.now() - 3_601_000) })
      .where('id', '=', session.id)
      .execute();
    expect((await sessionOf(visitor)).proof).toBe('stale');

    const again = await visitor.leave('?for=again');
    const asked = new URL(again).searchParams;
    expect([asked.get('prompt'), asked.get('max_age')]).toEqual(['login', '300']);
    const page = await visitor.open(await visitor.prove(again, jane));
    expect(page.text).toContain('Close this tab');
    expect(page.headers).not.toHaveProperty('refresh');
    expect(await sessionOf(visitor)).toMatchObject({ account_id, proof: 'fresh' });
  });

  it('is refused for another user', async () => {
    const visitor = browser();
    await visitor.signOn(user());
    const cookie = visitor.cookies.get('__Host-nameplate');
    for (const other of [user(), user({})]) {
      visitor.leaveProvider();
      expect(await visitor.signOn(other, '?for=again')).toMatchObject({
        status: 409,
        headers: { 'x-error-code': 'signOnOtherAccount' },
      });
    }
    expect(visitor.cookies.get('__Host-nameplate')).toBe(cookie);
  });
});

describe('with open sign-up, first single sign-ons', () => {
  const limits = { requestsPerMinute: 0, signUpsPerDay: 2 };
  const open = useSignOn({ REGISTRATION: 'open', limits });

  it("count towards the network's sign-up limit, and later ones do not", async () => {
    const jane = open.user({});
    for (const name of [jane, open.user({}), jane])
      expect(await open.browser().signOn(name)).toMatchObject({ status: 200 });
    const before = await open.countAccounts();
    expect(await open.browser().signOn(open.user({}))).toMatchObject({
      status: 429,
      headers: { 'x-error-code': 'registrationRateLimited' },
    });
    expect(await open.countAccounts()).toBe(before);
    expect(await open.browser().signOn(jane)).toMatchObject({ status: 200 });
  });
});
