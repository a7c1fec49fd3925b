import { expect, it } from 'vitest';
import { PROVIDER_ERRORS } from '#server/features/forwarding/forwarding-provider.ts';
import { formatStored, translateMessage, translatorFor } from '#server/platform/text/language.ts';
import { call } from '../support/call.ts';
import { SAME_ORIGIN_HEADERS } from '../support/session.ts';
import { useServer } from '../support/use-server.ts';

const { server, account } = useServer({ account: true });

const PAGES = [
  '/',
  '/?name=free-name',
  '/?name=x',
  '/?name=moderator',
  '/nobody',
  '/@nobody',
  '/confirm/unknown',
  '/@jane-doe/report',
];

/** The texts of a page. Names of designs and hosts are the same in all languages. */
function textsOf(page: string): string[] {
  return page
    .replace(/<(style|script)\b[^]*?<\/\1>/g, '')
    .replace(/\b(?:aria-label|alt|placeholder|content)="([^"]*)"/g, '>$1<')
    .split(/<[^>]*>/)
    .map((text) => text.replace(/\s+/g, ' ').trim())
    .filter(
      (text) =>
        /\p{L}/u.test(text) &&
        !/localhost|^Nameplate$|@|width=|^API$|moderator\d?$|^moderator/.test(text),
    );
}

const GERMAN = { accept: 'text/html', 'accept-language': 'de-AT,de;q=0.9,en;q=0.5' };

it.each(PAGES)('a browser that prefers German gets %s in German', async (url) => {
  await account.client.account.updateDisplayName({ display_name: 'jane-doe' });
  if (!(await account.client.site.getSiteStatus()).enabled)
    await account.client.site.toggleSiteVisibility();
  const [english, german] = await Promise.all([
    server.app.inject({ url, headers: { accept: 'text/html' } }),
    server.app.inject({ url, headers: GERMAN }),
  ]);
  expect(german.body).toContain('<html lang="de">');
  expect(english.body).toContain('<html lang="en">');
  expect(german.statusCode).toBe(english.statusCode);
  // Shared caches must not store pages that depend on a request header.
  expect(german.headers['cache-control']).toMatch(/^(?:no-store|private, no-cache), no-transform$/);
  // On the example pages, also what becomes of the name that was asked for.
  const people = ['Cleo', 'Cleo Marques', 'Jonas', 'Jonas Weber', 'Layla', 'Layla Haddad'];
  const typed = ['Free Name', 'FN', 'X', 'Moderator', 'M'];
  const shared = new Set([...people, ...typed, 'name', 'free-name', 'light dark', 'noindex']);
  const englishTexts = new Set(textsOf(english.body).filter((text) => !shared.has(text)));
  expect(textsOf(german.body).length).toBeGreaterThan(3);
  expect(textsOf(german.body).filter((text) => englishTexts.has(text))).toEqual([]);
});

const rename = (display_name: unknown, headers: Record<string, string>) =>
  call(server.app, {
    method: 'POST',
    path: '/account/update-display-name',
    json: { display_name },
    headers: { ...account.headers, ...headers },
  });
const OWN_PAGE = { ...SAME_ORIGIN_HEADERS, 'accept-language': 'de' };
const ENGLISH = 'The display name moderator is not available.';

it('an error message is in the language of the browser if a page of this server sent the request', async () => {
  expect(await rename('moderator', OWN_PAGE)).toMatchObject({
    status: 409,
    body: { error: 'Der Name moderator ist nicht verfügbar.' },
  });
  expect((await rename('moderator', SAME_ORIGIN_HEADERS)).body).toEqual({ error: ENGLISH });
});

it('an error message is English for API clients, also if they ask for another language', async () => {
  for (const site of [undefined, 'cross-site', 'none']) {
    const headers = { 'accept-language': 'de', ...(site && { 'sec-fetch-site': site }) };
    expect((await rename('moderator', headers)).body).toEqual({ error: ENGLISH });
  }
});

it('an error message is stored in English for retries', async () => {
  const key = { 'idempotency-key': 'language-1' };
  expect((await rename('moderator', { ...OWN_PAGE, ...key })).body).toEqual({
    error: 'Der Name moderator ist nicht verfügbar.',
  });
  expect((await rename('moderator', key)).body).toEqual({ error: ENGLISH });
});

it('an error message begins with the path of the field in all languages', async () => {
  const save = (body: object) =>
    call(server.app, {
      method: 'POST',
      path: '/site/update-site-configuration',
      json: body,
      headers: { ...account.headers, ...OWN_PAGE },
    });
  expect(await save({ bio: 1 })).toMatchObject({
    body: { error: 'bio darf höchstens 4.000 Zeichen haben.' },
  });
  expect(await save({ blocks: [{ type: 'text', content: 1 }] })).toMatchObject({
    headers: { 'x-error-field': 'blocks.0.content' },
    body: { error: 'blocks.0.content darf höchstens 10.000 Zeichen haben.' },
  });
});

it.each([
  [
    { code: 'responded', values: { status: 429, explanation: 'Slow down' } },
    'Der Mailanbieter hat mit 429 geantwortet: Slow down',
    'The provider responded with 429: Slow down',
  ],
  [
    { code: 'unconfirmed', values: { destination: '{x}@<b>.example' } },
    'Wir warten, bis {x}@<b>.example die Mail von Cloudflare bestätigt.',
    'Waiting for {x}@<b>.example to confirm the email from Cloudflare.',
  ],
  [{ code: 'fromNewerVersion' }, 'fromNewerVersion', 'fromNewerVersion'],
  [null, null, null],
])('an error message is made from its stored code: %j', (stored, german, english) => {
  expect(formatStored(PROVIDER_ERRORS, stored, translatorFor('de'))).toBe(german);
  expect(formatStored(PROVIDER_ERRORS, stored)).toBe(english);
});

it('an error message repeats input that looks like a placeholder or a tag as it is', () => {
  const t = translatorFor('de');
  const message = 'The display name {name} is not available.';
  expect(translateMessage(t, message, { name: '{x}<b>' })).toBe(
    'Der Name {x}<b> ist nicht verfügbar.',
  );
  expect(translateMessage(t, 'Unknown key: {x}<b>')).toBe('Unknown key: {x}<b>');
});
