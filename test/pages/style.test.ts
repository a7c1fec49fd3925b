import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { PublicSite } from '../../server/service/site-page/public-site.ts';
import { blockExamples, FIGURE } from './support/block-examples.ts';
import { type Page, attribute, block, open, textOf } from './support/site.ts';

const SITES: Partial<PublicSite>[] = [
  {},
  { avatarUrl: 'https://cdn.example/a.png', bio: 'Potter', location: 'Lisbon' },
  ...blockExamples().map(({ blocks }) => {
    const stored = blocks.map(({ type, ...fields }) => block(type, fields));
    return { blocks: stored, figures: new Map(stored.map(({ id }) => [id, FIGURE])) };
  }),
];

describe('the style sheet of pages', () => {
  const css = readFileSync(
    new URL('../../server/service/site-page/page.css', import.meta.url),
    'utf8',
  );

  it('has no class that no page has', () => {
    const shown = new Set(
      SITES.flatMap((site) =>
        open(site).elements.flatMap((element) => (attribute(element, 'class') ?? '').split(' ')),
      ),
    );
    // A long bio and a text that is not rendered are no examples.
    for (const name of ['long', 'plain', 'embed']) shown.add(name);
    const named = [...css.matchAll(/\.([a-z][\w-]*)/g)].map(([, name]) => name!);
    expect(named.filter((name) => !shown.has(name))).toEqual([]);
  });

  it('is the same in each page, without comments and indentation', () => {
    const [one, other] = SITES.map((site) => textOf(open(site).all('style')[0]!));
    expect(one).toBe(other);
    expect(one).not.toMatch(/\/\*|\n\s/);
    expect(one).toContain('\n.metric strong {');
  });
});

describe('a theme as it should not be in the database', () => {
  const SPITE = '#fff}body{background:url(https://evil.example)}</style><script>';
  const sheetOf = (page: Page) => textOf(page.all('style')[0]!);

  it.each(['background_color', 'primary_color', 'text_color', 'accent_color'] as const)(
    'has no word in the style sheet that is no colour: %s',
    (field) => {
      for (const colour of [SPITE, 'red', '#12345', '#1234567', 'var(--x)', '', '#GGGGGG']) {
        const page = open({ customTheme: { [field]: colour } });
        expect(sheetOf(page)).toBe(sheetOf(open({ customTheme: {} })));
        expect(page.html).not.toContain('evil.example');
      }
      expect(sheetOf(open({ customTheme: { [field]: '#123456' } }))).not.toBe(
        sheetOf(open({ customTheme: {} })),
      );
    },
  );

  it('names each of its fonts as a string of its own, and none with other characters', () => {
    const fontOf = (family: string) =>
      /--font:([^}]*)\}/.exec(sheetOf(open({ customTheme: { font_family: family } })))?.[1];
    expect(fontOf('Comic Sans MS, Georgia,serif')).toBe(
      '"Comic Sans MS","Georgia",serif,system-ui,sans-serif',
    );
    for (const family of [SPITE, 'a"b', "a'b", 'a\\b', 'a;b', 'a/*b', 'a\nb', 'é', '\u202Ea'])
      expect([family, fontOf(`${family}, Georgia`)]).toEqual([
        family,
        '"Georgia",system-ui,sans-serif',
      ]);
  });
});

it('an avatar comes over https, of a fixed size, and hears nothing of the page', () => {
  for (const avatarUrl of ['https://cdn.example/a.png', 'http://cdn.example/a.png']) {
    const [picture] = open({ avatarUrl }).all('img');
    expect(Object.fromEntries(picture!.attrs.map(({ name, value }) => [name, value]))).toEqual({
      class: 'photo u-photo',
      src: 'https://cdn.example/a.png',
      alt: '',
      'data-initials': 'J',
      width: '112',
      height: '112',
      referrerpolicy: 'no-referrer',
      decoding: 'async',
    });
  }
});
