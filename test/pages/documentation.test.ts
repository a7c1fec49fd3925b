import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { BlockUpdates } from '#contract/block.ts';
import { blockDefinition } from '#contract/shared/blocks.ts';
import { contract } from '#contract/index.ts';
import { createIgnoredFieldsFinder } from '#server/platform/http/contract/ignored-fields.ts';
import { PAGE_METRIC, readBlockExamples } from './support/block-examples.ts';
import { block, renderPage } from './support/site.ts';

const findIgnoredFields = createIgnoredFieldsFinder(contract.site.updateSiteConfiguration);
const emptyPageElements = renderPage({}).elements.length;

it.each(readBlockExamples().map((example) => [example.blocks[0]!.type, example] as const))(
  'the example in the documentation of %s is valid, has no ignored fields, and is rendered',
  (type, { blocks, picture }) => {
    expect(BlockUpdates.safeParse(blocks).error).toBe(undefined);
    const storedBlocks = blocks.map(({ type: kind, ...fields }) => block(kind, fields));
    expect(findIgnoredFields({ body: { blocks }, query: {} })).toEqual(
      blockDefinition(type) ? [] : ['blocks.0.type'],
    );
    const pageMetrics = new Map(storedBlocks.map(({ id }) => [id, PAGE_METRIC]));
    const page = renderPage({ blocks: storedBlocks, pageMetrics });
    expect(page.parseErrors).toEqual([]);
    if (picture) expect(page.elements.length).toBeGreaterThan(emptyPageElements);
    expect(picture === undefined || existsSync(picture)).toBe(true);
  },
);
