import fc from 'fast-check';
import type { DefaultTreeAdapterTypes as Tree } from 'parse5';
import { describe, expect, it } from 'vitest';
import { attribute, block, renderPage, textOf } from './support/site.ts';

const EVIL_URL = 'https://evil.example/login';

/** All block kinds with a link text that the owner writes. */
const KINDS = {
  link: (title: string, url: string) => block('link', { title, url }),
  social: (label: string, url: string) => block('social', { items: [{ label, url }] }),
  event: (title: string, url: string) =>
    block('event', { title, url, starts_at: '2027-01-01T10:00:00Z' }),
  other: (title: string, url: string) => block('poll', { title, url }),
  Markdown: (text: string, url: string) => block('text', { content: `[${text}](${url})` }),
  'Markdown in a quote': (text: string, url: string) =>
    block('quote', { content: `[*${text}*](<${url}>)` }),
};
type Kind = keyof typeof KINDS;
const kinds = Object.keys(KINDS) as Kind[];

function link(kind: Kind, text: string, url: string): Tree.Element {
  return renderPage({ blocks: [KINDS[kind](text, url)] }).all('main')[0]!;
}

const shown = (kind: Kind, text: string, url: string) =>
  textOf(link(kind, text, url)).replace(/[\n ]+/g, ' ');

describe.each(kinds)('a link of the block kind %s', (kind) => {
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
  ])('with the text %s and the target %s shows its host', (text, url) => {
    // This block kind allows only web addresses.
    if (kind === 'other' && url.startsWith('mailto:')) return;
    const [, place] = /\u00A0\(([^)]*)\)/.exec(shown(kind, text, url)) ?? [];
    expect(place).toBe(new URL(url).hostname || 'evil.example');
  });

  it.each([
    ['paypal.com', 'https://www.paypal.com/jane'],
    ['www.paypal.com/jane', 'https://paypal.com/jane'],
    ['My shop', EVIL_URL],
    ['Version 2.0, 1.5 and so on...', EVIL_URL],
    ['bücher.de', 'https://xn--bcher-kva.de/'],
    ['jane@example.org', 'mailto:jane@example.org'],
    ['+351 21 000 00 00', 'tel:+351210000000'],
  ])('with the text %s and the target %s is unchanged', (text, url) => {
    expect(shown(kind, text, url)).not.toContain('\u00A0(');
  });

  it('shows its host if its text is too long to check', () => {
    expect(shown(kind, 'A word '.repeat(60), EVIL_URL)).not.toContain('\u00A0(');
    expect(shown(kind, 'A word '.repeat(80), EVIL_URL)).toContain('\u00A0(evil.example)');
  });

  it('isolates bidirectional text from the host', () => {
    const evil = renderPage({ blocks: [KINDS[kind]('\u202E paypal.com', EVIL_URL)] });
    expect(evil.all('bdi').map(textOf).join('')).toContain('paypal.com');
    expect(evil.all('bdi').map(textOf).join('')).not.toContain('evil.example');
  });
});

describe('a link without text', () => {
  const ADDRESSES = [
    'https://bsky.app/profile/lena.bsky.social',
    'https://mastodon.social/@lena@example.org',
    'https://lena.example/about.html',
    'https://lena.example/?from=example.org',
  ];

  it.each(ADDRESSES)('shows its URL, whatever that contains: %s', (url) => {
    const address = url.replace('https://', '');
    const page = renderPage({
      blocks: [block('link', { url }), block('social', { items: [{ url }] })],
    });
    expect(page.text).not.toContain('\u00A0(');
    const label = page.all('span').find((span) => attribute(span, 'class') === 'label')!;
    expect(textOf(label).trim()).toBe(address);
    expect(page.all('a').map((anchor) => attribute(anchor, 'aria-label'))).toContain(address);
  });

  it('has the name of a known service if it has no icon', () => {
    const items = ADDRESSES.map((url) => ({ url, icon: 'none' }));
    const page = renderPage({ blocks: [block('social', { items })] });
    const named = page.all('a').filter((anchor) => attribute(anchor, 'class') === 'named');
    expect(named.map((anchor) => textOf(anchor).trim())).toEqual([
      'Bluesky',
      'Mastodon',
      'lena.example/about.html',
      'lena.example/?from=exam…',
    ]);
  });
});

it('a link shows its host, whatever surrounds the name of the other host', () => {
  const around = fc.string({ unit: 'grapheme', maxLength: 12 });
  fc.assert(
    fc.property(fc.domain(), around, around, (host, before, after) => {
      const page = renderPage({ blocks: [KINDS.link(`${before} ${host} ${after}`, EVIL_URL)] });
      expect(page.text).toContain('(evil.example)');
    }),
    { numRuns: 100 },
  );
});
