import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '#contract/shared/durations.ts';
import { THEMES } from '#contract/themes.ts';
import type { Transaction } from '#db/connections/handles.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { endSuspension, setSuspended } from '#db/queries/accounts.ts';
import { saveInstance } from '#db/queries/instance.ts';
import { listFrontPageEvents, setPageSuspended } from '#db/queries/public-sites.ts';
import { createPageStyle } from '#server/entry/pages/shell/page-style.ts';
import { createDatabaseForwarding } from '#server/features/forwarding/forwarding.ts';
import { createSignOn } from '#server/features/sign-on/sign-on.ts';
import { send } from '../support/call.ts';
import { makeOperator } from '../support/endpoints.ts';
import { errorCode } from '../support/expected-responses.ts';
import { createPage } from '../support/publish-page.ts';
import { logIn, postForm } from '../support/session.ts';
import { openTestApp, startTestApp, type TestAccount } from '../support/test-app.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { useServer } from '../support/use-server.ts';

const { server } = useServer();

const get = (url: string, headers = {}) => server.app.inject({ url, headers });
const post = (form: Record<string, string>, app = server) => postForm(app, '/', form);

it('the landing page with open registration checks without a script whether a name is available, and then asks for an email address', async () => {
  await server.createNamedAccount('taken-here');
  const availablePage = (await get('/?name=Free+Here')).payload;
  expect(availablePage).toContain('free-here is available');
  expect(availablePage).toContain('type="email"');
  const takenPage = (await get('/?name=taken-here')).payload;
  expect(takenPage).toContain('taken-here is not available');
  expect(takenPage).toContain('class="plate off"');
  expect(takenPage).toContain('href="?name=taken-here-web"');
  expect(takenPage).not.toContain('type="email"');
  const reservedPage = (await get('/?name=moderator')).payload;
  expect(
    reservedPage
      .replaceAll('moderator', 'taken-here')
      .replaceAll('>Moderator<', '>Taken Here<')
      .replaceAll('>M<', '>TH<'),
  ).toBe(takenPage);
  expect((await get('/?name=kim-larsson')).payload).toContain(
    '<strong class="title">Kim Larsson</strong>',
  );
  const rule = 'A name has 3 to 63 letters a to z, digits and hyphens.';
  for (const name of ['x', '李', '李 王', 'x'.repeat(80)]) {
    const { payload } = await get(`/?name=${encodeURIComponent(name)}`);
    expect(payload).toContain(rule);
    expect(payload).toContain(`value="${name}"`);
  }
  const page = (await get('/?name=J%C3%B6rg+Maier')).payload;
  expect(page).toContain(rule);
  // A browser would cut a longer name without a word.
  expect(page).not.toMatch(/<input[^>]*id="name"[^>]*maxlength/);
  expect(page).toContain('href="?name=joerg-maier"');
  expect((await get('/')).payload).not.toContain('type="email"');
});

it('the landing page with open registration is compressed', async () => {
  const { headers, rawPayload } = await get('/', { 'accept-encoding': 'gzip, br' });
  expect(headers).toMatchObject({
    'content-encoding': 'br',
    'cache-control': 'private, no-cache, no-transform',
  });
  expect(headers['vary']).toContain('accept-encoding');
  const { payload } = await get('/');
  expect(brotliDecompressSync(rawPayload).toString()).toBe(payload);
  expect(rawPayload.length).toBeLessThan(payload.length / 2);
});

it('the landing page with open registration escapes all input', async () => {
  const name = '"><script>alert(1)</script>';
  for (const { payload } of [
    await get(`/?name=${encodeURIComponent(name)}`),
    await get(`/?name[]=${encodeURIComponent(name)}`),
    await post({ name, email: name }),
    await post({ name: 'jane', email: name }),
  ])
    expect(payload).not.toContain('<script>alert');
});

