import sharp from 'sharp';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { saveInstance } from '#db/queries/instance.ts';
import { send } from '../support/call.ts';
import { makeOperator } from '../support/endpoints.ts';
import { eventually } from '../support/eventually.ts';
import { errorCode } from '../support/expected-responses.ts';
import { addPicture } from '../support/pictures.ts';
import { createPage } from '../support/publish-page.ts';
import { openTestApp } from '../support/test-app.ts';
import { useServer } from '../support/use-server.ts';

const { server, account: operator } = useServer({ account: true });
beforeAll(() => makeOperator(server, operator));

const DEFAULTS = {
  ...{ name: null, line: null, color: null, logo_url: null, dark_logo_url: null, contact: null },
  ...{ cover_url: null, cover_description: null, cover_focus: null, theme_fonts: null },
  ...{ imprint_url: null, privacy_url: null, terms_url: null, welcome: null, directory: 'off' },
  ...{ imprint: null, privacy: null, terms: null, our_page: null },
};

const CLUB = {
  name: 'Skerry <Sailing> Club',
  line: 'A harbor & 480 sailors.',
  color: '#4F9BD6',
  contact: 'office@skerry.example',
  imprint_url: 'https://skerry.example/imprint',
  privacy_url: 'https://skerry.example/privacy',
  terms_url: 'https://skerry.example/rules',
  welcome: '**Welcome** <script>alert(1)</script> [aboard](https://skerry.example).',
};

const get = (url: string) => server.app.inject({ url, headers: { accept: 'text/html' } });
const update = (json: unknown) =>
  send(server, operator, 'POST /owner/server/update-instance', json);
const read = () => send(server, operator, 'GET /owner/server/get-instance');

const reset = () => update(DEFAULTS);
afterEach(reset);

it('the identity of the installation is empty at first; what a response contains can be sent back', async () => {
  expect((await read()).body).toEqual({ instance: DEFAULTS });
  const changed = await update(CLUB);
  const instance = { ...DEFAULTS, ...CLUB, color: '#4f9bd6' };
  expect(changed.body).toEqual({ instance });
  expect((await update({ line: null })).body).toEqual({ instance: { ...instance, line: null } });
  expect((await update(instance)).body).toEqual({ instance });
  expect((await read()).body).toEqual({ instance });
});

it('the identity of the installation refuses an invalid field, and changes nothing', async () => {
  for (const [field, value, code] of [
    ['name', 'two\nlines', 'nameInvalid'],
    ['contact', 'javascript:alert(1)', 'contactInvalid'],
    ['cover_focus', '101% 0%', 'coverFocusInvalid'],
    ['cover_focus', '0%;x:1', 'coverFocusInvalid'],
    ['imprint_url', 'http://skerry.example', 'imprintUrlInvalid'],
    ['privacy_url', '/privacy', 'privacyUrlInvalid'],
    ['terms_url', 'https://user:password@skerry.example', 'termsUrlInvalid'],
  ] as const)
    expect(await update({ [field]: value })).toMatchObject(errorCode(400, code));
  expect((await read()).body).toEqual({ instance: DEFAULTS });
});

it('the identity of the installation is audited when it changes', async () => {
  await update({ name: 'In time', color: null });
  const { body } = await send(server, operator, 'GET /owner/server/list-audit-entries?limit=1');
  expect(body).toMatchObject({
    entries: [{ action: 'server.updateInstance', detail: { fields: ['name', 'color'] } }],
  });
});

it('the identity of the installation shows on the front page, escaped, with links, consent and a readable color', async () => {
  await update(CLUB);
  const response = await get('/');
  const front = response.payload;
  const form = (await get('/?name=free-here')).payload;
  for (const page of [front, form])
    expect(page).toContain('<title>Claim your name · Skerry &lt;Sailing&gt; Club</title>');
  expect(front).toContain('<a class="button primary" href="/?name=">Claim your name</a>');
  const page = front + form;
  expect(page).toContain('A harbor &amp; 480 sailors.');
  expect(page).toContain('<strong>Welcome</strong> &lt;script&gt;');
  expect(page).toContain('href="mailto:office@skerry.example"');
  for (const path of ['imprint', 'privacy', 'rules'])
    expect(page).toContain(`href="https://skerry.example/${path}"`);
  expect(page.replace(/\s+/g, ' ')).toMatch(
    /By creating an account you accept the <a [^>]+>terms<\/a> and the <a [^>]+>privacy policy<\/a>/,
  );
  const [, path = ''] = /<link rel="stylesheet" href="([^"]+)">/.exec(page) ?? [];
  const style = await get(path);
  expect(style.headers).toMatchObject({
    'content-type': 'text/css; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
  });
  // #4f9bd6 is too light for white text.
  expect(style.payload).toBe(':root{--plate-1:#3b7bab;--plate-2:#254e6d}');
  expect(response.headers['content-security-policy']).toContain("style-src 'self' 'sha256-");
  await reset();
  expect((await get('/')).payload).not.toMatch(/Skerry|stylesheet|Imprint|accept/);
});

