import { describe, expect, it } from 'vitest';
import { SHEET } from '../../server/service/site-page/sheet.ts';
import { blockExamples, FIGURE } from './support/block-examples.ts';
import { type Page, attribute, block, open } from './support/site.ts';

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
