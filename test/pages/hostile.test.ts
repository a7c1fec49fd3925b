import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Block } from '#contract/block.ts';
import { BLOCK_TYPES, BLOCKS } from '#contract/shared/blocks.ts';
import { createRepresentation } from '#server/platform/http/responses/representation.ts';
import { anyCharacter, httpsUrl } from '../support/text-arbitraries.ts';
import { attribute, block, readText, renderPage } from './support/site.ts';

const KNOWN_AND_UNKNOWN_TYPES = [...BLOCK_TYPES, 'poll'];

const HOSTILE_TEXT = fc.constantFrom(
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</style><script>alert(1)</script>',
  '</title></head><body onload=alert(1)>',
  '<!--',
  ']]>',
  '\u202Egnp.exe',
  'javascript:alert(1)',
  'sms:javascript:alert(1)',
  'xmpp:a@b?x=<script>',
  '[x](matrix:u/"onclick=alert)',
  'geo:1,1;"onclick=alert',
  'https://example.com/"onclick="alert(1)',
  '[x](javascript:alert(1))',
  '[x](https://example.com/"onclick=alert)',
  '`</code><script>`',
  '&lt;script&gt;',
  'x'.repeat(10_000),
  '*'.repeat(2_000),
  '['.repeat(2_000),
  '> '.repeat(500),
  '2026-12-05T10:00:00Z',
);
const text = fc.oneof(HOSTILE_TEXT, fc.string({ unit: anyCharacter, maxLength: 60 }));
const value = fc.oneof(
  { weight: 5, arbitrary: text },
  fc.jsonValue(),
  fc.array(
    fc.dictionary(fc.constantFrom('url', 'label', 'title', 'content'), fc.oneof(text, httpsUrl)),
    { maxLength: 4 },
  ),
) as fc.Arbitrary<unknown>;
const blocks: fc.Arbitrary<Block[]> = fc.array(
  fc
    .tuple(
      fc.constantFrom(...KNOWN_AND_UNKNOWN_TYPES),
      fc.dictionary(
        fc.constantFrom(
          ...new Set(Object.values(BLOCKS).flatMap(({ fields }) => Object.keys(fields))),
        ),
        value,
      ),
    )
    .map(([type, fields]) => block(type, fields)),
  { maxLength: 12 },
);
const site = fc.record({
  display_name: fc.option(text),
  bio: fc.option(text),
  avatar_url: fc.option(fc.oneof(text, httpsUrl)),
  location: fc.option(text),
  mood: fc.option(text),
  blocks,
});

/** Names and autocomplete of the only inputs. No password manager fills them in. */
const CONTACT_FORM_FIELDS = [
  ['name', 'name'],
  ['email', 'email'],
  ['message', 'none'],
  ['topic', 'off'],
  ['form', 'none'],
];

const ALLOWED_URL =
  /^(?:https?:\/\/|mailto:|tel:|sms:\+?\d|xmpp:[\w.%~+-]+@|matrix:[ur]\/|geo:[\d-]|#|\/@jane-doe\/)/;

/** They open and close large pictures, or send a message: target and class. */
const ALLOWED_BUTTON = /^(?:v\d+ (?:undefined|zoom)|undefined send)$/;

it('hostile content results in valid HTML without scripts, styles or inputs, whose links have allowed schemes', () => {
  fc.assert(
    fc.property(site, (siteData) => {
      const page = renderPage(siteData, 'abuse@example.org');
      expect(page.findAll('style')).toHaveLength(1);
      for (const script of page.findAll('script'))
        expect(attribute(script, 'type')).toBe('application/ld+json');
      for (const element of page.elements)
        for (const { name, value: content } of element.attrs) {
          expect(name).not.toMatch(/^on|^style$|^srcdoc$|^formaction$/);
          if (name === 'href' || name === 'src')
            expect(content).toMatch(
              element.tagName === 'link' && attribute(element, 'rel') === 'icon'
                ? /^data:image\/svg\+xml,/
                : ALLOWED_URL,
            );
        }
      for (const name of ['object', 'base', 'select', 'dialog'])
        expect(page.findAll(name)).toEqual([]);
      for (const form of page.findAll('form'))
        expect(attribute(form, 'action')).toBe('/@jane-doe/message');
      for (const input of [...page.findAll('input'), ...page.findAll('textarea')])
        expect([attribute(input, 'name'), attribute(input, 'autocomplete') ?? 'none']).toBeOneOf(
          CONTACT_FORM_FIELDS,
        );
      for (const button of page.findAll('button'))
        expect(`${attribute(button, 'popovertarget')} ${attribute(button, 'class')}`).toMatch(
          ALLOWED_BUTTON,
        );
      expect(page.parseErrors).toEqual([]);
      const data = JSON.parse(readText(page.findAll('script')[0]!)) as Record<string, object>;
      expect(data['mainEntity']).toMatchObject({ url: 'https://example.org/@jane-doe' });
    }),
    { numRuns: 100 },
  );
});

it('a page loses only the characters that HTML forbids', () => {
  const characterRange = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => String.fromCodePoint(from + index));
  const planeEnds = Array.from({ length: 17 }, (_, plane) =>
    characterRange(plane * 0x10000 + 0xfffc, 4),
  );
  const characters = [
    characterRange(0, 32),
    characterRange(0x7f, 34),
    characterRange(0xfdce, 36),
    planeEnds,
    characterRange(0x1f5fe, 2),
  ].flat(2);
  const allowed = characters.filter(
    (character) => !/[[\p{Cc}\p{Noncharacter_Code_Point}]--[\t\n\r]]/v.test(character),
  );
  const { html } = renderPage({ blocks: [block('code', { content: `a${characters.join('')}b` })] });
  expect(/<code>a([^]*)b<\/code>/.exec(html)?.[1]).toBe(allowed.join(''));
});

