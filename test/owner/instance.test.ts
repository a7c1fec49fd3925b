import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { addPicture } from '../support/pictures.ts';
import { makeOperator } from '../support/endpoints.ts';
import { send } from '../support/call.ts';
import { eventually } from '../support/eventually.ts';
import { startTestApp } from '../support/test-app.ts';
import { useServer } from '../support/use-server.ts';
import { saveInstance } from '#db/queries/instance.ts';

const { server, account: operator } = useServer({ account: true });
beforeAll(() => makeOperator(server, operator));

const DEFAULTS = {
  ...{ name: null, line: null, color: null, logo_url: null, dark_logo_url: null, contact: null },
  ...{ imprint_url: null, privacy_url: null, terms_url: null, welcome: null },
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
  send(server, operator, 'POST /owner/operator/update-instance', json);
const read = () => send(server, operator, 'GET /owner/operator/get-instance');

/** Restores the defaults, so that the order of the tests does not matter. */
const reset = () => update(DEFAULTS);

describe('the identity of the installation', () => {
  it('is empty at first; what a response contains can be sent back', async () => {
    await reset();
    expect((await read()).body).toEqual({ instance: DEFAULTS });
    const changed = await update(CLUB);
    const instance = { ...DEFAULTS, ...CLUB, color: '#4f9bd6' };
    expect(changed.body).toEqual({ instance });
    expect((await update({ line: null })).body).toEqual({ instance: { ...instance, line: null } });
    expect((await update(instance)).body).toEqual({ instance });
    expect((await read()).body).toEqual({ instance });
  });

  it.each([
    ['name', 'x'.repeat(61), 'nameInvalid'],
    ['name', 'two\nlines', 'nameInvalid'],
    ['line', 'x'.repeat(101), 'lineInvalid'],
    ['color', 'red', 'colorInvalid'],
    ['contact', 'javascript:alert(1)', 'contactInvalid'],
    ['imprint_url', 'http://skerry.example', 'imprintUrlInvalid'],
    ['privacy_url', '/privacy', 'privacyUrlInvalid'],
    ['terms_url', 'https://user:password@skerry.example', 'termsUrlInvalid'],
    ['welcome', 'x'.repeat(2_001), 'welcomeInvalid'],
  ])('refuses an invalid %s', async (field, value, code) => {
    await reset();
    expect(await update({ [field]: value })).toMatchObject({
      status: 400,
      headers: { 'x-error-code': code, 'x-error-field': field },
    });
    expect((await read()).body).toEqual({ instance: DEFAULTS });
  });

  it('is audited when it changes', async () => {
    await update({ name: 'In time', color: null });
    const { body } = await send(server, operator, 'GET /owner/operator/list-audit-trail?limit=1');
    expect(body).toMatchObject({
      entries: [{ action: 'instance set', detail: { fields: ['name', 'color'] } }],
    });
  });

  it('shows on the front page, escaped, with links, consent and a readable color', async () => {
    await update(CLUB);
    const response = await get('/?name=free-here');
    const page = response.payload;
    expect(page).toContain('<title>Claim your name · Skerry &lt;Sailing&gt; Club</title>');
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

  it('shows on error pages, in the dashboard and in the API reference', async () => {
    await update(CLUB);
    const missing = (await get('/nothing-here')).payload;
    expect(missing).toContain('<title>No page here · Skerry &lt;Sailing&gt; Club</title>');
    const dashboard = (await get('/dashboard/login')).payload;
    expect(dashboard).toContain('<title>Skerry &lt;Sailing&gt; Club</title>');
    expect(dashboard).toContain('&quot;terms_url&quot;:&quot;https://skerry.example/rules&quot;');
    const reference = (await get('/docs/reference/')).payload;
    expect(reference).toContain('<title>API reference · Skerry &lt;Sailing&gt; Club</title>');
    expect(reference).not.toContain('<Sailing>');
    expect((await get('/docs/')).payload).toContain(
      '<title>API · Skerry &lt;Sailing&gt; Club</title>',
    );
    const readAuthor = async (path: string) => (await get(path)).json().info.contact.name;
    expect(await readAuthor('/openapi.json')).toBe(CLUB.name);
    expect(await readAuthor('/owner/openapi.json')).toBe(CLUB.name);
    expect((await get('/.well-known/security.txt')).payload).toContain(
      'Contact: mailto:office@skerry.example\n',
    );
    await reset();
    expect((await get('/docs/reference/')).payload).toContain('<title>API reference</title>');
    expect(await readAuthor('/openapi.json')).toBe('The operator of this server');
  });

  it('names the installed dashboard and new passkeys', async () => {
    const readNames = async () => {
      const manifest = (await get('/dashboard/manifest.webmanifest')).json();
      const { body } = await send(server, operator, 'POST /owner/passkeys/begin-registration');
      return [manifest.name, (body as { options: { rp: { name: string } } }).options.rp.name];
    };
    await reset();
    expect(await readNames()).toEqual(['Nameplate', 'Nameplate']);
    await update(CLUB);
    expect(await readNames()).toEqual([CLUB.name, CLUB.name]);
    await reset();
  });

  it('shows in the footer and the preview card of a page, which otherwise stay the same', async () => {
    await reset();
    const account = await server.createAccount();
    await account.client.account.updateDisplayName({ display_name: 'nora' });
    await account.client.site.toggleSiteVisibility();
    const [page, card] = [(await get('/@nora')).payload, (await get('/@nora/card.png')).rawPayload];
    await update(CLUB);
    const named = (await get('/@nora')).payload;
    expect(named).toContain('/">Skerry &lt;Sailing&gt; Club</a>');
    expect(named).toContain('<a href="https://skerry.example/imprint">Imprint</a>');
    expect(named).toContain('<a href="https://skerry.example/privacy">Privacy</a>');
    expect((await get('/@nora/card.png')).rawPayload.equals(card)).toBe(false);
    await reset();
    expect((await get('/@nora')).payload).toBe(page);
    expect((await get('/@nora/card.png')).rawPayload.equals(card)).toBe(true);
  });

  it('shows a change of another server within seconds', async () => {
    await reset();
    const other = await startTestApp({}, server.database);
    try {
      await other.app.inject('/');
      await update({ name: 'Everywhere' });
      await eventually(async () =>
        expect((await other.app.inject('/')).payload).toContain('Everywhere'),
      );
    } finally {
      await other.app.close();
      await reset();
    }
  });
});

describe('the logo', () => {
  it('is a copy of a picture of the operator, and its URL changes with it', async () => {
    await reset();
    const picture = await addPicture(server, operator, { width: 600, height: 300 });
    const { body } = await update({ logo_url: picture.url });
    const { logo_url: url } = (body as { instance: { logo_url: string } }).instance;
    expect(url).toMatch(/\/instance\/[\w-]{22}-600x300\.webp$/);
    await server.database.db.deleteFrom('pictures').where('id', '=', picture.picture_id).execute();
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

  it('cannot be a picture of another account or server', async () => {
    const stranger = await server.createAccount();
    const picture = await addPicture(server, stranger);
    for (const [url, code] of [
      [picture.url, 'logoNotFound'],
      ['https://example.com/logo.png', 'logoNotFound'],
      ['x'.repeat(3_000), 'logoInvalid'],
    ])
      expect(await update({ logo_url: url })).toMatchObject({ headers: { 'x-error-code': code } });
    expect(await update({ dark_logo_url: picture.url })).toMatchObject({
      status: 404,
      headers: { 'x-error-code': 'darkLogoNotFound', 'x-error-field': 'dark_logo_url' },
    });
  });

  it('that does not exist is 404', async () => {
    for (const id of [`${'a'.repeat(22)}-5x5`, '..%2f..%2fetc', 'x'])
      expect((await get(`/instance/${id}.webp`)).statusCode).toBe(404);
    expect((await get('/instance/red-blue.css')).statusCode).toBe(404);
  });
});

it('there is at most one identity', async () => {
  await server.database.db.transaction().execute(async (trx) => {
    await saveInstance(trx, { name: 'One' });
    await saveInstance(trx, { line: 'Two' });
  });
  const rows = await server.database.db.selectFrom('instance').select(['name', 'line']).execute();
  expect(rows).toEqual([{ name: 'One', line: 'Two' }]);
});
