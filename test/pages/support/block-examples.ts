import { readFileSync } from 'node:fs';
import type { BlockUpdate } from '#contract/block.ts';
import type { PageMetric } from '#page/page-metric.ts';
import type { PublicSite } from '#page/public-site.ts';
import { block } from './site.ts';

const DOCUMENT = new URL('../../../docs/site-blocks.md', import.meta.url);
const EXAMPLE = /^```json\n(?<json>.*?)^```\n\n(?:!\[.*?\]\((?<picture>.*?)\))?/gms;

export const PAGE_METRIC: PageMetric = {
  value: 1_284,
  previous: 1_102,
  points: [150, 162, 190, 171, 204, 188, 219],
};

/** Stores example blocks. All metric blocks show the same number. */
export function exampleSite(blocks: BlockUpdate[]): Pick<PublicSite, 'blocks' | 'pageMetrics'> {
  const storedBlocks = blocks.map(({ type, ...fields }) => block(type, fields));
  const pageMetrics = new Map(storedBlocks.map(({ id }) => [id, PAGE_METRIC]));
  return { blocks: storedBlocks, pageMetrics };
}

/** An example from `docs/site-blocks.md`, with its picture if it has one. */
interface BlockExample {
  blocks: BlockUpdate[];
  picture: URL | undefined;
}

export function readBlockExamples(): BlockExample[] {
  return [...readFileSync(DOCUMENT, 'utf8').matchAll(EXAMPLE)].map(({ groups }) => ({
    blocks: [JSON.parse(groups!['json']!) as BlockUpdate | BlockUpdate[]].flat(),
    picture: groups!['picture'] === undefined ? undefined : new URL(groups!['picture'], DOCUMENT),
  }));
}