it("expensive content is rendered as plain text after the page's budget is used up", () => {
  const content = '-\n+\n'.repeat(250);
  const page = renderPage({
    blocks: Array.from({ length: 15 }, () => block('text', { content })),
  });
  expect(page.findAll('ul').length).toBe((2 * content.length) / 2);
  expect(page.findAll('p').length).toBe(13);
});

it('expensive content does not include long text without Markdown', () => {
  const content = 'A long story without an end '.repeat(350);
  const page = renderPage({
    blocks: Array.from({ length: 10 }, () => block('text', { content })),
  });
  expect(page.elements.filter((p) => attribute(p, 'class') === 'plain')).toEqual([]);
  expect(page.findAll('p')).toHaveLength(10);
});

it('expensive content includes only two QR codes, and links to the others', () => {
  const url = `https://example.com/${'x'.repeat(900)}`;
  const page = renderPage({ blocks: Array.from({ length: 30 }, () => block('qr', { url })) });
  expect(page.elements.filter((svg) => attribute(svg, 'role') === 'img')).toHaveLength(2);
  expect(page.findAll('a').filter((a) => attribute(a, 'href') === url)).toHaveLength(28);
});

/** A site of maximum size, which would be several megabytes of HTML without truncation. */
const largestSite = (type: string, unit: string) => {
  const longText = unit.repeat(Math.floor(10_000 / unit.length));
  const items = Array.from({ length: 70 }, (_, index) => ({
    url: `https://example.com/${index}?${"'".repeat(150)}`,
    label: unit,
    question: unit.repeat(20),
    answer: unit.repeat(20),
  }));
  const longUrl = `https://example.com/?${"'".repeat(2_000)}`;
  const times = { starts_at: '2027-01-01T10:00:00Z' };
  const fields = {
    content: longText,
    title: longText,
    url: longUrl,
    items,
    inline: true,
    ...times,
  };
  return {
    display_name: unit.repeat(100),
    bio: unit.repeat(2_000),
    location: unit.repeat(100),
    mood: unit.repeat(100),
    avatar_url: longUrl,
    blocks: Array.from({ length: 100 }, () => block(type, fields)),
  };
};

it.each(KNOWN_AND_UNKNOWN_TYPES)(
  'the size of a page is at most 512 KB for 100 blocks of the type %s of maximum size',
  (type) => {
    for (const unit of ['"', "'", '&', '<', '\u{1F600}', '> ', '- \n', '[a](https://a.b)'])
      expect([unit, Buffer.byteLength(renderPage(largestSite(type, unit)).html)]).toEqual([
        unit,
        expect.toSatisfy((bytes: number) => bytes <= 512 * 1_024),
      ]);
  },
);

it('the size of a page beyond the limit truncates the page with a notice', () => {
  expect(renderPage(largestSite('poll', '"')).text).toContain(
    'This page is too long to be shown in full',
  );
  expect(renderPage(largestSite('divider', '"')).text).not.toContain('too long to be shown');
});

const createLink = (index: number) =>
  block('link', {
    url: `https://example.com/${(index * 7919).toString(36)}/${index}`,
    title: `Link number ${index} of ${(index * 104_729).toString(36)}`,
    description: `About ${(index * 15_485_863).toString(36)} things`,
  });

const compressedSize = async (html: string) => {
  const { body } = await createRepresentation({ type: 'text/html', headers: {}, body: html }, 'br');
  return body.length;
};

it.each([
  [20, 7_400],
  [100, 14_336],
])('the size of a page of %i blocks is at most %i bytes', async (count, bytes) => {
  const links = Array.from({ length: count }, (_, index) => createLink(index));
  const { html } = renderPage({
    bio: 'Potter in Lisbon.',
    display_name: 'Jane Doe',
    location: 'Lisbon',
    blocks: links,
  });
  expect(await compressedSize(html)).toBeLessThanOrEqual(bytes);
});
