import { computed, signal } from '@preact/signals';
import { uuid } from '../../../client/src/uuid.ts';
import { LIMITS } from '#contract/limits.ts';
import { announce, say } from '#dashboard/parts/messages.tsx';
import { draft } from './current-draft.ts';
import { withoutUndefined } from './draft.ts';
import { nameOfBlock, newBlock } from './kinds.ts';
import { type Block, newSettings, toRequest } from './site.ts';

/** The part of the page in work: the id of a block, or the profile. */
export const selectedId = signal('');

/** Name of the profile among the parts that can be selected. */
export const PROFILE_ID = 'profile';

/** Place at which the gallery of blocks is open. */
export const galleryIndex = signal<number>();

let galleryOpener: Element | null = null;

/** Opens the gallery of blocks at a place in the list. */
export function openGallery(at: number): void {
  galleryOpener = document.activeElement;
  galleryIndex.value = at;
}

/** Closes the gallery; the focus returns to where it was opened. */
export function closeGallery(): void {
  galleryIndex.value = undefined;
  // A button that the gallery replaced is there again once that is drawn.
  requestAnimationFrame(() => {
    const back = galleryOpener?.isConnected ? galleryOpener : document.querySelector('.add-block');
    (back as HTMLElement | null)?.focus();
  });
}

/** How many blocks can still be added. The API counts the settings as one. */
export const remainingBlocks = computed(
  () => LIMITS.blocks - (draft.site.value ? toRequest(draft.site.value).blocks.length : 0),
);

export const draftBlocks = computed(() => draft.site.value?.blocks ?? []);

/** Puts new blocks at a place and returns the id of the first. */
function insertBlocks(
  blocks: readonly ({ type: string } & Record<string, unknown>)[],
  at = draftBlocks.peek().length,
): string {
  const added = blocks.map((block) => ({ enabled: true, ...block, id: uuid() }) as Block);
  draft.change(uuid(), { blocks: draftBlocks.peek().toSpliced(at, 0, ...added) });
  return added[0]?.id ?? '';
}

/** Adds blocks to the draft from another screen, and opens the form of the first. Returns whether there was room. */
export async function addBlocksToDraft(
  blocks: readonly ({ type: string } & Record<string, unknown>)[],
): Promise<boolean> {
  await draft.load();
  if (blocks.length > remainingBlocks.peek()) return false;
  selectedId.value = insertBlocks(blocks);
  return true;
}

/** Adds a block of a kind and opens its form. */
export function addBlock(type: string, at: number): void {
  if (remainingBlocks.peek() <= 0) return;
  galleryIndex.value = undefined;
  selectedId.value = insertBlocks([newBlock(type)], at);
}

/** Puts a copy of a block below it and opens the form of the copy. */
export function duplicateBlock(id: string): void {
  if (remainingBlocks.peek() <= 0) return;
  const at = indexOfBlock(id);
  selectedId.value = insertBlocks([draftBlocks.peek()[at]!], at + 1);
}

/** Moves a block to another place, and tells who does not see it where it is. */
export function moveBlock(id: string, to: number): void {
  const blocks = draftBlocks.peek();
  const from = indexOfBlock(id);
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
export function setBlockEnabled(id: string, enabled: boolean): void {
  draft.changeBlock(id, 'enabled', { enabled });
}

/** Deletes a block; a message offers to undo that for as long as nothing else was changed. */
export function deleteBlock(id: string): void {
  const at = indexOfBlock(id);
  const block = draftBlocks.peek()[at]!;
  draft.change(`${id} delete`, { blocks: draftBlocks.peek().toSpliced(at, 1) });
  const after = draft.site.peek();
  requestAnimationFrame(() => focusRow(Math.min(at, draftBlocks.peek().length - 1)));
  const isCurrent = () => draft.site.value === after;
  say(`${nameOfBlock(block)} deleted.`, { label: 'Undo', run: () => draft.undo(), isCurrent });
}

/** Brings new blocks into sight, from the one at a place on; an open form would push them away. */
export function scrollToBlocks(at: number): void {
  selectedId.value = '';
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

function indexOfBlock(id: string): number {
  return draftBlocks.peek().findIndex((block) => block.id === id);
}
