import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { expect, it } from 'vitest';
import { SITE_FIELDS, SITE_TEXTS } from '#contract/shared/site-fields.ts';
import { THEMES } from '#contract/themes.ts';
import { send } from '../support/call.ts';
import { errorText } from '../support/expected-responses.ts';
import { failWrites } from '../support/fail-writes.ts';
import { listen } from '../support/listen.ts';
import { useServer } from '../support/use-server.ts';
import { withTitles } from '../support/with-titles.ts';
import {
  SUCCESS,
  EMPTY_SITE,
  FULL_SITE,
  LINK_BLOCK,
  BAD_REQUEST,
  readSite,
  updateSite,
} from './support/site.ts';

const { server, account } = useServer({ account: 'per test' });

it('getSiteConfiguration returns what was written, with blocks in order', async () => {
  expect(await updateSite(account, FULL_SITE)).toEqual(SUCCESS);
  const { blocks, ...site } = FULL_SITE;
  expect(await readSite(account)).toEqual({
    site: { ...site, themes: THEMES[2] },
    blocks,
    availableThemes: THEMES,
  });
});

it('getSiteConfiguration needs one query besides the one for the key, however many blocks there are', async () => {
  const blocks = Array.from({ length: 100 }, (_, n) => ({ type: 'text', content: String(n) }));
  expect(await updateSite(account, { blocks })).toEqual(SUCCESS);
  const before = server.queryCount();
  const response = await readSite(account);
  expect(server.queryCount() - before).toBe(2);
  expect(response.blocks.map((block) => block.content)).toEqual(blocks.map((b) => b.content));
});

it('updateSiteConfiguration accepts what was read, and changes nothing', async () => {
  for (const written of [{}, FULL_SITE]) {
    await updateSite(account, written);
    const before = await readSite(account);
    expect(await updateSite(account, { ...before.site, blocks: before.blocks })).toEqual(SUCCESS);
    expect(await updateSite(account, before)).toEqual(SUCCESS);
    expect(await updateSite(account, {})).toEqual(SUCCESS);
    expect(await readSite(account)).toEqual(before);
  }
});

it.each(SITE_FIELDS)(
  'updateSiteConfiguration leaves %s unchanged when absent, and clears it with null',
  async (field) => {
    await updateSite(account, FULL_SITE);
    const { site: before } = await readSite(account);
    const otherField = field === 'bio' ? { mood: 'x' } : { bio: 'x' };
    await updateSite(account, otherField);
    expect((await readSite(account)).site).toEqual({ ...before, ...otherField });
    expect(await updateSite(account, { [field]: null })).toEqual(SUCCESS);
    expect((await readSite(account)).site).toEqual({
      ...before,
      ...otherField,
      [field]: null,
      ...(field === 'theme_id' && { themes: null }),
    });
  },
);

it('updateSiteConfiguration clears theme_id and avatar_url with an empty string, and stores other empty strings', async () => {
  await updateSite(account, FULL_SITE);
  const emptyTexts = { bio: '', location: '', mood: '' };
  const request = { theme_id: '', avatar_url: '', ...emptyTexts };
  expect(await updateSite(account, request)).toEqual(SUCCESS);
  const cleared = { theme_id: null, themes: null, avatar_url: null };
  expect((await readSite(account)).site).toMatchObject({ ...cleared, ...emptyTexts });
});

it.each(Object.entries(SITE_TEXTS).map(([field, { max }]) => [field, max] as const))(
  'updateSiteConfiguration accepts %s of up to %i code points',
  async (field, max) => {
    for (const character of ['x', 'ß', '🦉']) {
      expect(await updateSite(account, { [field]: character.repeat(max) })).toEqual(SUCCESS);
      expect((await readSite(account)).site).toMatchObject({ [field]: character.repeat(max) });
      expect(await updateSite(account, { [field]: character.repeat(max + 1) })).toEqual(
        errorText(
          400,
          `${field} must be a string of at most ${max.toLocaleString('en')} characters, or null.`,
        ),
      );
    }
    for (const invalidBio of [1, true, {}, ['x']])
      expect(await updateSite(account, { [field]: invalidBio })).toEqual(BAD_REQUEST);
    expect((await readSite(account)).site).toMatchObject({ [field]: '🦉'.repeat(max) });
  },
);

it.each(
  withTitles([
    '<script>alert(1)</script></style>{{7*7}}${7*7}',
    "'); DROP TABLE sites; --",
    '\u202eright to left\u2066',
    'line\r\nbreak\ttab',
    '\\u0041 \\ " / \u2028',
  ]),
)('updateSiteConfiguration stores $title unchanged', async ({ value: bio }) => {
  expect(await updateSite(account, { bio, mood: bio })).toEqual(SUCCESS);
  expect((await readSite(account)).site).toMatchObject({ bio, mood: bio });
});