it('the identity of the installation shows on error pages, in the dashboard and in the API reference', async () => {
  await update(CLUB);
  const missing = (await get('/nothing-here')).payload;
  expect(missing).toContain('<title>No page here · Skerry &lt;Sailing&gt; Club</title>');
  const dashboard = (await get('/dashboard/login')).payload;
  expect(dashboard).toContain('<title>Skerry &lt;Sailing&gt; Club</title>');
  expect(dashboard).toContain('&quot;terms_url&quot;:&quot;https://skerry.example/rules&quot;');
  const reference = (await get('/docs/')).payload;
  expect(reference).toContain('<title>API reference · Skerry &lt;Sailing&gt; Club</title>');
  expect(reference).not.toContain('<Sailing>');
  const readAuthor = async (path: string) => (await get(path)).json().info.contact.name;
  expect(await readAuthor('/openapi.json')).toBe(CLUB.name);
  expect(await readAuthor('/owner/openapi.json')).toBe(CLUB.name);
  expect((await get('/.well-known/security.txt')).payload).toContain(
    'Contact: mailto:office@skerry.example\n',
  );
  await reset();
  expect((await get('/docs/')).payload).toContain('<title>API reference</title>');
  expect(await readAuthor('/openapi.json')).toBe('The operator of this server');
});

it('the identity of the installation names new passkeys', async () => {
  const readName = async () => {
    const { body } = await send(server, operator, 'POST /owner/passkeys/create-passkey-options');
    return (body as { options: { rp: { name: string } } }).options.rp.name;
  };
  await reset();
  expect(await readName()).toBe('Nameplate');
  await update(CLUB);
  expect(await readName()).toBe(CLUB.name);
});

it('the identity of the installation shows in the footer and the preview card of a page, which otherwise stay the same', async () => {
  await createPage(server, {}, 'nora');
  const [page, card] = [(await get('/@nora')).payload, (await get('/@nora/card.png')).rawPayload];
  await update(CLUB);
  const named = (await get('/@nora')).payload;
  expect(named).toContain('@nora<span> · Skerry &lt;Sailing&gt; Club<');
  expect(named).toContain('<a href="https://skerry.example/imprint">Imprint</a>');
  expect(named).toContain('<a href="https://skerry.example/privacy">Privacy</a>');
  expect((await get('/@nora/card.png')).rawPayload.equals(card)).toBe(false);
  await reset();
  expect((await get('/@nora')).payload).toBe(page);
  expect((await get('/@nora/card.png')).rawPayload.equals(card)).toBe(true);
});

it('the identity of the installation shows a change of another server within seconds', async () => {
  const other = await openTestApp({}, server.database);
  await other.app.inject('/');
  await update({ name: 'Everywhere' });
  await eventually(async () =>
    expect((await other.app.inject('/')).payload).toContain('Everywhere'),
  );
});

const TEXT = '# Club\n\n**Nora** <b>x</b> [rules](https://skerry.example)\n\n### Board\n\n- Nora';

it.each([
  ['imprint', 'Imprint', 'Impressum'],
  ['privacy', 'Privacy policy', 'Datenschutzerklärung'],
  ['terms', 'Terms', 'Nutzungsbedingungen'],
])('a legal text has a page at /%s, in the look of the server', async (name, title, german) => {
  await update(CLUB);
  expect((await get(`/${name}`)).statusCode).toBe(404);
  await update({ [name]: TEXT });
  const { payload, headers } = await get(`/${name}`);
  expect(payload).toContain(`<title>${title} · Skerry &lt;Sailing&gt; Club</title>`);
  expect(payload).toContain(`<h1>${title}</h1>`);
  expect(payload).toContain('<h2 dir="auto">Club</h2>');
  expect(payload).toContain('<strong>Nora</strong> &lt;b&gt;x&lt;/b&gt; <a href=');
  expect(payload).toMatch(/<h3 dir="auto">Board<\/h3>\s*<ul dir="auto">\s*<li>Nora<\/li>/);
  expect(payload).toContain('/instance/3b7bab-254e6d.css');
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'content-security-policy': expect.stringContaining("default-src 'none'"),
  });
  const headersInGerman = { accept: 'text/html', 'accept-language': 'de' };
  const inGerman = await server.app.inject({ url: `/${name}`, headers: headersInGerman });
  expect(inGerman.payload).toContain(`<h1>${german}</h1>`);
  await reset();
  expect((await get(`/${name}`)).statusCode).toBe(404);
});