it('the landing page with open registration returns the same response for every email address, and an error for an invalid one', async () => {
  const acceptedResponse = await post({ name: 'jane-lands', email: 'jane@example.com' });
  expect(acceptedResponse.statusCode).toBe(200);
  expect(acceptedResponse.payload).toContain('<h1>Check your mail</h1>');
  expect(acceptedResponse.payload).toContain('jane@example.com');
  // Hidden fields of the form that sends the mail again.
  expect(acceptedResponse.payload).toContain('name="email" value="jane@example.com"');
  expect(acceptedResponse.payload).toContain('name="name" value="jane-lands"');
  const withSigns = await post({ name: 'Tom & Jerry #2', email: 'tom@example.com' });
  expect(withSigns.payload).toContain('href="?name=Tom%20%26%20Jerry%20%232"');
  for (const email of ['', 'x', 'x@host.internal', 'a@example.com,b@example.com']) {
    const refused = await post({ name: 'jane-lands', email });
    expect(refused.statusCode).toBe(400);
    expect(refused.payload).toContain('id="email-problem"');
  }
  for (const [name, status] of [
    ['moderator', 409],
    ['x', 400],
    ['', 400],
  ] as const)
    expect((await post({ name, email: 'jane@example.com' })).statusCode).toBe(status);
});

it('the landing page with open registration is linked on the page of an unused name', async () => {
  expect((await get('/@nobody-here')).payload).toContain('Claim your name');
});

it.each([
  ['invite', 'People join by invitation.'],
  ['closed', 'Sign-up is closed.'],
] as const)(
  'with REGISTRATION=%s the landing page is one link to sign in',
  async (mode, message) => {
    const otherApp = await openTestApp({ REGISTRATION: mode });
    const { statusCode, payload } = await otherApp.app.inject({ url: '/?name=jane' });
    expect(statusCode).toBe(200);
    expect(payload).toContain(message);
    expect(payload.match(/href="\/dashboard\/"/g)).toHaveLength(1);
    expect(payload).not.toMatch(/<form|<script/);
    expect((await otherApp.app.inject({ url: '/@nobody-here' })).payload).not.toContain('Claim');
    const form = { name: 'jane', email: 'jane@example.com' };
    expect((await post(form, otherApp)).statusCode).toBe(403);
  },
);

it.each(['open', 'approval', 'invite', 'closed'] as const)(
  'with REGISTRATION=%s the landing page says what a member gets, and what we promise',
  async (mode) => {
    const { db } = await openTestDatabase();
    const forwarding = createDatabaseForwarding('postfix', db);
    const otherApp = await openTestApp({ REGISTRATION: mode, forwarding });
    const { payload } = await otherApp.app.inject({ url: '/' });
    const text = payload.replace(/<style>.*?<\/style>|<[^>]+>/gs, '').replace(/\s+/g, ' ');
    for (const part of [
      'Your name. Your page. Your address.',
      'a page like localhost/@mira and mail at mira@nameplate.example.',
      ...['A name that is yours', 'A page in 12 designs', 'Mail that finds you'],
      ...['No cookies', 'Export everything', 'Free software'],
    ])
      expect(text).toContain(part);
    const hints = { open: 'Two minutes, no password.', approval: 'We read every request' };
    expect(Object.values(hints).filter((hint) => text.includes(hint))).toEqual(
      mode in hints ? [hints[mode as keyof typeof hints]] : [],
    );
  },
);

