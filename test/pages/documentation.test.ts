import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { BlockUpdates } from '#contract/block.ts';
import { publicBlock } from '#page/blocks/index.ts';
import { PAGE_METRIC, readBlockExamples } from './support/block-examples.ts';
import { block, renderPage } from './support/site.ts';

const emptyPageElements = renderPage({}).elements.length;

it.each(readBlockExamples().map((example) => [example.blocks[0]!.type, example] as const))(
  'the example in the documentation of %s is valid, has no unknown fields, and is rendered',
  (_type, { blocks, picture }) => {
    expect(BlockUpdates.safeParse(blocks).error).toBe(undefined);
    const storedBlocks = blocks.map(({ type, ...fields }) => block(type, fields));
    const shownFields = new Set([
      'project',
      ...storedBlocks.flatMap((storedBlock) => Object.keys(publicBlock(storedBlock))),
    ]);
    expect(
      storedBlocks
        .flatMap((storedBlock) => Object.keys(storedBlock))
        .filter((name) => !shownFields.has(name)),
    ).toEqual([]);
    const pageMetrics = new Map(storedBlocks.map(({ id }) => [id, PAGE_METRIC]));
    const page = renderPage({ blocks: storedBlocks, pageMetrics });
    expect(page.parseErrors).toEqual([]);
    if (picture) expect(page.elements.length).toBeGreaterThan(emptyPageElements);
    expect(picture === undefined || existsSync(picture)).toBe(true);
  },
);