it('a legal text may be as long as the limit, whatever is in it', async () => {
  await update({ imprint: '*_[`'.repeat(12_500) });
  expect((await get('/imprint')).statusCode).toBe(200);
});

it('a legal text wins over the link wherever that is shown, until it is removed', async () => {
  await createPage(server, {}, 'with-a-text');
  const linksAt = async (path: string) =>
    [...(await get(path)).payload.matchAll(/[^";]*\/(?:imprint|privacy|terms|rules)(?=["&])/g)]
      .map(([url]) => url)
      .toSorted();
  const readLinks = async () => ({
    page: await linksAt('/@with-a-text'),
    front: await linksAt('/?name=free-here'),
    login: await linksAt('/dashboard/login'),
  });
  await update(CLUB);
  const before = await readLinks();
  expect(before.login).toHaveLength(3);
  await update({ imprint: TEXT, privacy: TEXT, terms: TEXT });
  expect(await readLinks()).toEqual({
    page: ['http://localhost/imprint', 'http://localhost/privacy'],
    front: [
      ...['/privacy', '/terms'],
      ...['http://localhost/imprint', 'http://localhost/privacy', 'http://localhost/terms'],
    ],
    login: ['/imprint', '/privacy', '/terms'],
  });
  await update({ imprint: null, privacy: null, terms: null });
  expect(await readLinks()).toEqual(before);
});

type Drafts = Record<'imprint' | 'privacy' | 'terms', string>;
const readDrafts = async (language: string, at = server) => {
  const path = `GET /owner/server/get-legal-drafts?language=${language}` as const;
  return (await send(at, operator, path)).body as Drafts;
};

it('the drafts of the legal texts name the club, and have places to fill in that only the operator knows', async () => {
  await update(CLUB);
  const english = await readDrafts('en');
  expect(english.imprint).toContain(
    `${CLUB.name}\n[Street, postcode and town]\noffice@skerry.example`,
  );
  expect(english.terms).toContain('an account at Skerry <Sailing> Club.');
  expect(english.privacy).toContain(`## Who is responsible\n\n${CLUB.name}\n[Street`);
  const german = await readDrafts('de');
  expect(german.privacy).toContain(`## Wer verantwortlich ist\n\n${CLUB.name}\n[Straße`);
  for (const [name, text] of Object.entries(german))
    expect((await update({ [name]: text })).status).toBe(200);
  expect((await get('/privacy')).payload).toContain('<h2 dir="auto">Wer verantwortlich ist</h2>');
  const address = 'Skerry Sailing Club\nPier 3, 24103 Kiel';
  await update({ imprint: `## Imprint\n\n${address}\n\n[Names]` });
  // A text that starts with its title does not repeat it.
  expect((await get('/imprint')).payload).not.toContain('Imprint</h2>');
  expect((await readDrafts('en')).privacy).toContain(`## Who is responsible\n\n${address}\n\n`);
  await reset();
  expect(
    await send(server, operator, 'GET /owner/server/get-legal-drafts?language=fr'),
  ).toMatchObject(errorCode(400, 'languageInvalid'));
});

it('the drafts of the legal texts say what this server stores and for how long, but no secret of its settings', async () => {
  const settings = {
    ...{ NAME_QUARANTINE_DAYS: 45, EVENT_DAYS: 1, VISITOR_DAYS: 0, LOG_ADDRESSES: 'full' },
    ...{ COUNTRY_HEADER: 'cf-ipcountry', ABUSE_CONTACT: 'abuse@skerry.example' },
    BACKUP_DIR: 'off',
    ...{ SMTP_URL: 'smtps://nora:secret@mail.skerry.example:465' },
    ...{ EMAIL_FORWARDING_PROVIDER: 'forward-email', OIDC_ISSUER: 'https://id.skerry.example/x' },
  } as const;
  const other = await openTestApp(settings as object, server.database);
  const { privacy: withSettings } = await readDrafts('en', other);
  for (const fact of [
    ...['reserved for 45 days', 'in your account for 1 day.', 'kinds of device and countries'],
    ...['requests with IP addresses, to find misuse', '[How you make backups, '],
    ...['sent by mail.skerry.example.', 'forwarded by Forward Email.', 'with id.skerry.example'],
  ])
    expect(withSettings).toContain(fact);
  expect(withSettings).not.toMatch(/secret|delete these totals|report a page/);
  const { privacy } = await readDrafts('en');
  expect(privacy).toContain('delete these totals after 730 days');
  expect(privacy).toContain('requests without IP addresses');
  expect(privacy).toContain('a backup every night and keep the last seven');
  expect(privacy).not.toMatch(/countries|forward|If you sign in with/);
});

