import { expect, it } from 'vitest';
import { BLOCK_TYPES, BLOCKS, isBlockKind } from '#contract/shared/blocks.ts';
import type { PublicSite } from '#page/public-site.ts';
import { renderSite } from '#page/render-site.ts';
import { URLS_IN_TEXT } from '../support/urls-in-text.ts';
import {
  EMPTY_SITE,
  RENDER_CONTEXT,
  attribute,
  block,
  pageSettings,
  readText,
  renderPage,
} from './support/site.ts';

function findLinks(blocks: ReturnType<typeof block>[]) {
  return renderPage({ blocks })
    .findAll('a')
    .filter((a) => attribute(a, 'rel')?.includes('noopener'))
    .map((a) => ({
      href: attribute(a, 'href'),
      rel: attribute(a, 'rel'),
      text: readText(a).replace(/\s+/g, ' ').trim(),
    }));
}

it('links have their hosts beside them if a page is one link or a list of four to twelve', () => {
  const link = block('link', { url: 'https://shop.example', title: 'Shop' });
  const social = block('social', { items: [{ url: 'https://mira.example' }] });
  const countHosts = (blocks: ReturnType<typeof block>[]) =>
    renderPage({ blocks })
      .findAll('small')
      .filter((small) => attribute(small, 'class') === 'host').length;
  const [list, half] = [Array(4).fill(link), { ...link, half: true }];
  const pages = [[link], [social, link], [link, social], [link, link], list, [social, ...list]];
  expect(pages.map(countHosts)).toEqual([1, 1, 0, 0, 4, 4]);
  const otherPages = [[...list, block('divider')], [...list, half], Array(13).fill(link)];
  expect(otherPages.map(countHosts)).toEqual([0, 5, 0]);
  const links = [
    { url: 'https://www.shop.example/x', title: 'Shop' },
    { url: 'https://shop.example' },
    { url: 'https://shop.example', title: 'Shop.example' },
    { url: 'tel:+351', title: 'Call' },
    { url: 'mailto:jane@example.com', title: 'Write' },
  ];
  const texts = links.map((fields) => findLinks([block('link', fields)])[0]!.text);
  expect(texts).toEqual([
    'Shop shop.example',
    'shop.example',
    'Shop.example',
    'Call phone',
    'Write email',
  ]);
  const hasArrow = (fields: Record<string, string>) =>
    renderPage({ blocks: [block('link', fields)] }).html.includes('#i-arrow');
  expect(links.map(hasArrow)).toEqual([true, true, true, false, false]);
  const more = (count: number) =>
    renderPage({ blocks: Array(count).fill(link) }).html.match(/class="more"[^]*?<\/p>/)?.[0];
  expect(more(1)).toMatch(/card\.vcf"[^]*\/share"/);
  expect(more(2)).toBeUndefined();
});

const KINDS_WITHOUT_REQUIRED_FIELDS = new Set(['contact_form', 'divider', 'qr']);

it('a text renders Markdown: emphasis, code, lists, quotes, line breaks and URLs', () => {
  const content =
    '**strong** *em* `code`\nsecond line\n\n- item\n\n1. first\n\n> quote\n\n    indented\n\nhttps://example.com/a?b=c';
  const page = renderPage({ blocks: [block('text', { content })] });
  for (const name of ['strong', 'em', 'ul', 'ol', 'blockquote', 'br', 'pre'])
    expect(page.findAll(name)).toHaveLength(1);
  expect(findLinks([block('text', { content })])).toEqual([
    {
      href: 'https://example.com/a?b=c',
      rel: 'nofollow ugc noopener',
      text: 'https://example.com/a?b=c',
    },
  ]);
});

it.each(URLS_IN_TEXT)('a text links the URL in %j', (content, url) => {
  const [link] = findLinks([block('text', { content })]);
  expect(link!.href).toBe(new URL(url).href);
});

it('a text has no link for a URL with credentials', () => {
  expect(findLinks([block('text', { content: 'https://bank.example:x@a.example/' })])).toEqual([]);
});

it.each([
  ['これは**強調（かっこ）**です。', '強調（かっこ）'],
  ['**「中文」**和*别的*字', '「中文」'],
  ['이것은 **강조(괄호)**입니다.', '강조(괄호)'],
])('a text makes words bold that touch East Asian letters and punctuation: %s', (content, bold) => {
  const page = renderPage({ blocks: [block('text', { content })] });
  expect(page.findAll('strong').map(readText)).toEqual([bold]);
  expect(page.text).not.toContain('*');
});

