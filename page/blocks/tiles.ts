import type { Block } from '#contract/block.ts';
import { flagOf, textOf } from '../fields/fields.ts';
import { type Html, html } from '../html/html.ts';
import { imageRatio, isFilm } from './media.ts';

const SIZES = ['third', 'half', 'full'] as const;

export interface Tile {
  size: (typeof SIZES)[number];
  /**
   * Adjacent tiles of one group share rows: blocks whose owner chose a size, a picture and its
   * text, or blocks that need little width.
   */
  group: 'sized' | 'beside' | 'small';
  /** Whether it is the heading of the next tiles. Shares a tile with text beside a picture. */
  isHeading?: true;
  /** Whether it is a player of sound beside a film. Adjacent ones share a tile. */
  isStacked?: true;
  /** Whether it is an upright picture, which is cropped to the height of its row. */
  isUpright?: boolean;
}

/** Pictures with a smaller aspect ratio leave room for text beside them. */
const UPRIGHT_RATIO = 0.9;

/** Wider pictures would be slivers beside a text. */
const MAX_RATIO_BESIDE_TEXT = 2;

/** Longer texts would be much taller than a landscape picture beside them. */
const MAX_TEXT_LENGTH = 600;

/** Characters beside a square picture of half the width. Beside shorter texts, it takes a third. */
const HALF_PICTURE_TEXT_LENGTH = 600;

const SMALL_KINDS = new Set(['contact', 'qr', 'countdown', 'metric', 'embed', 'code']);

/** Longer lines of code need the whole width. */
const MAX_CODE_COLUMNS = 32;

/**
 * Returns the blocks that share rows: those whose owner chose a size, a picture and the text before
 * or after it, and adjacent blocks that need little width.
 */
export function chooseTiles(blocks: readonly Block[]): ReadonlyMap<Block, Tile> {
  const tiles = new Map<Block, Tile>();
  for (const block of blocks) {
    const size = SIZES.find((name) => name === block['size']);
    if (size) tiles.set(block, { size, group: 'sized', isUpright: isUpright(block) });
  }
  for (const [index, block] of blocks.entries()) {
    if (tiles.has(block) || block.type !== 'image') continue;
    const before = blocks[index - 1];
    const after = blocks[index + 1];
    if ((imageRatio(block) ?? 1) > MAX_RATIO_BESIDE_TEXT) continue;
    // Adjacent pictures form a row.
    if ([before, after].some((neighbor) => neighbor?.type === 'image')) continue;
    const maxLength = isUpright(block) ? Number.POSITIVE_INFINITY : MAX_TEXT_LENGTH;
    const text = [before, after].find((neighbor) => {
      if (neighbor?.type !== 'text' || tiles.has(neighbor)) return false;
      const length = textOf(neighbor, 'content')?.length ?? 0;
      return length > 0 && length <= maxLength;
    });
    if (!text) continue;
    const fillsHalf =
      textOf(text, 'content')!.length * (imageRatio(block) ?? 1) >= HALF_PICTURE_TEXT_LENGTH;
    tiles.set(block, { size: fillsHalf ? 'half' : 'third', group: 'beside' });
    tiles.set(text, { size: 'half', group: 'beside' });
  }
  addSmallBlocks(blocks, tiles);
  for (const [index, block] of blocks.entries()) {
    const next = blocks[index + 1];
    const afterNext = blocks[index + 2];
    const tile = next && tiles.get(next);
    if (block.type !== 'heading' || !tile || tile.group === 'small') continue;
    const isBesidePicture =
      next.type === 'text' && afterNext?.type === 'image' && tiles.has(afterNext);
    tiles.set(block, { ...tile, size: isBesidePicture ? tile.size : 'full', isHeading: true });
  }
  return tiles;
}

/** Puts adjacent small blocks into rows of two or three. A single one goes beside a quote. */
function addSmallBlocks(blocks: readonly Block[], tiles: Map<Block, Tile>): void {
  const isFree = (block: Block | undefined) => block && !tiles.has(block);
  let row: Block[] = [];
  for (const [index, block] of blocks.entries()) {
    if (!isFree(block) || !isSmall(block)) continue;
    row.push(block);
    const next = blocks[index + 1];
    if (next && isFree(next) && isSmall(next)) continue;
    const quote = [blocks[index - 1], next].find(
      (neighbor) => isFree(neighbor) && neighbor?.type === 'quote',
    );
    const size = (position: number) =>
      row.length % 3 === 1 && position >= row.length - 4 ? 'half' : 'third';
    const [film, ...sounds] = row;
    if (sounds.length > 1 && isFilm(film!) && sounds.every(isSound)) {
      tiles.set(film!, { size: 'half', group: 'small' });
      for (const sound of sounds)
        tiles.set(sound, { size: 'third', group: 'small', isStacked: true });
    } else if (row.length > 1)
      for (const [position, member] of row.entries())
        tiles.set(member, { size: size(position), group: 'small' });
    else if (quote) {
      tiles.set(block, { size: 'third', group: 'small' });
      tiles.set(quote, { size: 'half', group: 'small' });
    }
    row = [];
  }
}

function isSound(block: Block): boolean {
  return block.type === 'embed' && !isFilm(block);
}

function isSmall(block: Block): boolean {
  if (block.type === 'embed') return !flagOf(block, 'inline');
  if (block.type === 'code')
    return (textOf(block, 'content') ?? '')
      .split('\n')
      .every((line) => line.length <= MAX_CODE_COLUMNS);
  return SMALL_KINDS.has(block.type);
}

function isUpright(block: Block): boolean {
  return block.type === 'image' && (imageRatio(block) ?? 1) < UPRIGHT_RATIO;
}

export function renderTiles(blocks: readonly { rendered: Html; tile: Tile }[]): Html {
  const tiles: { tile: Tile; parts: Html[] }[] = [];
  for (const { rendered, tile } of blocks) {
    const previous = tiles.at(-1);
    const joins = previous?.tile.isHeading
      ? previous.tile.size === tile.size
      : previous?.tile.isStacked && tile.isStacked;
    if (previous && joins) Object.assign(previous, { tile, parts: [...previous.parts, rendered] });
    else tiles.push({ tile, parts: [rendered] });
  }
  const isBeside = blocks[0]!.tile.group === 'beside';
  return html`<div class="tiles${isBeside && ' beside'}">
    ${tiles.map(
      ({ tile, parts }) =>
        html`<div class="blocks size-${tile.size}${tile.isUpright && ' upright'}">${parts}</div>`,
    )}
  </div>`;
}
