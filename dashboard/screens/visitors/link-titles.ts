import type { Block } from '#contract/block.ts';

/** Titles of the links of a page, by the addresses that clicks are counted by. */
export type LinkTitles = ReadonlyMap<string, string>;

/** Finds the titles of links among blocks and their items. */
export function findLinkTitles(blocks: readonly Block[]): LinkTitles {
  const titles = new Map<string, string>();
  const items = blocks.flatMap((block) => [block, ...objectsIn(block['items'])]);
  for (const { url, title, label, content, type } of items) {
    const address = typeof url === 'string' ? URL.parse(url)?.href : undefined;
    // The content of other kinds is a text.
    const words = [title, label, type === 'link' ? content : undefined].find(
      (text): text is string => typeof text === 'string' && text.trim() !== '',
    );
    if (address && words && !titles.has(address)) titles.set(address, words.trim());
  }
  return titles;
}

function objectsIn(items: unknown): Record<string, unknown>[] {
  return Array.isArray(items)
    ? items.filter((item) => typeof item === 'object' && item !== null)
    : [];
}