it('the logo is a copy of a picture of the operator, and its URL changes with it', async () => {
  const picture = await addPicture(server, operator, { width: 600, height: 300 });
  const { body } = await update({ logo_url: picture.url });
  const { logo_url: url } = (body as { instance: { logo_url: string } }).instance;
  expect(url).toMatch(/\/instance\/[\w-]{22}-600x300\.webp$/);
  await server.db.deleteFrom('pictures').where('id', '=', picture.id).execute();
  const { pathname } = new URL(url);
  const file = await get(pathname);
  expect(file.headers).toMatchObject({
    'content-type': 'image/webp',
    'cache-control': 'public, max-age=31536000, immutable',
  });
  expect(await sharp(file.rawPayload).metadata()).toMatchObject({ width: 512, height: 256 });
  expect((await get('/')).payload.replace(/\s+/g, ' ')).toContain(
    `<img src="${pathname}" width="56" height="28" alt=""/>`,
  );
  expect(await update({ logo_url: url })).toMatchObject({ status: 200 });
  await reset();
  expect((await get('/')).payload).not.toContain('/instance/');
});

it('the cover is at the top of the front page, cropped around its focus', async () => {
  const { url } = await addPicture(server, operator, { width: 1600, height: 800 });
  const { body } = await update({
    ...CLUB,
    cover_url: url,
    cover_description: 'Boats & "birds"',
    cover_focus: '30% 100%',
  });
  const { pathname } = new URL((body as { instance: { cover_url: string } }).instance.cover_url);
  const { payload } = await get('/');
  expect(payload).toContain(
    `<img class="cover" src="${pathname}" alt="Boats &amp; &quot;birds&quot;" width="1200" height="600"/>`,
  );
  expect(payload).toContain('.cover{object-position:30% 100%}');
  expect(payload).toContain('<h1>Skerry &lt;Sailing&gt; Club</h1>');
  const file = await get(pathname);
  expect(await sharp(file.rawPayload).metadata()).toMatchObject({ width: 1200, height: 600 });
  await update({ cover_url: null });
  const sign = (await get('/')).payload;
  expect(sign).not.toContain('class="cover"');
  expect(sign).toContain('<h1 class="plate"><span>Skerry &lt;Sailing&gt; Club</span></h1>');
  const other = await addPicture(server, await server.createAccount());
  expect(await update({ cover_url: other.url })).toMatchObject(errorCode(404, 'coverNotFound'));
});

it('the logo cannot be a picture of another account or server', async () => {
  const stranger = await server.createAccount();
  const picture = await addPicture(server, stranger);
  for (const [url, code] of [
    [picture.url, 'logoNotFound'],
    ['https://example.com/logo.png', 'logoNotFound'],
    ['x'.repeat(3_000), 'logoInvalid'],
  ])
    expect(await update({ logo_url: url })).toMatchObject({ headers: { 'x-error-code': code } });
  expect(await update({ dark_logo_url: picture.url })).toMatchObject(
    errorCode(404, 'darkLogoNotFound'),
  );
});

it('the logo that does not exist is 404', async () => {
  for (const id of [`${'a'.repeat(22)}-5x5`, '..%2f..%2fetc', 'x'])
    expect((await get(`/instance/${id}.webp`)).statusCode).toBe(404);
  expect((await get('/instance/red-blue.css')).statusCode).toBe(404);
});

it('there is at most one identity', async () => {
  await server.db.transaction().execute(async (trx) => {
    await saveInstance(trx, { name: 'One' });
    await saveInstance(trx, { line: 'Two' });
  });
  const rows = await server.db.selectFrom('instance').select(['name', 'line']).execute();
  expect(rows).toEqual([{ name: 'One', line: 'Two' }]);
});