it('a text renders no HTML, no pictures and no headings', () => {
  const content = '<b>bold</b> ![x](https://example.com/x.png)\n\n# title';
  const page = renderPage({ blocks: [block('text', { content })] });
  expect(page.findAll('b')).toEqual([]);
  expect(page.html).not.toContain('src="https://example.com');
  expect(page.findAll('h1')).toHaveLength(1);
  expect(page.text).toContain('<b>bold</b>');
  expect(page.text).toContain('# title');
});

it('a text has the direction of its script, which is the same for all items of a list', () => {
  const content = 'Hello\n\n- واحد\n- اثنان\n\n> اقتباس';
  const page = renderPage({ blocks: [block('text', { content })] });
  const listDirections = (name: string) =>
    page.findAll(name).map((element) => attribute(element, 'dir'));
  expect(listDirections('blockquote')).toEqual(['auto']);
  expect(listDirections('li')).toEqual([undefined, undefined]);
  expect(listDirections('ul')).toContain('auto');
});

it.each(['[x](javascript:alert(1))', '[x](/here)', '[x](data:text/html,x)', '<vbscript:x>'])(
  'a text does not render %s as a link',
  (content) => {
    expect(findLinks([block('text', { content })])).toEqual([]);
  },
);

it('links that are adjacent form one list', () => {
  const blocks = [
    block('link', { url: 'https://www.example.com/shop/', description: 'Mugs' }),
    block('link', { url: 'mailto:jane@example.com', label: 'Mail', me: false }),
    block('divider'),
    block('link', { url: 'https://example.com/a', title: 'Title', content: 'Content' }),
  ];
  expect(renderPage({ blocks }).findAll('ul').length).toBe(2);
  expect(findLinks(blocks)).toEqual([
    {
      href: 'https://www.example.com/shop/',
      rel: 'me nofollow ugc noopener',
      text: 'example.com/shop Mugs',
    },
    { href: 'mailto:jane@example.com', rel: 'nofollow ugc noopener', text: 'Mail' },
    { href: 'https://example.com/a', rel: 'me nofollow ugc noopener', text: 'Title' },
  ]);
});

it('links accept up to three emoji as an icon', () => {
  const findIcons = (text: string) =>
    renderPage({ blocks: [block('link', { url: 'https://example.com', icon: text })] })
      .findAll('span')
      .filter((span) => attribute(span, 'class') === 'icon')
      .map(readText);
  expect(findIcons('🏳️‍🌈')).toEqual(['🏳️‍🌈']);
  expect(findIcons('🦉👍🏽🇵🇹')).toEqual(['🦉👍🏽🇵🇹']);
  for (const text of ['<svg>', '🦉🦉🦉🦉', '🦉!', '1'])
    expect([text, findIcons(text)]).toEqual([text, []]);
});

it('links escape characters that RFC 3986 forbids', () => {
  expect(findLinks([block('link', { url: 'https://example.com/a b?q="<>`{|}^\\' })])[0]?.href).toBe(
    'https://example.com/a%20b?q=%22%3C%3E%60%7B%7C%7D%5E%5C',
  );
});

it('links with credentials or another scheme are not rendered as links', () => {
  for (const url of ['https://jane:secret@example.com', 'javascript:alert(1)', 'ftp://x', 7])
    expect(findLinks([block('link', { url })])).toEqual([]);
});

