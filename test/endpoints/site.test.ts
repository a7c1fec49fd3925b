import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { UpdateSiteConfigurationRequest } from '../../client/src/index.ts';
import { THEMES } from '../../contract/themes.ts';
import { breakTable } from '../support/broken-table.ts';
import { send } from '../support/call.ts';
import { outcome } from '../support/outcome.ts';
import { type TestAccount, type TestApp, startTestApp } from '../support/test-app.ts';
import { titled } from '../support/titled.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());

const EMPTY = {
  bio: null,
  avatar_url: null,
  custom_theme: null,
  theme_id: null,
  display_name: null,
  location: null,
  mood: null,
  themes: null,
};
const TEXT = { id: randomUUID(), type: 'text', enabled: true, content: 'Hello!' };
const LINK = {
  id: randomUUID(),
  type: 'link',
  enabled: false,
  url: 'mailto:jane@example.com',
  label: 'Mail',
};
const GALLERY = {
  id: randomUUID(),
  type: 'gallery',
  enabled: true,
  images: [{ src: 'x', n: 1.5 }, null],
  a: { b: [] },
};
const FULL = {
  bio: 'Potter in Lisbon.\nAnd 🦉.',
  avatar_url: 'https://example.com/a.png',
  theme_id: THEMES[2].id,
  custom_theme: { background_color: '#101418', font_family: 'Open Sans' },
  display_name: "Jane's pots",
  location: 'Lisbon',
  mood: '🌞',
  blocks: [TEXT, LINK, GALLERY],
} satisfies UpdateSiteConfigurationRequest;

function read({ client }: TestAccount) {
  return client.site.getSiteConfiguration();
}

function update({ client }: TestAccount, request: unknown) {
  return outcome(client.site.updateSiteConfiguration(request as UpdateSiteConfigurationRequest));
}

const DONE = { status: 200, body: { success: true } };
const REFUSED = { status: 400, body: { error: expect.any(String) } };

describe('getSiteConfiguration', () => {
  it('answers null for every field that was never set, and all preset themes', async () => {
    expect(await read(await server.createAccount())).toEqual({
      site: EMPTY,
      blocks: [],
      availableThemes: THEMES,
    });
  });

  it('answers what was written, blocks in their order', async () => {
    const account = await server.createAccount();
    expect(await update(account, FULL)).toEqual(DONE);
    const { blocks, ...site } = FULL;
    expect(await read(account)).toEqual({
      site: { ...site, themes: THEMES[2] },
      blocks,
      availableThemes: THEMES,
    });
  });

  it('needs one query beside the one for the key, however many blocks there are', async () => {
    const account = await server.createAccount();
    const blocks = Array.from({ length: 100 }, (_, n) => ({ type: 'text', content: String(n) }));
    expect(await update(account, { blocks })).toEqual(DONE);
    const before = server.queryCount();
    const answer = await read(account);
    expect(server.queryCount() - before).toBeLessThanOrEqual(2);
    expect(answer.blocks.map((block) => block.content)).toEqual(blocks.map((b) => b.content));
  });
});

describe('preset themes', () => {
  it('are seven, of distinct ids and names, at least one light and one dark', () => {
    expect(THEMES).toHaveLength(7);
    expect(new Set(THEMES.map(({ id }) => id)).size).toBe(7);
    expect(new Set(THEMES.map(({ name }) => name)).size).toBe(7);
    const backgrounds = THEMES.map(({ settings }) => luminance(settings.backgroundColor));
    expect(Math.max(...backgrounds)).toBeGreaterThan(0.8);
    expect(Math.min(...backgrounds)).toBeLessThan(0.05);
  });

  it.each(THEMES)('$name has text and accent with a contrast of 4.5 (WCAG AA)', ({ settings }) => {
    const { textColor, accentColor, backgroundColor } = settings;
    expect(contrast(textColor, backgroundColor)).toBeGreaterThanOrEqual(4.5);
    expect(contrast(accentColor, backgroundColor)).toBeGreaterThanOrEqual(4.5);
  });

  it.each(THEMES)('$name can be selected', async (theme) => {
    const account = await server.createAccount();
    expect(await update(account, { theme_id: theme.id })).toEqual(DONE);
    const { site } = await read(account);
    expect(site).toMatchObject({ theme_id: theme.id, themes: theme });
  });
});

