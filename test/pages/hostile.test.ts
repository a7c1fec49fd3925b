import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Block } from '../../contract/block.ts';
import { attribute, block, open } from './support/site.ts';

const TYPES = [
  'text',
  'link',
  'heading',
  'social',
  'image',
  'contact',
  'event',
  'countdown',
  'quote',
  'code',
  'faq',
  'key',
  'divider',
  'embed',
  'qr',
  'page',
  'poll',
];

const SPITE = fc.constantFrom(
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</style><script>alert(1)</script>',
  '</title></head><body onload=alert(1)>',
  '<!--',
  ']]>',
  '\u202Egnp.exe',
  'javascript:alert(1)',
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
const text = fc.oneof(SPITE, fc.string({ unit: 'binary', maxLength: 60 }));
const value = fc.oneof(
  { weight: 5, arbitrary: text },
  fc.jsonValue(),
  fc.array(fc.dictionary(fc.constantFrom('url', 'label', 'title', 'content'), text), {
    maxLength: 4,
  }),
) as fc.Arbitrary<unknown>;
const blocks: fc.Arbitrary<Block[]> = fc.array(
  fc
    .tuple(
      fc.constantFrom(...TYPES),
      fc.dictionary(
        fc.constantFrom(
          'content',
          'url',
          'title',
          'label',
          'description',
          'icon',
          'items',
          'link',
          'alt',
          'caption',
          'email',
          'phone',
          'address',
          'starts_at',
          'ends_at',
          'cite',
          'lang',
          'pronouns',
          'fediverse',
          'kind',
          'language',
          'inline',
        ),
        value,
      ),
    )
    .map(([type, fields]) => block(type, fields)),
  { maxLength: 12 },
);
const site = fc.record({
  title: fc.option(text),
  bio: fc.option(text),
  avatarUrl: fc.option(fc.oneof(text, fc.webUrl())),
  location: fc.option(text),
  mood: fc.option(text),
  blocks,
});

const SCHEMES = /^(?:https?:\/\/|mailto:|tel:|#)/;

describe('whatever an owner stores', () => {
  it('nothing runs, no style is added, and no address has another scheme', () => {
    fc.assert(
      fc.property(site, (stored) => {
        const page = open(stored, 'abuse@example.org');
        expect(page.all('style')).toHaveLength(1);
        for (const script of page.all('script'))
          expect(attribute(script, 'type')).toBe('application/ld+json');
        for (const element of page.elements)
          for (const { name, value: content } of element.attrs) {
            expect(name).not.toMatch(/^on|^style$|^srcdoc$|^formaction$/);
            if (name === 'href' || name === 'src')
              expect(content).toMatch(
                element.tagName === 'link' && attribute(element, 'rel') === 'icon'
                  ? /^data:image\/svg\+xml,/
                  : SCHEMES,
              );
          }
        for (const name of ['form', 'object', 'base']) expect(page.all(name)).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it('structured data stays JSON about the site', () => {
    fc.assert(
      fc.property(site, (stored) => {
        const page = open(stored);
        const [script] = page.all('script');
        const data = JSON.parse((script!.childNodes[0] as { value: string }).value) as {
          mainEntity: { url: string };
        };
        expect(data.mainEntity.url).toBe('https://example.org/@jane-doe');
      }),
      { numRuns: 40 },
    );
  });

  it('a parser of HTML has nothing to complain about', () => {
    fc.assert(
      fc.property(site, (stored) => {
        expect(open(stored, 'abuse@example.org').problems).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });
});
