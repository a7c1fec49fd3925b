import { computed, signal } from '@preact/signals';
import { uuid } from '../../../client/src/uuid.ts';
import { LIMITS } from '#contract/limits.ts';
import { announce, say } from '#dashboard/parts/messages.tsx';
import { draft } from './current-draft.ts';
import { withoutUndefined } from './draft.ts';
import { nameOfBlock, newBlock } from './kinds.ts';
import { type Block, newSettings, requestOf } from './site.ts';

/** The part of the page in work: the id of a block, or the profile. */
export const selected = signal('');

/** Name of the profile among the parts that can be selected. */
export const PROFILE = 'profile';

/** Place at which the gallery of blocks is open. */
export const adding = signal<number>();

let opener: Element | null = null;

/** Opens the gallery of blocks at a place in the list. */
export function openGallery(at: number): void {
  opener = document.activeElement;
  adding.value = at;
}

/** Closes the gallery; the focus returns to where it was opened. */
export function closeGallery(): void {
  adding.value = undefined;
  // A button that the gallery replaced is there again once that is drawn.
  requestAnimationFrame(() => {
    const back = opener?.isConnected ? opener : document.querySelector('.add-block');
    (back as HTMLElement | null)?.focus();
  });
}

/** How many blocks can still be added. The API counts the settings as one. */
export const free = computed(
  () => LIMITS.blocks - (draft.site.value ? requestOf(draft.site.value).blocks.length : 0),
);

export const listed = computed(() => draft.site.value?.blocks ?? []);

/** Puts new blocks at a place and returns the id of the first. */
function insertBlocks(
  blocks: readonly ({ type: string } & Record<string, unknown>)[],
  at = listed.peek().length,
): string {
  const added = blocks.map((block) => ({ enabled: true, ...block, id: uuid() }) as Block);
  draft.change(uuid(), { blocks: listed.peek().toSpliced(at, 0, ...added) });
  return added[0]?.id ?? '';
}

/** Adds blocks to the draft from another screen, and opens the form of the first. Returns whether there was room. */
export async function proposeBlocks(
  blocks: readonly ({ type: string } & Record<string, unknown>)[],
): Promise<boolean> {
  await draft.load();
  if (blocks.length > free.peek()) return false;
  selected.value = insertBlocks(blocks);
  return true;
}

/** Adds a block of a kind and opens its form. */
export function addBlock(type: string, at: number): void {
  if (free.peek() <= 0) return;
  adding.value = undefined;
  selected.value = insertBlocks([newBlock(type)], at);
}

/** Puts a copy of a block below it and opens the form of the copy. */
export function duplicateBlock(id: string): void {
  if (free.peek() <= 0) return;
  const at = placeOf(id);
  selected.value = insertBlocks([listed.peek()[at]!], at + 1);
}

/** Moves a block to another place, and tells who does not see it where it is. */
export function moveBlock(id: string, to: number): void {
  const blocks = listed.peek();
  const from = placeOf(id);
  if (to < 0 || to >= blocks.length || from === to) return;
  const block = blocks[from]!;
  draft.change(`${id} move`, { blocks: blocks.toSpliced(from, 1).toSpliced(to, 0, block) });
  announce(`${nameOfBlock(block)}: block ${to + 1} of ${blocks.length}.`);
}

/** Changes page settings; `undefined` removes one. */
export function changeSettings(changes: Readonly<Record<string, unknown>>): void {
  const settings = draft.site.peek()!.settings ?? newSettings();
  draft.change(`settings ${Object.keys(changes).join()}`, {
    settings: { ...settings, fields: withoutUndefined({ ...settings.fields, ...changes }) },
  });
}

/** Shows a block on the page, or hides it. */
export function showBlock(id: string, enabled: boolean): void {
  draft.changeBlock(id, 'enabled', { enabled });
}

/** Deletes a block; a message offers to undo that for as long as nothing else was changed. */
export function deleteBlock(id: string): void {
  const at = placeOf(id);
  const block = listed.peek()[at]!;
  draft.change(`${id} delete`, { blocks: listed.peek().toSpliced(at, 1) });
  const after = draft.site.peek();
  requestAnimationFrame(() => focusRow(Math.min(at, listed.peek().length - 1)));
  const isCurrent = () => draft.site.value === after;
  say(`${nameOfBlock(block)} deleted.`, { label: 'Undo', run: () => draft.undo(), isCurrent });
}

/** Brings new blocks into sight, from the one at a place on; an open form would push them away. */
export function revealBlocks(at: number): void {
  selected.value = '';
  requestAnimationFrame(() => {
    document.querySelectorAll('.blocks > .block')[at]?.scrollIntoView();
    focusRow(at);
  });
}

/** Gives the focus to the row at a place, which took the place of one that is gone; without rows, to what adds one. */
function focusRow(at: number): void {
  const names = document.querySelectorAll<HTMLElement>('.blocks > .block .block-name');
  (names[at] ?? document.querySelector<HTMLElement>('.add-block'))?.focus();
}

function placeOf(id: string): number {
  return listed.peek().findIndex((block) => block.id === id);
}