it('updateSiteConfiguration ignores unknown fields', async () => {
  const [a, b] = [await server.createAccount(), await server.createAccount()];
  await updateSite(b, FULL_SITE);
  const before = { site: await readSite(b), status: await b.client.site.getSiteStatus() };
  // The display name is the title of the page, not the name of the account.
  const known = { bio: 'mine', display_name: 'admin' };
  const json = {
    ...known,
    ...{ account_id: b.id, user_id: b.id, owner_id: b.id, id: b.id, position: 99 },
    ...{ enabled: true, is_public: true, newStatus: true, created_at: '2000-01-01T00:00:00Z' },
    ...{ forwarding_enabled: true, email_forwarding: { enabled: true } },
    ...{ themes: [{ id: 'x' }], availableThemes: [], site: { bio: 'nested' } },
  };
  expect(await updateSite(a, json)).toEqual(SUCCESS);
  expect((await readSite(a)).site).toEqual({ ...EMPTY_SITE, ...known });
  expect(await a.client.account.getDisplayName()).toEqual({ display_name: '' });
  expect(await a.client.site.getSiteStatus()).toEqual({ enabled: false });
  expect({ site: await readSite(b), status: await b.client.site.getSiteStatus() }).toEqual(before);
  const settings = await server.sql`SELECT * FROM forwarding_settings WHERE account_id = ${a.id}`;
  expect(settings).toMatchObject([{ forwarding_enabled: false, forwarding_email: null }]);
});

it('updateSiteConfiguration names up to ten ignored fields in a header, also to a retry', async () => {
  const update = async (body: object) => {
    const headers = { 'idempotency-key': randomUUID() };
    const sendOnce = () =>
      send(server, account, 'POST /site/update-site-configuration', body, headers);
    const responses = [await sendOnce(), await sendOnce()];
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    return responses.map((response) => response.headers['x-ignored-fields']);
  };
  const ignored =
    'b%C3%B6i,custom_theme.backgroundColor,blocks.0.titel,blocks.1.items.0.lable,blocks.2.type';
  expect(
    await update({
      böi: 'Potter',
      custom_theme: { backgroundColor: '#000000' },
      blocks: [
        { type: 'link', url: 'https://example.com', titel: 'Shop' },
        { type: 'social', items: [{ url: 'https://example.com', lable: 'Shop' }] },
        { type: 'lnk', url: 'https://example.com' },
      ],
    }),
  ).toEqual([ignored, ignored]);
  const [unused] = await update({
    blocks: [
      { type: 'event', title: 'Fair', starts_at: '2026-12-05', ends_at: '2026-12-04' },
      { type: 'faq', items: [{ question: 'Do you ship?' }], title: 2026 },
      { type: 'link', url: 'https://a.example', from: '2026-12-05', until: '2026-12-04' },
      { type: 'image', url: 'https://a.example/a', link: '/shop', width: 5 },
      { type: 'page', lang: 'en', fediverse: 'jane' },
      { type: 'text', content: ' ' },
      { type: 'contact', phone: 112, address: true },
      { type: 'gallery', items: Array(51).fill({ url: 'https://a.example/a' }) },
    ],
  });
  const [empty] = await update({
    blocks: [
      { type: 'event' },
      ...['contact', 'faq', 'gallery', 'social'].map((type) => ({ type })),
      ...['faq', 'gallery', 'social'].map((type) => ({ type, items: [] })),
      { type: 'faq', items: [{}] },
      { type: 'contact', phone: '112' },
      { type: 'contact', forwarding: false },
    ],
  });
  expect(String(empty).split(',')).toEqual(
    `blocks.0 blocks.1 blocks.2 blocks.3 blocks.4 blocks.5 blocks.6 blocks.7
      blocks.8.items.0 blocks.10`.split(/\s+/),
  );
  expect(String(unused).split(',')).toEqual(
    `blocks.0.ends_at blocks.1.items.0 blocks.1.title blocks.2.until blocks.3.link blocks.3.width
      blocks.4.fediverse blocks.5 blocks.6.address blocks.7.items.50`.split(/\s+/),
  );
  const choir = { type: 'event', title: 'Choir', starts_at: '2026-12-01', repeats: 'weekly' };
  const [stray] = await update({
    blocks: [{ ...choir, repeats_except: ['2026-12-22', '2026-12-23', 'x'] }],
  });
  expect(stray).toBe('blocks.0.repeats_except.1,blocks.0.repeats_except.2');
  const fields = [
    { label: 'Boat', type: 'choice' },
    { label: 'Age', type: 'number' },
  ];
  const form = { type: 'contact_form', fields };
  expect(await update({ blocks: [form] })).toEqual(Array(2).fill('blocks.0.fields.0'));
  const many = Array.from({ length: 12 }, (_, index) => [`field${index}`, 1]);
  const [names] = await update(Object.fromEntries(many));
  expect(String(names).split(',')).toHaveLength(10);
  await updateSite(account, FULL_SITE);
  const { site, blocks } = await account.client.site.getSiteConfiguration();
  expect(await update({ ...site, blocks: blocks.slice(0, 1) })).toEqual([undefined, undefined]);
});