it.each([
  ['heading', { content: 'Work' }, 'Work'],
  ['quote', { content: 'Slow is smooth.', cite: 'Somebody' }, 'Slow is smooth. Somebody'],
  ['code', { content: 'a < b', language: 'c' }, 'c a < b'],
  ['faq', { title: 'Why?', content: 'So.' }, 'Why? So.'],
  ['key', { kind: 'PGP', content: 'AAAA' }, 'PGP AAAA'],
  ['social', { items: [{ url: 'https://a.example', label: 'All' }, 7, {}] }, 'A'],
  [
    'contact',
    { email: 'a@b.example', phone: '+1 (2) 34', address: 'Here' },
    'a@b.example +1 (2) 34 Here',
  ],
  [
    'event',
    { title: 'Fair', starts_at: '2026-12-02' },
    'Wed 2 Dec Fair Add to calendar in 12 days',
  ],
  [
    'event',
    { title: 'Day', starts_at: '2026-12-02T10:00Z', ends_at: '2026-12-02T18:00Z' },
    'Wed 2 Dec Day 10:00\u2060–\u206018:00 UTC Add to calendar in 12 days',
  ],
  [
    'event',
    { title: 'Night', starts_at: '2026-12-02T20:00Z', ends_at: '2026-12-03T02:00Z' },
    'Wed 2 Dec, 20:00 – Thu 3 Dec, 02:00 UTC',
  ],
  ['countdown', { title: 'Soon', starts_at: '2026-11-20T15:30:00Z' }, 'Soon today'],
  ['embed', { url: 'https://example.com/x', title: 'Film' }, 'Film Open on example.com'],
  ['image', { url: 'https://example.com/x.png', caption: 'Bowl' }, 'Bowl'],
  ['gallery', { items: [{ url: 'https://example.com/x.png', caption: 'Bowl' }, 7] }, 'Bowl'],
  ['qr', {}, 'example.org/@jane-doe'],
  ['qr', { title: 'Tickets', url: 'https://www.example.com/' }, 'Tickets example.com'],
  ['poll', { title: 'Poll', content: 'unknown', note: 'secret' }, 'Poll unknown'],
])('%s is shown', (type, fields, text) => {
  const pageText = renderPage({ blocks: [block(type, fields)] }).text;
  expect(pageText.replace(/\s/g, '')).toContain(text.replace(/\s/g, ''));
  expect(pageText).not.toContain('secret');
});

it.each([
  ['+49 (0)30 1234-5678', 'tel:+493012345678'],
  ['0049(0)30 1234', 'tel:0049301234'],
  ['+39 (0)6 1234567', 'tel:+39061234567'],
  ['030 1234–56', 'tel:030123456'],
  ['+41 44 123 45 67 ext. 12', 'tel:+41441234567;ext=12'],
  ['+1 (800) FLOWERS', 'tel:+18003569377'],
  ['+٢٠ ٢ ٢٣٤٥ ٦٧٨٩', 'tel:+20223456789'],
  ['０３-１２３４-５６７８', 'tel:0312345678'],
  ['112', 'tel:112'],
  ['ask Jane', undefined],
  ['030 1234 mornings', undefined],
  ['030 123456 / 0171 1234567', undefined],
])('the phone number %s is shown, with the link %s', (phone, expected) => {
  const page = renderPage({ blocks: [block('contact', { phone })] });
  expect(page.text).toContain(phone);
  const hrefs = page.findAll('a').map((link) => attribute(link, 'href'));
  expect(hrefs.find((href) => href?.startsWith('tel:'))).toBe(expected);
});

it('the other block kinds show a forwarding address only while it receives mail', () => {
  const blocks = [block('contact', { forwarding: true })];
  const mailAddress = 'jane-doe@example.net';
  expect(renderPage({ blocks, mailAddress }).text).toContain(mailAddress);
  expect(renderPage({ blocks }).html).not.toContain('class="contact"');
});

it.each([...BLOCK_TYPES.filter((kind) => !KINDS_WITHOUT_REQUIRED_FIELDS.has(kind)), 'poll'])(
  '%s shows nothing if its fields have wrong types',
  (type) => {
    const fields = isBlockKind(type) ? Object.keys(BLOCKS[type].fields) : [];
    const wrongFields = Object.fromEntries(
      [...new Set(['content', 'title', 'url', 'label', 'name', ...fields])].map((name, index) => [
        name,
        [false, null, {}, [], true][index % 5],
      ]),
    );
    expect(renderPage({ blocks: [block(type, wrongFields)] }).text).toBe(renderPage({}).text);
  },
);

it('an event on a day that does not exist shows nothing', () => {
  const blocks = [block('event', { title: 'Fair', starts_at: '2026-11-31' })];
  expect(renderPage({ blocks }).text).toBe(renderPage({}).text);
});

it('only a page without a text or a block says that it is just getting started', () => {
  const started = 'This page is just getting started';
  const sites: Partial<PublicSite>[] = [
    { settings: pageSettings({ pronouns: 'she/her' }) },
    { bio: 'Potter' },
    { blocks: [block('text', { content: 'Hello' })] },
    { blocks: [block('social', { items: [{ url: 'https://mira.example' }] })] },
  ];
  const texts = sites.map((site) => renderPage(site).text.includes(started));
  expect(texts).toEqual([true, false, false, false]);
  const link = renderPage({})
    .findAll('a')
    .find((a) => readText(a) === 'Add your first link');
  expect(attribute(link!, 'href')).toBe('https://example.org/dashboard/page');
  const framed = { ...RENDER_CONTEXT, isFramed: true };
  expect(renderSite(EMPTY_SITE, framed, { abuseContact: undefined }).html).not.toContain(started);
});
