import type { Block } from '#contract/block.ts';

/** Titles of links by URL. The URLs are normalized as in click counts. */
export type LinkTitles = ReadonlyMap<string, string>;

/** A URL of several links has all their titles, because their clicks are counted together. */
export function findLinkTitles(blocks: readonly Block[]): LinkTitles {
  const titles = new Map<string, Set<string>>();
  const items = blocks.flatMap((block) => [block, ...objectsIn(block['items'])]);
  for (const { url, title, label, content, type } of items) {
    const href = typeof url === 'string' ? URL.parse(url)?.href : undefined;
    // Only link blocks have a title in `content`.
    const linkTitle = [title, label, type === 'link' ? content : undefined].find(
      (text): text is string => typeof text === 'string' && text.trim() !== '',
    );
    if (!href || !linkTitle) continue;
    titles.set(href, (titles.get(href) ?? new Set()).add(linkTitle.trim()));
  }
  return new Map([...titles].map(([href, texts]) => [href, [...texts].join(' · ')]));
}

function objectsIn(items: unknown): Record<string, unknown>[] {
  return Array.isArray(items)
    ? items.filter((item) => typeof item === 'object' && item !== null)
    : [];
}
