import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { BlockUpdates } from '#contract/block.ts';
import { publicBlock } from '#page/blocks/index.ts';
import { PAGE_NUMBER, blockExamples } from './support/block-examples.ts';
import { block, renderPage } from './support/site.ts';

const bare = renderPage({}).elements.length;

describe('a documented example', () => {
  it.each(blockExamples().map((example) => [example.blocks[0]!.type, example] as const))(
    'of %s is accepted, parsed completely and shown',
    (_type, { blocks, picture }) => {
      expect(BlockUpdates.safeParse(blocks).error).toBe(undefined);
      const stored = blocks.map(({ type, ...fields }) => block(type, fields));
      const shown = new Set(['project', ...stored.flatMap((one) => Object.keys(publicBlock(one)))]);
      expect(stored.flatMap((one) => Object.keys(one)).filter((name) => !shown.has(name))).toEqual(
        [],
      );
      const pageNumbers = new Map(stored.map(({ id }) => [id, PAGE_NUMBER]));
      const page = renderPage({ blocks: stored, pageNumbers });
      expect(page.problems).toEqual([]);
      if (picture) expect(page.elements.length).toBeGreaterThan(bare);
      expect(picture === undefined || existsSync(picture)).toBe(true);
    },
  );
});
