import type { Block } from './site.ts';

/** Clicks of the last 30 days by normalized URL. */
export type Clicks = ReadonlyMap<string, number>;

/** Clicks on the links of a block, including those of its items. */
export function countClicks(block: Block, clicks: Clicks): number {
  const items: unknown[] = Array.isArray(block['items']) ? block['items'] : [];
  const urls = [block, ...items].map((item) => (item as { url?: unknown } | null)?.url);
  const hrefs = urls.map((url) => (typeof url === 'string' ? URL.parse(url)?.href : undefined));
  return [...new Set(hrefs)].reduce((sum, href = '') => sum + (clicks.get(href) ?? 0), 0);
}
