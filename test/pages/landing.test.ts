import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '#contract/shared/durations.ts';
import type { Transaction } from '#db/connections/handles.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { endSuspension, setSuspended } from '#db/queries/accounts.ts';
import { THEMES } from '#contract/themes.ts';
import { setPageSuspended } from '#db/queries/public-sites.ts';
import { createDatabaseForwarding } from '#server/features/forwarding/forwarding.ts';
import { createSignOn } from '#server/features/sign-on/sign-on.ts';
import { createPageStyle } from '#server/platform/http/responses/page-style.ts';
import { send } from '../support/call.ts';
import { createPage } from '../support/publish-page.ts';
import { postForm } from '../support/session.ts';
import { openTestApp, startTestApp, type TestAccount } from '../support/test-app.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { useServer } from '../support/use-server.ts';

const { server } = useServer();

const get = (url: string, headers = {}) => server.app.inject({ url, headers });
const post = (form: Record<string, string>, app = server) => postForm(app, '/', form);

describe('the landing page with open registration', () => {
  it('checks without a script whether a name is available, and then asks for an email address', async () => {
    await server.createNamedAccount('taken-here');
    const availablePage = (await get('/?name=Free+Here')).payload;
    expect(availablePage).toContain('free-here is available');
    expect(availablePage).toContain('type="email"');
    const takenPage = (await get('/?name=taken-here')).payload;
    expect(takenPage).toContain('taken-here is not available');
    expect(takenPage).toContain('class="plate off"');
    expect(takenPage).toContain('href="?name=its-taken-here"');
    expect(takenPage).not.toContain('type="email"');
    const reservedPage = (await get('/?name=moderator')).payload;
    expect(reservedPage.replaceAll('moderator', 'taken-here')).toBe(takenPage);
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

  it('is compressed', async () => {
    const { headers, rawPayload } = await get('/', { 'accept-encoding': 'gzip, br' });
    expect(headers).toMatchObject({ 'content-encoding': 'br', 'cache-control': 'no-store' });
    expect(headers['vary']).toContain('accept-encoding');
    const { payload } = await get('/');
    expect(brotliDecompressSync(rawPayload).toString()).toBe(payload);
    expect(rawPayload.length).toBeLessThan(payload.length / 2);
  });

  it('escapes all input', async () => {
    const name = '"><script>alert(1)</script>';
    for (const { payload } of [
      await get(`/?name=${encodeURIComponent(name)}`),
      await get(`/?name[]=${encodeURIComponent(name)}`),
      await post({ name, email: name }),
      await post({ name: 'jane', email: name }),
    ])
      expect(payload).not.toContain('<script>alert');
  });

  it('returns the same response for every email address, and an error for an invalid one', async () => {
    const acceptedResponse = await post({ name: 'jane-lands', email: 'jane@example.com' });
    expect(acceptedResponse.statusCode).toBe(200);
    expect(acceptedResponse.payload).toContain('<h1>Check your mail</h1>');
    expect(acceptedResponse.payload).toContain('jane@example.com');
    // Hidden fields of the form that sends the mail again.
    expect(acceptedResponse.payload).toContain('name="email" value="jane@example.com"');
    expect(acceptedResponse.payload).toContain('name="name" value="jane-lands"');
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

  it('is linked on the page of an unused name', async () => {
    expect((await get('/@nobody-here')).payload).toContain('Claim your name');
  });
});

it.each([
  ['invite', 'People join by invitation.'],
  ['closed', 'Sign-up is closed.'],
] as const)(
  'with REGISTRATION=%s the landing page only links to the dashboard',
  async (mode, message) => {
    const otherApp = await openTestApp({ REGISTRATION: mode });
    const { statusCode, payload } = await otherApp.app.inject({ url: '/?name=jane' });
    expect(statusCode).toBe(200);
    expect(payload).toContain(message);
    expect(payload).toContain('href="/dashboard/"');
    expect(payload).not.toMatch(/<form|<script/);
    expect((await otherApp.app.inject({ url: '/@nobody-here' })).payload).not.toContain('Claim');
    const form = { name: 'jane', email: 'jane@example.com' };
    expect((await post(form, otherApp)).statusCode).toBe(403);
  },
);

describe('the pages of members on the landing page by invitation', () => {
  const { server: app } = useServer({ REGISTRATION: 'invite' });
  const front = async () => (await app.app.inject({ url: '/' })).payload;
  const updateFrontPage = async (account: TestAccount, visible: boolean) => {
    const { body } = await send(app, account, 'POST /owner/page/update-front-page', { visible });
    expect(body).toEqual({ visible });
  };

  it('appear only while their owners agree and they are visible', async () => {
    const { account } = await createPage(app, { display_name: 'Mira <Okafor>' }, 'potter');
    const isShown = async () => (await front()).includes('Mira &lt;Okafor&gt;');
    expect(await isShown()).toBe(false);
    await updateFrontPage(account, true);
    const page = await front();
    expect(page).toContain(
      '<small>A member’s page</small><p class="plate"><span>@potter</span></p>',
    );
    expect(page).toContain('src="/@potter/preview.html"');
    // Members' pages replace the examples, and a club's front page offers no API.
    expect(page).not.toMatch(/\/examples\/|href="\/docs/);
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

  it('have the design of their owners', async () => {
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
    const avatar_url = 'https://example.org/jona.png';
    const framed = await createPage(app, { avatar_url }, 'jona');
    await updateFrontPage(framed.account, true);
    const { payload, headers } = await app.app.inject({ url: '/' });
    const [, css = ''] = payload.split(/<\/?style>/);
    const { cspSource } = createPageStyle(css);
    expect(headers['content-security-policy']).toContain(`style-src 'self' ${cspSource};`);
    const page = (await app.app.inject({ url: '/@designer-of-pages' })).payload;
    const declarations = page.match(/--(?:backdrop|head|ink):[^;}]+/g) ?? [];
    expect(declarations.length).toBeGreaterThanOrEqual(3);
    for (const declaration of declarations) expect(css).toContain(declaration);
    // Letters beyond Latin-1 need another file, and pictures of other servers are not loaded.
    expect(css).toContain('unicode-range:U+0100-');
    expect(payload).not.toContain('mira.png');
    expect(headers['content-security-policy']).toContain("frame-src 'self'");
    const preview = await app.app.inject({ url: '/@jona/preview.html' });
    expect(preview.payload).toContain(avatar_url);
    expect(preview.headers['content-security-policy']).toContain("img-src 'self' data:;");
    for (const shown of [account, framed.account]) await updateFrontPage(shown, false);
  });

  it('are one beside the title and 6 others below', async () => {
    for (const number of [4, 8, 1, 7, 2, 6, 9, 3, 5, 0])
      await updateFrontPage((await createPage(app, {}, `boat-${number}`)).account, true);
    const page = await front();
    expect(new Set(page.match(/\/@boat-\d"/g)).size).toBe(7);
    expect(page).not.toContain('Your page could be here');
    for (const [, tint] of page.matchAll(/--ground:var\((--tint-\d)\)/g))
      expect(page).toContain(`${tint}:light-dark(`);
  });

  it('appear with open sign-up once search engines may list them', async () => {
    const openApp = await openTestApp({ TRUST_ACCOUNTS: 'false' });
    const show = async (url: string) => (await openApp.app.inject({ url })).payload;
    const { account } = await createPage(openApp, {}, 'on-front-page');
    await send(openApp, account, 'POST /owner/page/update-front-page', { visible: true });
    expect(await show('/')).not.toContain('on-front-page');
    await openApp.db
      .updateTable('accounts')
      .set({ created_at: new Date(Date.now() - 8 * DAY_MS) })
      .where('id', '=', account.id)
      .execute();
    expect(await show('/')).toContain('/@on-front-page"');
    // A visitor who has typed a name sees only the form.
    expect(await show('/?name=free-here')).not.toContain('on-front-page');
    const { body } = await send(openApp, account, 'GET /owner/page/get-front-page');
    expect(body).toEqual({ visible: true, available: true, listed_from: null });
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
