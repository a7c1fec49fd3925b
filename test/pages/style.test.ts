import { describe, expect, it } from 'vitest';
import { SHEET } from '../../server/service/site-page/sheet.ts';
import { blockExamples, FIGURE } from './support/block-examples.ts';
import { type Page, attribute, block, open, textOf } from './support/site.ts';

const EXAMPLES = blockExamples().flatMap(({ blocks }) =>
  blocks.map(({ type, ...fields }) => block(type, fields)),
);
const PAGES = EXAMPLES.map((example) => ({
  type: example.type,
  page: open({ blocks: [example], figures: new Map([[example.id, FIGURE]]) }),
}));

/** The rules of which at least one selector is about elements that a page has. */
function usedParts(page: Page, rules: string): string[] {
  const names = new Set(
    page.elements.flatMap((element) => [
      element.tagName,
      ...(attribute(element, 'class') ?? '').split(' ').map((name) => `.${name}`),
    ]),
  );
  const selectors = [...rules.matchAll(/(?<=^|[{}\n])(?<selectors>[^@{}]+)\{/g)].flatMap(
    ({ groups }) => groups!['selectors']!.split(','),
  );
  return selectors.filter((selector) => {
    const parts = selector.replace(/::?[\w-]+|\[.*?\]/g, '').match(/\.?[a-z][\w-]*/g) ?? [];
    return parts.length > 0 && parts.every((part) => names.has(part));
  });
}

describe('the style sheet of a page', () => {
  it.each(PAGES)('has all that a block of the type $type needs', ({ page }) => {
    const style = /<style>(.*?)<\/style>/s.exec(page.html)![1]!;
    const missing = SHEET.map((part) => (typeof part === 'string' ? part : part.rules)).filter(
      (rules) => !style.includes(rules.replaceAll('\n', '')),
    );
    expect(missing.flatMap((rules) => usedParts(page, rules))).toEqual([]);
  });

  it('has nothing that only other pages need', () => {
    const { html } = open({ bio: 'Potter' });
    expect(html).not.toMatch(/\.button\{|summary::|\.metric|\.qr|blockquote::/);
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