describe('updateSiteConfiguration', () => {
  it('changes nothing without a key in the body', async () => {
    const account = await server.createAccount();
    expect(await update(account, {})).toEqual(DONE);
    await update(account, FULL);
    const before = await read(account);
    expect(await update(account, {})).toEqual(DONE);
    expect(await read(account)).toEqual(before);
  });

  it('takes back what was read, and changes nothing', async () => {
    const account = await server.createAccount();
    for (const written of [{}, FULL]) {
      await update(account, written);
      const before = await read(account);
      expect(await update(account, { ...before.site, blocks: before.blocks })).toEqual(DONE);
      expect(await update(account, before)).toEqual(DONE);
      expect(await read(account)).toEqual(before);
    }
  });

  it.each(['bio', 'avatar_url', 'theme_id', 'custom_theme', 'display_name', 'location', 'mood'])(
    'leaves %s as it is when absent, and clears it with null',
    async (field) => {
      const account = await server.createAccount();
      await update(account, FULL);
      const { site: before } = await read(account);
      const other = field === 'bio' ? { mood: 'x' } : { bio: 'x' };
      await update(account, other);
      expect((await read(account)).site).toEqual({ ...before, ...other });
      expect(await update(account, { [field]: null })).toEqual(DONE);
      expect((await read(account)).site).toEqual({
        ...before,
        ...other,
        [field]: null,
        ...(field === 'theme_id' && { themes: null }),
      });
    },
  );

  it('clears theme_id and avatar_url with an empty string, and keeps other empty texts', async () => {
    const account = await server.createAccount();
    await update(account, FULL);
    const cleared = { theme_id: '', avatar_url: '', bio: '', location: '', mood: '' };
    expect(await update(account, cleared)).toEqual(DONE);
    expect((await read(account)).site).toMatchObject({
      theme_id: null,
      themes: null,
      avatar_url: null,
      bio: '',
      location: '',
      mood: '',
    });
  });

  it.each([
    ['bio', 4_000],
    ['display_name', 200],
    ['location', 200],
    ['mood', 200],
  ])('takes %s of %i code points and no more', async (field, max) => {
    const account = await server.createAccount();
    for (const letter of ['x', 'ß', '🦉']) {
      expect(await update(account, { [field]: letter.repeat(max) })).toEqual(DONE);
      expect((await read(account)).site).toMatchObject({ [field]: letter.repeat(max) });
      expect(await update(account, { [field]: letter.repeat(max + 1) })).toEqual({
        status: 400,
        body: { error: `${field} must be a string of at most ${max} characters, or null.` },
      });
    }
    for (const wrong of [1, true, {}, ['x']])
      expect(await update(account, { [field]: wrong })).toEqual(REFUSED);
    expect((await read(account)).site).toMatchObject({ [field]: '🦉'.repeat(max) });
  });

  it.each(
    titled([
      '<script>alert(1)</script></style>{{7*7}}${7*7}',
      "'); DROP TABLE sites; --",
      '\u202eright to left\u2066',
      'line\r\nbreak\ttab',
      '\\u0041 \\ " / \u2028',
    ]),
  )('stores $title as it came', async ({ value: bio }) => {
    const account = await server.createAccount();
    expect(await update(account, { bio, mood: bio })).toEqual(DONE);
    expect((await read(account)).site).toMatchObject({ bio, mood: bio });
  });

  it("leaves the account's display name alone", async () => {
    const [a, b] = [await server.createAccount(), await server.createAccount()];
    await b.client.account.updateDisplayName({ display_name: 'name-of-b' });
    for (const name of ['admin', 'name-of-b'])
      expect(await update(a, { display_name: name })).toEqual(DONE);
    expect(await a.client.account.getDisplayName()).toEqual({ display_name: '' });
    expect(await b.client.account.getDisplayName()).toEqual({ display_name: 'name-of-b' });
  });

  it('applies nothing that is no field of it', async () => {
    const [a, b] = [await server.createAccount(), await server.createAccount()];
    await update(b, FULL);
    const before = { site: await read(b), status: await b.client.site.getSiteStatus() };
    const json = {
      bio: 'mine',
      account_id: b.id,
      user_id: b.id,
      owner_id: b.id,
      id: b.id,
      enabled: true,
      is_public: true,
      newStatus: true,
      forwarding_enabled: true,
      email_forwarding: { enabled: true },
      themes: [{ id: 'x' }],
      availableThemes: [],
      site: { bio: 'nested' },
      position: 99,
      created_at: '2000-01-01T00:00:00Z',
    };
    expect(await update(a, json)).toEqual(DONE);
    expect((await read(a)).site).toEqual({ ...EMPTY, bio: 'mine' });
    expect(await a.client.site.getSiteStatus()).toEqual({ enabled: false });
    expect({ site: await read(b), status: await b.client.site.getSiteStatus() }).toEqual(before);
    const profile = await server.database.db
      .selectFrom('profiles')
      .selectAll()
      .where('account_id', '=', a.id)
      .executeTakeFirstOrThrow();
    expect(profile).toMatchObject({ forwarding_enabled: false, forwarding_email: null });
  });
});

