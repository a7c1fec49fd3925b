import { readFileSync, readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { THEMES } from '#contract/themes.ts';
import { BLOCK_RENDERERS } from '#page/blocks/index.ts';
import type { PublicSite } from '#page/public-site.ts';
import { exampleSite, readBlockExamples, PAGE_METRIC } from './support/block-examples.ts';
import {
  type Page,
  attribute,
  block,
  renderPage,
  renderSharePage,
  pageSettings,
  readText,
} from './support/site.ts';

const COVER = 'https://nameplate.example/pictures/AAAAAAAAAAAAAAAAAAAAAA-480x360/1200.webp';

const SITES: Partial<PublicSite>[] = [
  {},
  // Only this theme has a footer picture.
  { display_name: 'Jane Doe', theme_id: THEMES.find(({ name }) => name === 'Meadow')!.id },
  { avatar_url: 'https://cdn.example/a.png', bio: 'Potter', location: 'Lisbon' },
  { display_name: 'w'.repeat(50), bio: 'x'.repeat(500) },
  {
    settings: pageSettings({
      background: 'picture',
      background_picture: 'https://cdn.example/a.png',
    }),
  },
  { blocks: [block('link', { url: 'https://example.com/', title: 'Shop' })] },
  { blocks: [block('qr')] },
  { blocks: Array(4).fill(block('link', { url: 'https://example.com/' })) },
  {
    blocks: ['2026-11-21', '2026-11-02'].map((starts_at) =>
      block('event', { title: 'Fair', starts_at }),
    ),
  },
  { blocks: [block('gallery', { items: Array(4).fill({ url: 'https://cdn.example/a.png' }) })] },
  { blocks: [block('embed', { url: 'https://player.vimeo.com/video/1', inline: true })] },
  { blocks: ['third', 'half'].map((size) => block('text', { content: 'a '.repeat(150), size })) },
  {
    blocks: [
      block('image', { url: 'https://cdn.example/a.png', width: 2, height: 3 }),
      block('text', { content: 'a' }),
      block('image', { url: 'https://cdn.example/a.png', width: 2, height: 3, size: 'third' }),
    ],
  },
  {
    blocks: [
      block('link', { url: 'https://example.com/', icon: '🏺' }),
      block('link', { url: 'https://example.com/', featured: true }),
      block('link', { url: 'https://example.com/', half: true }),
      block('metric', { display: 'bars' }),
      block('metric'),
    ],
    pageMetrics: new Map([[block('x').id, PAGE_METRIC]]),
  },
  {
    blocks: [
      'https://vimeo.com/1',
      `https://www.youtube.com/shorts/dQw4w9WgXcQ`,
      'https://open.spotify.com/track/1',
      'https://open.spotify.com/album/1',
      'https://mastodon.social/@jane/1',
      'https://www.google.com/maps?q=Lisbon',
    ].map((url) => block('embed', { url, cover: COVER })),
  },
  ...readBlockExamples().map(({ blocks }) => exampleSite(blocks)),
];

const FOLDER = new URL('../../page/', import.meta.url);
const listSheets = (folder: string) =>
  readdirSync(new URL(folder, FOLDER)).filter((file) => file.endsWith('.css'));

const styleSheetOf = (site: Partial<PublicSite>) => readText(renderPage(site).findAll('style')[0]!);

it('the style sheet of pages has only classes that pages use', () => {
  const values = { name: '', email: 'ann@example.com', message: 'Hello', answers: [] };
  const form = block('contact_form', { fields: [{ type: 'tick', label: 'Member' }] });
  const contactForm = { blocks: [form] };
  const tile = block('link', { url: 'https://example.com', description: '34 €' });
  const weekly = block('event', { title: 'Tea', starts_at: '2026-12-01', repeats: 'weekly' });
  const pages = [
    ...SITES.map((site) => renderPage(site)),
    renderPage({ blocks: [tile, weekly] }),
    renderPage(contactForm, undefined, { form: form.id, values }),
    renderPage(contactForm, undefined, { form: form.id, values, problem: 'email' }),
    renderSharePage({ display_name: 'x'.repeat(50) }),
  ];
  const shownClasses = new Set(
    pages.flatMap(({ elements }) =>
      elements.flatMap((element) => (attribute(element, 'class') ?? '').split(' ')),
    ),
  );
  // Of very long texts, of links that operators set, and one that a script adds.
  for (const name of ['plain', 'legal', 'done']) shownClasses.add(name);
  const folders = ['styles/', 'styles/blocks/', 'styles/settings/', 'themes/'];
  const css = [...folders, 'themes/sparse/', 'themes/list/']
    .flatMap((folder) => listSheets(folder).map((file) => folder + file))
    .map((file) =>
      readFileSync(new URL(file, FOLDER), 'utf8').replace(/\/\*.*?\*\/|url\(.*?\)/gs, ''),
    )
    .join('');
  const usedClasses = [...css.matchAll(/\.([a-z][\w-]*)/g)].map(([, name]) => name!);
  expect([...new Set(usedClasses)].filter((name) => !shownClasses.has(name))).toEqual([]);
});

it('the style sheet of pages has no comments and is minified', () => {
  for (const site of SITES) expect(styleSheetOf(site)).not.toMatch(/\/\*|[\n;]\s|\{\s/);
});

it('the style sheet of pages has rules only for the block kinds on the page', () => {
  const quote = block('quote', { content: 'Slow is smooth.' });
  expect(styleSheetOf({ blocks: [quote] })).toContain('.quote blockquote{');
  const classes = ['quote', 'cal', 'spark', 'cover', 'frame', 'qr'];
  const base = styleSheetOf({}).split('@layer theme')[0]!;
  expect(classes.filter((name) => base.includes(`.${name}`))).toEqual([]);
  expect(styleSheetOf({ blocks: [block('quote')] })).toBe(styleSheetOf({}));
});

it('the style sheet of pages is the same for pages with the same block kinds, in any order', () => {
  const [quote, code] = [block('quote', { content: 'a' }), block('code', { content: 'b' })];
  expect(styleSheetOf({ blocks: [quote, code] })).toBe(
    styleSheetOf({ blocks: [code, quote, code] }),
  );
});

it('the style sheet of pages has the rules of each theme', () => {
  const names = THEMES.map(({ name }) => name.toLowerCase());
  const shared = ['bento', 'default-colors', 'flat', 'one-link', 'side', 'wide'];
  const looks = ['citrus', 'gallery', 'notebook', 'velvet'];
  for (const [folder, others] of [
    ['themes/', shared],
    ['themes/sparse/', ['default-colors']],
    ['themes/list/', looks],
  ] as const)
    expect(listSheets(folder).toSorted()).toEqual(
      [...names, 'default', ...others].map((name) => `${name}.css`).toSorted(),
    );
  for (const { id, name } of THEMES) {
    const [body] = renderPage({ theme_id: id }).findAll('body');
    expect(attribute(body!, 'data-theme')).toBe(name.toLowerCase());
  }
});

const CSS_INJECTION = '#fff}body{background:url(https://evil.example)}</style><script>';
const styleSheet = (page: Page) => readText(page.findAll('style')[0]!);

it.each(['background_color', 'primary_color', 'text_color', 'accent_color'] as const)(
  'an invalid theme in the database can add only colors to the style sheet: %s',
  (field) => {
    for (const color of [CSS_INJECTION, 'red', '#12345', '#1234567', 'var(--x)', '', '#GGGGGG']) {
      const page = renderPage({ custom_theme: { [field]: color } });
      expect(styleSheet(page)).toBe(styleSheet(renderPage({ custom_theme: {} })));
      expect(page.html).not.toContain('evil.example');
    }
    expect(styleSheet(renderPage({ custom_theme: { [field]: '#123456' } }))).not.toBe(
      styleSheet(renderPage({ custom_theme: {} })),
    );
  },
);

it('an invalid theme in the database quotes each font name, and drops names with other characters', () => {
  const fontFamily = (family: string) =>
    /--body:([^;]*);/.exec(styleSheet(renderPage({ custom_theme: { font_family: family } })))?.[1];
  expect(fontFamily('Comic Sans MS, Georgia,serif')).toBe(
    '"Comic Sans MS","Georgia",serif,system-ui,sans-serif',
  );
  const invalid = ['a"b', "a'b", 'a\\b', 'a;b', 'a/*b', 'a\nb', 'é', '\u202Ea'];
  for (const family of [CSS_INJECTION, ...invalid])
    expect([family, fontFamily(`${family}, Georgia`)]).toEqual([
      family,
      '"Georgia",system-ui,sans-serif',
    ]);
});

it('an avatar is loaded over HTTPS, with a fixed size and no referrer', () => {
  for (const avatarUrl of ['https://cdn.example/a.png', 'http://cdn.example/a.png']) {
    const [picture] = renderPage({ avatar_url: avatarUrl }).findAll('img');
    expect(Object.fromEntries(picture!.attrs.map(({ name, value }) => [name, value]))).toEqual({
      class: 'avatar u-photo',
      src: 'https://cdn.example/a.png',
      alt: '',
      'data-initials': 'J',
      width: '320',
      height: '320',
      referrerpolicy: 'no-referrer',
      decoding: 'async',
    });
  }
});

it('every block style sheet belongs to a block kind', () => {
  const files = readdirSync(new URL('../../page/styles/blocks', import.meta.url));
  const usedSheets = new Set(Object.values(BLOCK_RENDERERS).flatMap((renderer) => renderer.sheets));
  // For events in most designs, short pages, and responses to messages.
  const otherSheets = ['event-tiles', 'short', 'contact-form-response'];
  expect([...usedSheets, ...otherSheets].map((name) => `${name}.css`).toSorted()).toEqual(
    files.toSorted(),
  );
});
