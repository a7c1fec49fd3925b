import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attribute, block, renderPage, readText } from './support/site.ts';

const EVIL_URL = 'https://evil.example/login';

const LINK_BLOCKS = {
  link: (title: string, url: string) => block('link', { title, url }),
  social: (label: string, url: string) => block('social', { items: [{ label, url }] }),
  event: (title: string, url: string) =>
    block('event', { title, url, starts_at: '2027-01-01T10:00:00Z' }),
  other: (title: string, url: string) => block('poll', { title, url }),
  Markdown: (text: string, url: string) => block('text', { content: `[${text}](${url})` }),
  'Markdown in a quote': (text: string, url: string) =>
    block('quote', { content: `[*${text}*](<${url}>)` }),
};
type Kind = keyof typeof LINK_BLOCKS;
const LINK_KINDS = Object.keys(LINK_BLOCKS) as Kind[];

function renderLinkText(kind: Kind, text: string, url: string): string {
  const [main] = renderPage({ blocks: [LINK_BLOCKS[kind](text, url)] }).findAll('main');
  return readText(main!).replace(/[\n ]+/g, ' ');
}

describe.each(LINK_KINDS)('a link of the block kind %s', (kind) => {
  it.each([
    ['paypal.com', EVIL_URL],
    ['Log in at www.PayPal.com now', EVIL_URL],
    ['https://paypal.com/login', EVIL_URL],
    ['paypal.com', 'https://paypal.com.evil.example/login'],
    ['paypal.com', 'https://evil.example/paypal.com'],
    ['https://evil.example/?of=paypal.com', 'https://evil.example/?of=paypal.com'],
    ['pay\u200Bpal.com', EVIL_URL],
    ['ｐａｙｐａｌ．ｃｏｍ', EVIL_URL],
    ['bücher.de', EVIL_URL],
    ['jane@paypal.com', 'mailto:jane@evil.example'],
    ['jane@paypal.com', 'xmpp:jane@evil.example?message'],
    ['@jane:paypal.com', 'matrix:u/jane:evil.example'],
  ])("with the text %s and the target %s shows the target's host", (text, url) => {
    // Blocks of other kinds, such as this poll, allow only http and https URLs.
    if (kind === 'other' && !url.startsWith('http')) return;
    const [, host] = /\u00A0\(([^)]*)\)/.exec(renderLinkText(kind, text, url)) ?? [];
    expect(host).toBe(new URL(url).hostname || 'evil.example');
  });

  it.each([
    ['paypal.com', 'https://www.paypal.com/jane'],
    ['www.paypal.com/jane', 'https://paypal.com/jane'],
    ['My shop', EVIL_URL],
    ['Version 2.0, 1.5 and so on...', EVIL_URL],
    ['bücher.de', 'https://xn--bcher-kva.de/'],
    ['jane@example.org', 'mailto:jane@example.org'],
    ['+351 21 000 00 00', 'tel:+351210000000'],
    ['jane@example.org', 'xmpp:jane@example.org'],
    ['@jane:example.org', 'matrix:u/jane:example.org'],
  ])(
    `a link of the block kind ${kind} with the text %s and the target %s shows only the text`,
    (text, url) => {
      expect(renderLinkText(kind, text, url)).not.toContain('\u00A0(');
    },
  );

  it("shows the target's host if the text is too long to check, and isolates the text", () => {
    expect(renderLinkText(kind, 'A word '.repeat(60), EVIL_URL)).not.toContain('\u00A0(');
    expect(renderLinkText(kind, 'A word '.repeat(80), EVIL_URL)).toContain('\u00A0(evil.example)');
    const page = renderPage({ blocks: [LINK_BLOCKS[kind]('\u202E paypal.com', EVIL_URL)] });
    const isolated = page.findAll('bdi').map(readText).join('');
    expect(isolated).toContain('paypal.com');
    expect(isolated).not.toContain('evil.example');
  });
});

const BLUESKY_PROFILE = 'bsky.app/profile/lena.bsky.social';
const URLS = [
  `https://${BLUESKY_PROFILE}`,
  'https://mastodon.social/@lena@example.org',
  'https://lena.example/about.html',
  'https://lena.example/?from=example.org',
];

it.each(URLS)('a link without text shows only its URL: %s', (url) => {
  const expected = url.replace('https://', '');
  const page = renderPage({
    blocks: [block('link', { url }), block('social', { items: [{ url }] })],
  });
  expect(page.text).not.toContain('\u00A0(');
  const label = page.findAll('span').find((span) => attribute(span, 'class') === 'label')!;
  expect(readText(label).trim()).toBe(expected);
  const names = page
    .findAll('a')
    .map((anchor) => attribute(anchor, 'aria-label') ?? readText(anchor).trim());
  expect(names).toContain(expected === BLUESKY_PROFILE ? '@lena' : expected);
});

it.each([
  [`https://${BLUESKY_PROFILE}`, '@lena'],
  ['https://bsky.app/profile/paypal.com', '@paypal.com'],
  ['https://mastodon.social/@lena', '@lena@mastodon.social'],
  ['https://mastodon.social/@lena/112', ''],
  ['https://mastodon.social/@paypal@example.org', ''],
  ['https://bsky.app/profile/did:plc:z72i7hdynmk6r22z27h6tvur', ''],
  ['https://evil.example/profile/lena.bsky.social', ''],
  ['https://bsky.app.evil.example/profile/lena', ''],
])('a link without text shows the handle of a Bluesky or Mastodon profile: %s', (url, handle) => {
  const namesOf = (fields: object) =>
    renderPage({ blocks: [block('social', { items: [{ url, ...fields }] })] })
      .findAll('a')
      .filter((anchor) => attribute(anchor, 'class') === 'named')
      .map((anchor) => readText(anchor).trim());
  expect(namesOf({})).toEqual(handle ? [handle] : []);
  expect(namesOf({ label: 'Me' })).toEqual([]);
});

it.each([
  ['sms:+351210000000?body=Hello%20Jane', '+351210000000'],
  ['xmpp:jane@example.org?message', 'jane@example.org'],
  ['matrix:u/jane:example.org', '@jane:example.org'],
  ['matrix:r/potters:example.org?action=join', '#potters:example.org'],
  ['geo:38.7223,-9.1393?z=12', '38.7223,-9.1393'],
])('a link without text shows only the contact: %s', (url, text) => {
  const page = renderPage({ blocks: [block('link', { url })] });
  const anchor = page.findAll('a').find((a) => attribute(a, 'href') === url)!;
  expect(readText(anchor).trim()).toBe(text);
});

it('a link without text shows the name of a known service if its icon is turned off', () => {
  const items = URLS.map((url) => ({ url, icon: 'none' }));
  const page = renderPage({ blocks: [block('social', { items })] });
  const labels = page.findAll('a').filter((anchor) => attribute(anchor, 'class') === 'named');
  expect(labels.map((anchor) => readText(anchor).trim())).toEqual([
    'Bluesky',
    'Mastodon',
    'lena.example/about.html',
    'lena.example/?from=exam…',
  ]);
});

it("a link shows the target's host if its text contains another host, whatever surrounds it", () => {
  const surroundingText = fc.string({ unit: 'grapheme', maxLength: 12 });
  fc.assert(
    fc.property(fc.domain(), surroundingText, surroundingText, (host, before, after) => {
      const page = renderPage({
        blocks: [LINK_BLOCKS.link(`${before} ${host} ${after}`, EVIL_URL)],
      });
      expect(page.text).toContain('(evil.example)');
    }),
    { numRuns: 100 },
  );
});