describe('avatar_url', () => {
  it.each(
    titled([
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'java\nscript:alert(1)',
      '\u0001javascript:alert(1)',
      ' https://example.com',
      'https://example.com ',
      'https://exa mple.com',
      'https://example.com/\n',
      'data:image/svg+xml,<svg/>',
      'vbscript:x',
      'blob:https://example.com/x',
      'file:///etc/passwd',
      'ftp://example.com/a.png',
      'mailto:a@example.com',
      '//evil.example/a.png',
      '/a.png',
      'a.png',
      'https:',
      'https://',
      'https:/example.com',
      'https:example.com',
      'https://user@example.com/',
      'https://user:pw@example.com/',
      'https://:@example.com/',
      'https://example.com:99999/',
      'https://[::1',
      'https://a\\@b.example/',
      `https://example.com/${'x'.repeat(2_029)}`,
      1,
      {},
      [],
      true,
    ]),
  )('refuses $title', async ({ value: url }) => {
    const account = await server.createAccount();
    expect(await update(account, { avatar_url: url })).toEqual({
      status: 400,
      body: { error: expect.stringMatching(/^avatar_url must be/) },
    });
  });

  it.each(
    titled([
      'https://example.com',
      'http://example.com/a.png?x=1&y=%20#z',
      'HTTPS://EXAMPLE.com:8443/',
      'https://[2001:db8::1]/',
      'https://bücher.example/ä',
      `https://example.com/${'x'.repeat(2_028)}`,
    ]),
  )('keeps $title as it came', async ({ value: url }) => {
    const account = await server.createAccount();
    expect(await update(account, { avatar_url: url })).toEqual(DONE);
    expect((await read(account)).site.avatar_url).toBe(url);
  });

  it('is never fetched, nor is the url of a block', async () => {
    let visits = 0;
    const web = createServer((_request, response) => {
      visits += 1;
      response.end();
    });
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(web.address() as AddressInfo).port}/a.png`;
    const account = await server.createAccount();
    expect(await update(account, { avatar_url: url, blocks: [{ type: 'link', url }] })).toEqual(
      DONE,
    );
    await read(account);
    await new Promise((resolve) => web.close(resolve));
    expect(visits).toBe(0);
  });
});

describe('theme_id and custom_theme', () => {
  it.each(
    titled([
      randomUUID(),
      'x',
      ' ',
      1,
      {},
      [],
      true,
      `{${THEMES[0].id}}`,
      THEMES[0].id.toUpperCase(),
      THEMES[0].name,
    ]),
  )('refuses the theme_id $title', async ({ value: themeId }) => {
    const account = await server.createAccount();
    expect(await update(account, { theme_id: themeId })).toEqual({
      status: 400,
      body: { error: 'theme_id must be the id of a preset theme, an empty string or null.' },
    });
  });

  it('keep each other: the preset is selected, and the custom theme is back without it', async () => {
    const account = await server.createAccount();
    const custom = { background_color: '#FF00AA', text_color: '#00ff00' };
    await update(account, { theme_id: THEMES[4].id, custom_theme: custom });
    expect((await read(account)).site).toMatchObject({
      theme_id: THEMES[4].id,
      themes: THEMES[4],
      custom_theme: custom,
    });
    await update(account, { theme_id: null });
    expect((await read(account)).site).toMatchObject({
      theme_id: null,
      themes: null,
      custom_theme: custom,
    });
  });

  it('a custom theme takes any of its keys, replaces the last one and drops unknown keys', async () => {
    const account = await server.createAccount();
    const whole = {
      background_color: '#101418',
      primary_color: '#FFD166',
      text_color: '#F5F5F5',
      accent_color: '#06d6a0',
      font_family: 'Open Sans, sans-serif',
    };
    await update(account, { custom_theme: { ...whole, evil: 1 } });
    expect((await read(account)).site.custom_theme).toEqual(whole);
    await update(account, { custom_theme: { text_color: '#000000' } });
    expect((await read(account)).site.custom_theme).toEqual({ text_color: '#000000' });
    await update(account, { custom_theme: {} });
    expect((await read(account)).site.custom_theme).toEqual({});
  });

  it.each(['background_color', 'primary_color', 'text_color', 'accent_color'])(
    'refuses what is no #RRGGBB as %s',
    async (key) => {
      const account = await server.createAccount();
      for (const colour of [
        '#fff',
        '#ff00aa80',
        'red',
        '#ff00aa\n',
        ' #ff00aa',
        '＃ff00aa',
        '#ff00aa;}body{color:red}',
        '#gggggg',
        'ff00aa',
        '',
        null,
        1,
        [],
      ])
        expect(await update(account, { custom_theme: { [key]: colour } })).toEqual({
          status: 400,
          body: {
            error: expect.stringContaining(
              `custom_theme.${key} must be a hex colour of the form #RRGGBB.`,
            ),
          },
        });
    },
  );

  it.each(
    titled([
      'x;}*{background:url(//e)}',
      `"a'`,
      '</style>',
      '\\66oo',
      'x'.repeat(101),
      'x'.repeat(10_240),
      'a\nb',
      'Ärial',
      '',
      null,
      1,
    ]),
  )('refuses the font_family $title', async ({ value: font }) => {
    const account = await server.createAccount();
    expect(await update(account, { custom_theme: { font_family: font } })).toEqual(REFUSED);
  });

  it.each(titled(['Open Sans', 'x'.repeat(100), 'a_b-c, Arial 2']))(
    'takes the font_family $title',
    async ({ value: font }) => {
      const account = await server.createAccount();
      expect(await update(account, { custom_theme: { font_family: font } })).toEqual(DONE);
      expect((await read(account)).site.custom_theme).toEqual({ font_family: font });
    },
  );

  it.each(titled(['x', 1, [], true]))(
    'refuses the custom_theme $title',
    async ({ value: theme }) => {
      const account = await server.createAccount();
      expect(await update(account, { custom_theme: theme })).toEqual(REFUSED);
    },
  );
});