const WRONG_URLS =
  `javascript:alert(1) JaVaScRiPt:alert(1) data:image/svg+xml,<svg/> mailto:a@example.com
  //evil.example/a.png /a.png https:// https:example.com https://user@example.com/
  https://user:pw@example.com/ https://example.com:99999/ https://a\\@b.example/
  https://http//example.com https://https://example.com https://example..com/ https://.example.com/
  https://example.com../ https://${'a'.repeat(64)}.example/ https://${'ä'.repeat(60)}.example/
  https://${'a.'.repeat(127)}example/
  https://example.com/"onload=x https://example.com/?<script> https://example.com/a\\b^\``.split(
    /\s+/,
  );
const TOO_LONG = `https://example.com/${'x'.repeat(2_029)}`;
it.each(
  withTitles([...WRONG_URLS, ' https://example.com', 'https://exa mple.com', TOO_LONG, 1, []]),
)('avatar_url refuses $title', async ({ value: url }) => {
  expect(await updateSite(account, { avatar_url: url })).toEqual(
    errorText(400, expect.stringMatching(/^avatar_url must be/)),
  );
});

const RIGHT_URLS =
  `https://example.com http://example.com/a.png?x=1&y=%20#z HTTPS://EXAMPLE.com:8443/
  https://[2001:db8::1]/ https://bücher.example/ä https://example.com./ http://localhost:3000/
  https://a_b.example https://${'a'.repeat(63)}.example/ https://httpbin.example`.split(/\s+/);
it.each(withTitles([...RIGHT_URLS, `https://example.com/${'x'.repeat(2_028)}`]))(
  'avatar_url keeps $title unchanged',
  async ({ value: url }) => {
    expect(await updateSite(account, { avatar_url: url })).toEqual(SUCCESS);
    expect((await readSite(account)).site.avatar_url).toBe(url);
  },
);

it('avatar_url is never fetched, nor is the url of a block', async () => {
  let visits = 0;
  const webServer = createServer((_request, response) => {
    visits += 1;
    response.end();
  });
  const { url: origin, close } = await listen(webServer);
  const url = `${origin}/a.png`;
  expect(await updateSite(account, { avatar_url: url, blocks: [{ type: 'link', url }] })).toEqual(
    SUCCESS,
  );
  await readSite(account);
  await close();
  expect(visits).toBe(0);
});

it.each([
  ['Failed to update site details.', 'sites', 'INSERT'],
  ['Failed to save content blocks.', 'blocks', 'INSERT'],
  ['Failed to remove old content blocks.', 'blocks', 'DELETE'],
] as const)(
  'after a failure in the database: %s Nothing is changed, and it can be retried',
  async (error, table, operation) => {
    await updateSite(account, FULL_SITE);
    const before = await readSite(account);
    const change = { bio: 'other', blocks: [{ ...LINK_BLOCK, label: 'other' }, { type: 'new' }] };
    const stopFailing = await failWrites(server.db, `${operation} ${table}`, account.id);
    expect(await updateSite(account, change)).toEqual({ status: 500, body: { error } });
    expect(await readSite(account)).toEqual(before);
    await stopFailing();
    expect(await updateSite(account, change)).toEqual(SUCCESS);
    const { bio, blocks } = change;
    expect(await readSite(account)).toMatchObject({ site: { bio }, blocks });
  },
);

it('the visibility is not changed by an update of the site, nor the site by a toggle', async () => {
  await account.client.site.toggleSiteVisibility();
  await updateSite(account, FULL_SITE);
  expect(await account.client.site.getSiteStatus()).toEqual({ enabled: true });
  const before = await readSite(account);
  await account.client.site.toggleSiteVisibility();
  expect(await readSite(account)).toEqual(before);
});
