import type { Block } from '../../../contract/block.ts';
import { LIMITS } from '../../../contract/limits.ts';

/** The first of the blocks that are enabled, as many as a page has room for: as they are read of a site that is stored. */
export function firstBlocks(blocks: readonly Block[]): { blocks: Block[]; has_more: boolean } {
  const enabled = blocks.filter((block) => block.enabled);
  const shown = new Set<Block>();
  let left: number = LIMITS.pageBytes;
  for (const block of enabled.toSorted((one, other) => placeOf(one) - placeOf(other))) {
    left -= bytesOf(block);
    if (left < 0) break;
    shown.add(block);
  }
  return {
    blocks: enabled.filter((block) => shown.has(block)),
    has_more: shown.size < enabled.length,
  };
}

/** Place of a block: those about the page as a whole come before its content. */
function placeOf({ type }: Block): number {
  return type === 'page' ? 0 : 1;
}

const NOT_FIELDS = new Set(['id', 'type', 'enabled', 'content', 'url']);

/** Size of a block as it is stored, without its id and kind. */
function bytesOf(block: Block): number {
  const fields = Object.entries(block).filter(([name]) => !NOT_FIELDS.has(name));
  return [block.content ?? '', block.url ?? '', JSON.stringify(Object.fromEntries(fields))]
    .map((text) => Buffer.byteLength(text))
    .reduce((one, other) => one + other);
}