describe('blocks', () => {
  it('a block without an id gets a new UUID and is enabled', async () => {
    const account = await server.createAccount();
    await update(account, {
      blocks: [
        { type: 'text', content: 'a' },
        { type: 'text', content: 'a' },
      ],
    });
    const { blocks } = await read(account);
    const uuid = expect.stringMatching(
      /^[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    expect(blocks).toEqual([
      { id: uuid, type: 'text', content: 'a', enabled: true },
      { id: uuid, type: 'text', content: 'a', enabled: true },
    ]);
    expect(blocks[0]?.id).not.toBe(blocks[1]?.id);
  });

  it('are updated in place, reordered, added and deleted in one request', async () => {
    const account = await server.createAccount();
    await update(account, FULL);
    const next = [
      { ...GALLERY, images: [] },
      { ...TEXT, content: 'Changed.', enabled: false },
      { id: randomUUID(), type: 'text', enabled: true, content: 'New.' },
    ];
    expect(await update(account, { blocks: next })).toEqual(DONE);
    expect((await read(account)).blocks).toEqual(next);
    expect(next.map(({ id }) => id)).not.toContain(LINK.id);
  });

  it('are all deleted by an empty list, and untouched without the key', async () => {
    const account = await server.createAccount();
    await update(account, FULL);
    await update(account, { bio: 'x' });
    expect((await read(account)).blocks).toEqual(FULL.blocks);
    expect(await update(account, { blocks: [] })).toEqual(DONE);
    expect((await read(account)).blocks).toEqual([]);
  });

  it('a block that changes its type keeps nothing of the old one', async () => {
    const account = await server.createAccount();
    const id = randomUUID();
    await update(account, { blocks: [{ id, type: 'link', url: 'tel:+1', label: 'x' }] });
    await update(account, { blocks: [{ id, type: 'text', content: 'y' }] });
    expect((await read(account)).blocks).toEqual([
      { id, type: 'text', content: 'y', enabled: true },
    ]);
  });

  it('an upper-case id is the same block', async () => {
    const account = await server.createAccount();
    const id = randomUUID();
    await update(account, { blocks: [{ id: id.toUpperCase(), type: 'text', content: 'a' }] });
    expect((await read(account)).blocks).toMatchObject([{ id }]);
    const twice = [id, id.toUpperCase()].map((each) => ({ id: each, type: 'text', content: 'b' }));
    expect(await update(account, { blocks: twice })).toEqual(REFUSED);
  });

  it('the same id twice is refused and nothing changes', async () => {
    const account = await server.createAccount();
    await update(account, FULL);
    const before = await read(account);
    expect(await update(account, { bio: 'other', blocks: [TEXT, TEXT] })).toEqual({
      status: 400,
      body: { error: 'blocks must not hold the same id twice.' },
    });
    expect(await read(account)).toEqual(before);
  });

  it("another account's id is an unused one: it is neither stolen nor detected", async () => {
    const [a, b] = [await server.createAccount(), await server.createAccount()];
    await update(b, FULL);
    const before = await read(b);
    const { id } = TEXT;
    const mine = [{ id, type: 'text', content: 'mine', enabled: true }];
    expect(await update(a, { blocks: mine })).toEqual(DONE);
    expect((await read(a)).blocks).toEqual(mine);
    expect(await read(b)).toEqual(before);
    await update(a, { blocks: [] });
    expect(await read(b)).toEqual(before);
  });

  it.each(
    (
      [
        ['x', /^blocks must be an array/],
        [{}, /^blocks must be an array/],
        [null, /^blocks must be an array/],
        [[null], /^blocks\.0 must be an object/],
        [['x'], /^blocks\.0 must be an object/],
        [[[]], /^blocks\.0 must be an object/],
        [[{}], /^blocks\.0\.type /],
        [[{ type: '' }], /^blocks\.0\.type /],
        [[{ type: 'Text' }], /^blocks\.0\.type /],
        [[{ type: 'a b' }], /^blocks\.0\.type /],
        [[{ type: 'x'.repeat(33) }], /^blocks\.0\.type /],
        [[{ type: 'x'.repeat(10_240) }], /^blocks\.0\.type /],
        [[{ type: 1 }], /^blocks\.0\.type /],
        [[{ type: 'text' }], /^blocks\.0\.content is needed in a text block/],
        [[{ type: 'text', content: 1 }], /^blocks\.0\.content /],
        [[{ type: 'text', content: null }], /^blocks\.0\.content /],
        [[{ type: 'text', content: 'x'.repeat(10_001) }], /^blocks\.0\.content /],
        [[{ type: 'link' }], /^blocks\.0\.url is needed in a link block/],
        [[{ type: 'link', url: '' }], /^blocks\.0\.url /],
        [[{ type: 'link', url: 'javascript:alert(1)' }], /^blocks\.0\.url /],
        [[{ type: 'link', url: 'data:,x' }], /^blocks\.0\.url /],
        [[{ type: 'link', url: '/relative' }], /^blocks\.0\.url /],
        [[{ type: 'link', url: 'https://u:p@example.com' }], /^blocks\.0\.url /],
        [[{ type: 'link', url: 'mailto:a\nb' }], /^blocks\.0\.url /],
        [[{ type: 'image', url: 'mailto:a@example.com' }], /^blocks\.0\.url /],
        [[{ type: 'text', content: 'x', url: 'javascript:1' }], /^blocks\.0\.url /],
        [[{ type: 'text', content: 'x', enabled: 'true' }], /^blocks\.0\.enabled /],
        [[{ type: 'text', content: 'x', enabled: null }], /^blocks\.0\.enabled /],
        [[{ id: 'x', type: 'text', content: 'x' }], /^blocks\.0\.id must be a UUID/],
        [[{ id: 1, type: 'text', content: 'x' }], /^blocks\.0\.id must be a UUID/],
        [[{ id: null, type: 'text', content: 'x' }], /^blocks\.0\.id must be a UUID/],
        [[{ id: '', type: 'text', content: 'x' }], /^blocks\.0\.id must be a UUID/],
        [[{ type: 'x', more: 'y'.repeat(16_384) }], /^blocks\.0 must hold further fields/],
        [[{ type: 'x' }, { type: 1 }], /^blocks\.1\.type /],
        [Array.from({ length: 101 }, () => ({ type: 'x' })), /^blocks must hold at most 100/],
      ] as [unknown, RegExp][]
    ).map(([blocks, message]) => ({
      title: JSON.stringify(blocks),
      value: [blocks, message] as const,
    })),
  )('refuses $title', async ({ value: [blocks, message] }) => {
    const account = await server.createAccount();
    expect(await update(account, { blocks })).toEqual({
      status: 400,
      body: { error: expect.stringMatching(message) },
    });
  });

  it('may be 100, with 10,000 characters of content', async () => {
    const account = await server.createAccount();
    const blocks = Array.from({ length: 100 }, () => ({
      type: 'text',
      content: 'é'.repeat(5_000),
    }));
    expect(await update(account, { blocks })).toEqual(DONE);
    const long = [{ type: 'text', content: '🦉'.repeat(10_000) }];
    expect(await update(account, { blocks: long })).toEqual(DONE);
    expect((await read(account)).blocks).toMatchObject(long);
  });

  it('keep further fields of any kind and name, up to 16 KiB of JSON', async () => {
    const account = await server.createAccount();
    const block = {
      type: 'x',
      account_id: 'a',
      position: 99,
      fields: { fields: 1 },
      toString: 'x',
      '': [null, true, -1.5, 1e308, 'ä'],
      'ключ "\\': { z: 1, a: 2 },
      more: 'y'.repeat(16_000),
    };
    expect(await update(account, { blocks: [block] })).toEqual(DONE);
    const [stored] = (await read(account)).blocks;
    expect(stored).toEqual({ ...block, id: expect.any(String), enabled: true });
    expect(Object.keys(stored?.['ключ "\\'] as object)).toEqual(['z', 'a']);
  });
});

describe('a failure in the database', () => {
  it.each([
    ['Failed to update site details.', 'sites', 'INSERT'],
    ['Failed to save content blocks.', 'blocks', 'INSERT'],
    ['Failed to remove old content blocks.', 'blocks', 'DELETE'],
  ] as const)('%s Nothing is changed, and it can be repeated', async (error, table, operation) => {
    const account = await server.createAccount();
    await update(account, FULL);
    const before = await read(account);
    const change = {
      bio: 'other',
      blocks: [{ ...LINK, label: 'other' }, { type: 'new' }],
    };
    const mend = await breakTable(server.database.db, { table, operation, accountId: account.id });
    expect(await update(account, change)).toEqual({ status: 500, body: { error } });
    expect(await read(account)).toEqual(before);
    await mend();
    expect(await update(account, change)).toEqual(DONE);
    expect(await read(account)).toMatchObject({ site: { bio: 'other' }, blocks: change.blocks });
  });

  it('of the toggle answers its own sentence and changes nothing', async () => {
    const account = await server.createAccount();
    const mend = await breakTable(server.database.db, {
      table: 'sites',
      operation: 'INSERT',
      accountId: account.id,
    });
    expect(await send(server, account, 'POST /site/toggle-site-visibility')).toMatchObject({
      status: 500,
      body: { error: 'The visibility could not be updated.' },
    });
    await mend();
    expect(await account.client.site.getSiteStatus()).toEqual({ enabled: false });
  });
});

describe('many updates at once', () => {
  const lists = Array.from({ length: 30 }, (_, request) => {
    const shared = FULL.blocks.map(({ id }) => ({
      id,
      type: 'text',
      content: `of ${String(request)}`,
    }));
    if (request % 2) shared.reverse();
    return { bio: `bio ${request}`, blocks: [...shared, { type: 'new', request }] };
  });

  it.each([
    ['of a site', FULL],
    ['as the very first write of a site', undefined],
  ])('%s end as exactly one of them', async (_title, initial) => {
    const account = await server.createAccount();
    if (initial) await update(account, initial);
    const answers = await Promise.all(lists.map((list) => update(account, list)));
    expect(answers).toEqual(lists.map(() => DONE));
    const { site, blocks } = await read(account);
    const winner = lists.find((list) => list.bio === site.bio);
    expect(blocks).toHaveLength(4);
    expect(blocks).toMatchObject(winner?.blocks ?? []);
    const positions = await server.database.db
      .selectFrom('blocks')
      .select('position')
      .where('account_id', '=', account.id)
      .orderBy('position')
      .execute();
    expect(positions).toEqual([0, 1, 2, 3].map((position) => ({ position })));
  });

  it('are never seen half done by a reader', async () => {
    const account = await server.createAccount();
    await update(account, lists[0]);
    const [, ...reads] = await Promise.all([
      Promise.all(lists.map((list) => update(account, list))),
      ...lists.map(() => read(account)),
    ]);
    for (const { site, blocks } of reads)
      expect(blocks.map(({ content, request }) => content ?? `of ${String(request)}`)).toEqual(
        blocks.map(() => site.bio?.replace('bio', 'of')),
      );
  });
});

describe('visibility', () => {
  it('is off at first, and each toggle inverts it', async () => {
    const { client } = await server.createAccount();
    expect(await client.site.getSiteStatus()).toEqual({ enabled: false });
    for (const newStatus of [true, false, true]) {
      expect(await client.site.toggleSiteVisibility()).toEqual({ success: true, newStatus });
      expect(await client.site.getSiteStatus()).toEqual({ enabled: newStatus });
    }
  });

  it('is kept by an update of the site, and the site by a toggle', async () => {
    const account = await server.createAccount();
    await account.client.site.toggleSiteVisibility();
    await update(account, FULL);
    expect(await account.client.site.getSiteStatus()).toEqual({ enabled: true });
    const before = await read(account);
    await account.client.site.toggleSiteVisibility();
    expect(await read(account)).toEqual(before);
  });

  it("is each account's own", async () => {
    const [a, b] = [await server.createAccount(), await server.createAccount()];
    await a.client.site.toggleSiteVisibility();
    expect(await b.client.site.getSiteStatus()).toEqual({ enabled: false });
  });

  it('flips exactly as often as it is toggled, also when 201 do it at once and first', async () => {
    const { client } = await server.createAccount();
    const toggles = Array.from({ length: 201 }, () => client.site.toggleSiteVisibility());
    const answers = await Promise.all(toggles);
    expect(answers.filter(({ newStatus }) => newStatus)).toHaveLength(101);
    expect(await client.site.getSiteStatus()).toEqual({ enabled: true });
  });
});

/** WCAG 2.2, relative luminance of `#RRGGBB`. */
function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** WCAG 2.2, contrast ratio. */
function contrast(a: string, b: string): number {
  const [dark, light] = [luminance(a), luminance(b)].toSorted((x, y) => x - y) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}