describe('the pages of members on the landing page by invitation', () => {
  const { server: app } = useServer({ REGISTRATION: 'invite' });
  const front = async () => (await app.app.inject({ url: '/' })).payload;
  const updateFrontPage = async (account: TestAccount, visible: boolean) => {
    const { body } = await send(app, account, 'POST /owner/page/update-front-page', { visible });
    expect(body).toEqual({ visible });
  };

  it('the pages of members on the landing page by invitation appear only while their owners agree and they are visible', async () => {
    const { account } = await createPage(app, { display_name: 'Mira <Okafor>' }, 'potter');
    const isShown = async () => (await front()).includes('Mira &lt;Okafor&gt;');
    expect(await isShown()).toBe(false);
    await updateFrontPage(account, true);
    expect(await isShown()).toBe(true);
    await account.client.site.toggleSiteVisibility();
    expect(await isShown()).toBe(false);
    await account.client.site.toggleSiteVisibility();
    expect(await isShown()).toBe(true);
    const { id } = account;
    for (const suspendOrResume of [
      (trx: Transaction, suspended: boolean) =>
        suspended ? setSuspended(trx, id, null) : endSuspension(trx, id),
      (trx: Transaction, suspended: boolean) =>
        setPageSuspended(trx, id, suspended ? 'Spam' : null),
    ])
      for (const suspended of [true, false]) {
        await inTransaction<unknown>(app.db, (trx) => suspendOrResume(trx, suspended));
        expect(await isShown()).toBe(!suspended);
      }
    await updateFrontPage(account, false);
    expect(await isShown()).toBe(false);
  });

  it('the pages of members on the landing page by invitation have the design of their owners', async () => {
    const { account } = await createPage(
      app,
      {
        bio: 'Łódź',
        avatar_url: 'https://example.org/mira.png',
        theme_id: THEMES.find(({ name }) => name === 'Daylight')!.id,
        blocks: [{ type: 'page', enabled: true, fonts: 'lora' }],
      },
      'designer-of-pages',
    );
    await updateFrontPage(account, true);
    const { payload, headers } = await app.app.inject({ url: '/' });
    const [, css = ''] = payload.split(/<\/?style>/);
    const { cspSource } = createPageStyle(css);
    expect(headers['content-security-policy']).toContain(`style-src 'self' ${cspSource};`);
    const page = (await app.app.inject({ url: '/@designer-of-pages' })).payload;
    // Without the black of paper.
    const declarations =
      page.replace('--ink:#000', '').match(/--(?:backdrop|head|ink):[^;}]+/g) ?? [];
    expect(declarations.length).toBeGreaterThanOrEqual(3);
    for (const declaration of declarations) expect(css).toContain(declaration);
    // Letters beyond Latin-1 need another file, and pictures of other servers are not loaded.
    expect(css).toContain('unicode-range:U+0100-');
    expect(payload).not.toContain('mira.png');
    await updateFrontPage(account, false);
  });

  it('the pages of members on the landing page by invitation are the newest six, and from seven members on also faces and the next dates', async () => {
    // The server caches the identity for seconds.
    await app.nameplate.instanceStore.set(
      await inTransaction(app.db, (trx) => saveInstance(trx, { name: 'Club' })),
    );
    const tomorrow = new Date(Date.now() + DAY_MS).toISOString().slice(0, 10);
    const event = (title: string, fields: object) => ({ type: 'event' as const, title, ...fields });
    const blocks = [
      event('Tomorrow', { starts_at: `${tomorrow}T10:30`, time_zone: 'UTC' }),
      event('Weekly', { starts_at: '2020-01-01', repeats: 'weekly' }),
      event('Over', { starts_at: '2020-01-01' }),
      event('Ended', { starts_at: '2020-01-01', repeats: 'weekly', repeats_until: '2020-06-01' }),
      event('In a century', { starts_at: '2120-01-01' }),
      event('Hidden', { starts_at: tomorrow, enabled: false }),
    ].map((block) => ({ enabled: true, ...block }));
    const accounts = new Map<string, TestAccount>();
    for (const number of [4, 1, 7, 2, 6, 3, 5]) {
      const { account } = await createPage(
        app,
        number === 7 ? { blocks: blocks as never } : {},
        `boat-${number}`,
      );
      if (number !== 5) await updateFrontPage(account, true);
      accounts.set(`boat-${number}`, account);
    }
    expect(await front()).not.toContain('class="faces"');
    await updateFrontPage(accounts.get('boat-5')!, true);
    const page = await front();
    const [faces, cards] = [/<ul class="faces">.*?<\/ul>/s, /<ul class="cards">.*?<\/ul>/s].map(
      (pattern) => [...(pattern.exec(page)?.[0] ?? '').matchAll(/boat-(\d)"/g)].map(([, n]) => n),
    );
    expect([...new Set(faces)]).toEqual(['1', '2', '3', '4', '5', '6', '7']);
    expect(cards).toEqual(['5', '3', '6', '2', '7', '1']);
    const titles = [...page.matchAll(/<strong dir="auto">([^<]+)/g)].map(([, title]) => title);
    expect(titles.toSorted()).toEqual(['In a century', 'Tomorrow', 'Weekly']);
    // What has ended takes no place of the events that are read.
    const read = { joinedBefore: new Date(Date.now() + DAY_MS), from: tomorrow, limit: 9 };
    const events = await listFrontPageEvents(app.database.readDb, read);
    expect(events.map(({ block }) => block['title'])).toEqual([
      'Weekly',
      'Tomorrow',
      'In a century',
    ]);
    expect(page).toMatch(/<small>\w{3} 10:30 · <bdi>boat-7<\/bdi><\/small>/);
    // A page for members has no place here.
    await accounts
      .get('boat-7')!
      .owner.page.updatePageVisibility({ visible: false, members: true });
    expect(await front()).not.toMatch(/boat-7|Tomorrow/);
  });

  it('the page of the club on the landing page has its dates and links there, while its owner shows it', async () => {
    const operator = await app.createAccount();
    await makeOperator(app, operator);
    const choose = (name: string | null) =>
      send(app, operator, 'POST /owner/server/update-instance', { our_page: name });
    const date = (title: string) => ({
      ...{ type: 'event' as const, enabled: true, title, starts_at: '2120-01-01' },
    });
    const link = (title: string, enabled = true) => ({
      ...{ type: 'link' as const, enabled, title, url: 'https://rowing.example/' },
    });
    const { account: member } = await createPage(app, { blocks: [date('Of a member')] });
    await updateFrontPage(member, true);
    const later = { ...link('Later'), from: '2119-01-01' };
    const over = { ...link('Over'), until: '2020-01-01' };
    const blocks = [
      ...[
        { ...date('Regatta'), location: 'Jetty 2' },
        link('Boats <b>'),
        link('Off', false),
        later,
        over,
      ],
      link('bank.example'),
    ];
    const { account: club } = await createPage(app, { blocks }, 'rowing-club');
    await updateFrontPage(club, true);
    const without = await front();
    expect(without).not.toContain('Our page');
    await updateFrontPage(club, false);
    for (const name of ['rowing-club', 'nobody-here'])
      expect(await choose(name)).toMatchObject(errorCode(404, 'ourPageNotFound'));
    await updateFrontPage(club, true);
    expect((await choose(' @Rowing-Club ')).body).toMatchObject({
      instance: { our_page: 'rowing-club' },
    });
    await club.client.account.updateDisplayName({ display_name: 'skerry-rowing' });
    const page = await front();
    expect(page).toContain('href="/@skerry-rowing">Our page</a>');
    expect(page).toMatch(/href="https:\/\/rowing.example\/"[^>]*>Boats &lt;b&gt;<\/a>/);
    // A link cannot claim to lead elsewhere.
    expect(page).toContain('(rowing.example)');
    expect(page).toMatch(/>Regatta<.*?<small>[^<]+<bdi>Jetty 2</s);
    expect(page).not.toMatch(/>(?:Off|Later|Over|Of a member)</);
    await updateFrontPage(club, false);
    expect(await front()).not.toMatch(/Our page|Regatta/);
    expect((await choose('skerry-rowing')).status).toBe(200);
    await club.owner.account.deleteAccount({ confirm: 'skerry-rowing' });
    expect(await front()).not.toContain('Our page');
    for (const none of ['', null])
      expect((await choose(none)).body).toMatchObject({ instance: { our_page: null } });
    await updateFrontPage(member, false);
  });

  it('the pages of members on the landing page by invitation link to the list of members if the visitor may see it', async () => {
    const hasLink = async (headers = {}) =>
      (await app.app.inject({ url: '/', headers })).payload.includes('href="/members"');
    const { account } = await createPage(app);
    const session = await logIn(app, account.id);
    for (const [directory, expected] of [
      ['off', [false, false]],
      ['members', [false, true]],
      ['everybody', [true, true]],
    ] as const) {
      await app.nameplate.instanceStore.set(
        await inTransaction(app.db, (trx) => saveInstance(trx, { directory })),
      );
      expect([await hasLink(), await hasLink(session)]).toEqual(expected);
    }
  });

  it('the pages of members on the landing page by invitation appear with open sign-up once search engines may list them', async () => {
    const openApp = await openTestApp({ TRUST_ACCOUNTS: 'false' });
    const show = async (url: string) => (await openApp.app.inject({ url })).payload;
    const { account } = await createPage(openApp, {}, 'on-front-page');
    await send(openApp, account, 'POST /owner/page/update-front-page', { visible: true });
    expect(await show('/')).not.toContain('on-front-page');
    // An operator vouches for the page of the club.
    const operator = await openApp.createAccount();
    await makeOperator(openApp, operator);
    const choose = (name: string | null) =>
      send(openApp, operator, 'POST /owner/server/update-instance', { our_page: name });
    await choose('on-front-page');
    expect(await show('/')).toContain('/@on-front-page">Our page</a>');
    await choose(null);
    await openApp.db
      .updateTable('accounts')
      .set({ created_at: new Date(Date.now() - 8 * DAY_MS) })
      .where('id', '=', account.id)
      .execute();
    expect(await show('/')).toContain('/@on-front-page"');
    // A visitor who has typed a name sees only the form.
    expect(await show('/?name=free-here')).not.toContain('on-front-page');
    const { body } = await send(openApp, account, 'GET /owner/page/get-front-page');
    expect(body).toEqual({ visible: true, available: true });
  });
});

it.each(['open', 'invite'] as const)(
  'with REGISTRATION=%s the landing page has a button for single sign-on',
  async (registration) => {
    const signOn = createSignOn({
      OIDC_ISSUER: 'https://id.example.org',
      OIDC_CLIENT_ID: 'nameplate',
      OIDC_CLIENT_SECRET: 'a secret',
      OIDC_NAME: 'R&D <ID>',
      OIDC_ALLOWED_GROUPS: [],
      OIDC_ALLOWED_DOMAINS: [],
      REGISTRATION: registration,
    });
    const otherApp = await openTestApp({ REGISTRATION: registration, signOn });
    const button =
      '<a class="button" href="/dashboard/sign-on">Continue with R&amp;D &lt;ID&gt;</a>';
    expect((await otherApp.app.inject({ url: '/' })).payload).toContain(button);
    if (registration === 'open')
      expect((await otherApp.app.inject({ url: '/?name=J%C3%B6rg%27s' })).payload).toContain(
        'href="/dashboard/sign-on?to=%3Fname%3DJ%25C3%25B6rg%2527s"',
      );
  },
);

it.each(['open', 'invite'] as const)(
  'with REGISTRATION=%s the landing page mentions email addresses only if mail is forwarded',
  async (signUpMode) => {
    const EMAIL_MENTION_PATTERN =
      /email address[, ]|An email address|Forwards to|[\w-]@nameplate\.example/;
    const renderLandingPages = async (provider: string) => {
      const database = await openTestDatabase();
      const forwarding = createDatabaseForwarding(provider, database.db);
      const otherApp = await startTestApp({ REGISTRATION: signUpMode, forwarding }, database);
      const responses = ['/', '/?name=jane'].map((url) => otherApp.app.inject({ url }));
      const texts = (await Promise.all(responses)).map(({ payload }) => payload);
      await otherApp.close();
      return texts;
    };
    for (const page of await renderLandingPages('postfix'))
      expect(page).toMatch(EMAIL_MENTION_PATTERN);
    for (const page of await renderLandingPages('none'))
      expect(page).not.toMatch(EMAIL_MENTION_PATTERN);
  },
);

it('the landing page redirects to HOME_URL', async () => {
  const otherApp = await openTestApp({ HOME_URL: 'https://www.example.org/' });
  const { statusCode, headers } = await otherApp.app.inject({ url: '/' });
  expect([statusCode, headers.location]).toEqual([303, 'https://www.example.org/']);
});
