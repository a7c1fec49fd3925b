import fc from 'fast-check';
import { expect, it } from 'vitest';
import { safeLine } from '#contract/safe-line.ts';
import { cutText, firstCharacter, shortenText } from '#contract/shared/user-text.ts';
import { initialsOf } from '#page/avatar-fallback.ts';
import { cardOf } from '#page/card/card.ts';
import { renderBadge } from '#page/files/badge.ts';
import { block, EMPTY_SITE, RENDER_CONTEXT, renderPage } from '../pages/support/site.ts';

const URL = 'https://a.example/';
const FAMILY = '👨‍👩‍👧‍👦';
const ENGLAND = '🏴󠁧󠁢󠁥󠁮󠁧󠁿';
/** “I want”, which is another word without its joiner (U+200C). */
const PERSIAN = 'می‌خواهم';

it.each(['🇩🇪', FAMILY, ENGLAND, 'नि', 'é', '👋🏽', 'B', ''])(
  'the first letter of %j is whole on faces, in favicons and initials',
  (first) => {
    expect(firstCharacter(`${first}x`)).toBe(first || 'x');
    const { html } = renderPage({ display_name: `${first}xyz`, mood: null });
    const letter = (first || 'x').toUpperCase();
    expect(html).toContain(`dominant-baseline='central'>${encodeURIComponent(letter)}</text>`);
    expect(initialsOf(`${first}x y`)).toBe(`${letter}Y`);
  },
);

it.each([
  ['abc🇩🇪', 4, 'abc'],
  [`ab${FAMILY}c`, 9, `ab${FAMILY}`],
  [`ab${FAMILY}c`, 8, 'ab'],
  ['कनि', 2, 'क'],
  [`a${'\u0301'.repeat(50)}`, 5, `a${'\u0301'.repeat(4)}`],
  [FAMILY, 3, '👨‍👩'],
  ['😀😀😀', 2, '😀😀'],
])('a text that is cut: %j to %i code points is %j', (text, max, expected) => {
  expect(cutText(text, max)).toBe(expected);
});

it('a text that is cut is a prefix within the limit, and whole if it fits', () => {
  const part = fc.constantFrom(...'a é😀\u0301\u200d', '🇩🇪', FAMILY, 'नि', '\r\n');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 40 }), fc.nat(60), (parts, max) => {
      const text = parts.join('');
      const [cut, fits] = [cutText(text, max), [...text].length <= max];
      expect(text.startsWith(cut)).toBe(true);
      expect([...cut].length).toBeLessThanOrEqual(max);
      expect(cut === text).toBe(fits);
      expect([...shortenText(text, max + 1)].length).toBeLessThanOrEqual(max + 1);
    }),
  );
});

it.each(['', 'a'])(
  'a text that is cut never ends within a flag on pages, badges and images (after %j)',
  (start) => {
    const label = start + '🇩🇪'.repeat(400);
    const blocks = [block('social', { items: [{ url: URL, label }] })];
    for (const shown of [
      renderPage({ bio: label }).html,
      renderPage({ blocks }).html,
      renderBadge(EMPTY_SITE, block('metric', { title: label })).svg,
      cardOf({ ...EMPTY_SITE, display_name: label }, RENDER_CONTEXT, {}).title,
    ])
      expect(shown.replaceAll('🇩🇪', '')).not.toMatch(/[\u{1f1e6}-\u{1f1ff}]/u);
  },
);

it.each([
  [PERSIAN, PERSIAN],
  [`${FAMILY} ${ENGLAND}`, `${FAMILY} ${ENGLAND}`],
  ['שלום\u200f!', 'שלום\u200f!'],
  ['a\0b\tc\u2028d', 'a b c d'],
  ['\u202eevil\u2066\ud800\uffff', 'evil'],
  ['\u200b\u200d\u2060 \ufeff', ''],
])('a line from elsewhere loses only what is harmful: %j becomes %j', (text, expected) => {
  expect(safeLine(text, 100)).toBe(expected);
  const { svg } = renderBadge(EMPTY_SITE, block('metric', { title: text }));
  if (expected) expect(svg).toContain(`>${expected}</text>`);
});
