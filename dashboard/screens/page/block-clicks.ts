import type { Block } from './site.ts';

/** Clicks of the last 30 days by normalized URL. */
export type Clicks = ReadonlyMap<string, number>;

/** Clicks on the links of a block, including those of its items. */
export function countClicks(block: Block, clicks: Clicks): number {
  return hrefsOf(block).reduce((sum, href) => sum + (clicks.get(href) ?? 0), 0);
}

/** Whether another block has one of the addresses. Clicks are counted by address. */
export function sharesClicks(block: Block, blocks: readonly Block[]): boolean {
  const hrefs = new Set(hrefsOf(block));
  return blocks.some((other) => other !== block && hrefsOf(other).some((href) => hrefs.has(href)));
}

function hrefsOf(block: Block): string[] {
  const items: unknown[] = Array.isArray(block['items']) ? block['items'] : [];
  const urls = [block, ...items].map((item) => (item as { url?: unknown } | null)?.url);
  const hrefs = urls.map((url) => (typeof url === 'string' ? URL.parse(url)?.href : undefined));
  return [...new Set(hrefs)].filter((href) => href !== undefined);
}
