import type { Block } from '#contract/block.ts';
import { textOf } from '../fields.ts';
import { type Html, html } from '../html.ts';
import { imageRatio } from './media.ts';

const SIZES = ['third', 'half', 'full'] as const;

export interface Tile {
  size: (typeof SIZES)[number];
  /** Whether the page chose the size, because the owner chose none. */
  isAutomatic: boolean;
  /** Whether it is the heading of the next tiles. Shares a tile with text beside a picture. */
  isHeading?: true;
  /** Whether it is an upright picture, which is cropped to the height of its row. */
  isUpright?: boolean;
}

/** Pictures with a smaller aspect ratio leave room for text beside them. */
const UPRIGHT_RATIO = 0.9;

/** Longer texts would be much taller than a landscape picture beside them. */
const MAX_TEXT_LENGTH = 600;

/**
 * Returns the blocks whose owner chose a size. Also a picture and the text before or after it,
 * which are side by side.
 */
export function chooseTiles(blocks: readonly Block[]): ReadonlyMap<Block, Tile> {
  const tiles = new Map<Block, Tile>();
  for (const block of blocks) {
    const size = SIZES.find((name) => name === block['size']);
    if (size) tiles.set(block, { size, isAutomatic: false, isUpright: isUpright(block) });
  }
  for (const [index, block] of blocks.entries()) {
    if (tiles.has(block) || block.type !== 'image') continue;
    const [before, after] = [blocks[index - 1], blocks[index + 1]];
    // Adjacent pictures form a row.
    if ([before, after].some((neighbor) => neighbor?.type === 'image')) continue;
    const maxLength = isUpright(block) ? Number.POSITIVE_INFINITY : MAX_TEXT_LENGTH;
    const text = [before, after].find((neighbor) => {
      if (neighbor?.type !== 'text' || tiles.has(neighbor)) return false;
      const length = textOf(neighbor, 'content')?.length ?? 0;
      return length > 0 && length <= maxLength;
    });
    if (!text) continue;
    for (const tile of [block, text]) tiles.set(tile, { size: 'half', isAutomatic: true });
  }
  for (const [index, block] of blocks.entries()) {
    const [next, afterNext] = [blocks[index + 1], blocks[index + 2]];
    const tile = next && tiles.get(next);
    if (block.type !== 'heading' || !tile) continue;
    const isBesidePicture =
      next.type === 'text' && afterNext?.type === 'image' && tiles.has(afterNext);
    tiles.set(block, { ...tile, size: isBesidePicture ? tile.size : 'full', isHeading: true });
  }
  return tiles;
}

function isUpright(block: Block): boolean {
  return block.type === 'image' && (imageRatio(block) ?? 1) < UPRIGHT_RATIO;
}

export function renderTiles(blocks: readonly { rendered: Html; tile: Tile }[]): Html {
  const tiles: { tile: Tile; parts: Html[] }[] = [];
  for (const { rendered, tile } of blocks) {
    const previous = tiles.at(-1);
    if (previous?.tile.isHeading && previous.tile.size === tile.size)
      Object.assign(previous, { tile, parts: [...previous.parts, rendered] });
    else tiles.push({ tile, parts: [rendered] });
  }
  const isBeside = blocks[0]!.tile.isAutomatic;
  return html`<div class="tiles${isBeside && ' beside'}">
    ${tiles.map(
      ({ tile, parts }) =>
        html`<div class="blocks size-${tile.size}${tile.isUpright && ' upright'}">${parts}</div>`,
    )}
  </div>`;
}
