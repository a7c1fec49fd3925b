import { computed, signal } from '@preact/signals';
import { uuid } from '#client/uuid.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { announce, showMessage } from '#dashboard/components/messages.tsx';
import { accountTimeZone } from '#dashboard/current-account.ts';
import { timeZone } from '#dashboard/time-zones.ts';
import { t } from '#dashboard/translate.ts';
import { draft } from './current-draft.ts';
import { withoutUndefined } from './draft.ts';
import { blockLabel, newBlock } from './kinds.ts';
import { type Block, createPageSettings } from './site.ts';

/** Id of the block whose form is open, or `PROFILE_ID`. Empty if no form is open. */
export const selectedId = signal('');

export const PROFILE_ID = 'profile';

export const draftBlocks = computed(() => draft.site.value?.blocks ?? []);

export const remainingBlocks = computed(() => LIMITS.blocks - draftBlocks.value.length);

export const PAGE_FULL = t('A page can have {limit} blocks. Delete one to add another.', {
  limit: LIMITS.blocks,
});

/** Returns false after a message if the page has no room for another block. */
export function hasRoom(): boolean {
  if (remainingBlocks.peek() > 0) return true;
  showMessage(PAGE_FULL);
  return false;
}

function insertBlocks(
  blocks: readonly ({ type: string } & Record<string, unknown>)[],
  index = draftBlocks.peek().length,
): string {
  const newBlocks = blocks.map((block) => ({ enabled: true, ...block, id: uuid() }) as Block);
  draft.change(uuid(), { blocks: draftBlocks.peek().toSpliced(index, 0, ...newBlocks) });
  return newBlocks[0]?.id ?? '';
}

export function addBlock(
  type: string,
  index: number,
  fields?: Readonly<Record<string, unknown>>,
): void {
  if (!hasRoom()) return;
  selectedId.value = insertBlocks([{ ...newBlock(type, findZone()), ...fields }], index);
}

/** The zone chosen last, of the account or of the browser. UTC only if they have no other. */
function findZone(): string | undefined {
  const last = draftBlocks.peek().findLast((block) => block['time_zone'])?.['time_zone'];
  const zones = [last, accountTimeZone.peek(), timeZone];
  return zones.find((zone): zone is string => typeof zone === 'string' && zone !== 'UTC');
}

/** Inserts a copy below a block and opens the copy's form. */
export function duplicateBlock(id: string): void {
  if (!hasRoom()) return;
  const index = indexOfBlock(id);
  selectedId.value = insertBlocks([draftBlocks.peek()[index]!], index + 1);
}

/** The block that was moved last, until the preview has scrolled to it. */
export const movedId = signal('');

/** Moves a block, and announces its new position to screen readers. */
export function moveBlock(id: string, to: number): void {
  const blocks = draftBlocks.peek();
  const from = indexOfBlock(id);
  if (to < 0 || to >= blocks.length || from === to) return;
  const block = blocks[from]!;
  movedId.value = id;
  draft.change(`${id} move`, { blocks: blocks.toSpliced(from, 1).toSpliced(to, 0, block) });
  announce(
    t('{block}: block {position} of {count}.', {
      block: blockLabel(block),
      position: to + 1,
      count: blocks.length,
    }),
  );
}

export function changeSettings(changes: Readonly<Record<string, unknown>>): void {
  const settings = draft.site.peek()!.settings ?? createPageSettings();
  draft.change(`settings ${Object.keys(changes).join()}`, {
    settings: { ...settings, fields: withoutUndefined({ ...settings.fields, ...changes }) },
  });
}

export function setBlockEnabled(id: string, enabled: boolean): void {
  draft.changeBlock(id, 'enabled', { enabled });
}

/** Deletes a block. A message offers Undo, but only until the draft changes again. */
export function deleteBlock(id: string): void {
  const index = indexOfBlock(id);
  const block = draftBlocks.peek()[index]!;
  draft.change(`${id} delete`, { blocks: draftBlocks.peek().toSpliced(index, 1) });
  requestAnimationFrame(() => focusRow(Math.min(index, draftBlocks.peek().length - 1)));
  showUndo(t('{block} deleted.', { block: blockLabel(block) }));
}

/** A message about the last change, which it can undo until the draft changes again. */
export function showUndo(text: string): void {
  const after = draft.site.peek();
  const isCurrent = () => draft.site.value === after;
  showMessage(text, { label: t('Undo'), run: () => draft.undo(), isCurrent });
}

/**
 * Scrolls to the first new block and focuses it. Closes the open form, to make room for new blocks.
 */
export function scrollToBlocks(firstIndex: number): void {
  selectedId.value = '';
  requestAnimationFrame(() => {
    document.querySelectorAll('.blocks > .block')[firstIndex]?.scrollIntoView();
    focusRow(firstIndex);
  });
}

/** Focuses the row at an index, or the “Add block” button if there are no rows. */
function focusRow(index: number): void {
  const names = document.querySelectorAll<HTMLElement>('.blocks > .block .block-name');
  (names[index] ?? document.querySelector<HTMLElement>('.add-block'))?.focus();
}

function indexOfBlock(id: string): number {
  return draftBlocks.peek().findIndex((block) => block.id === id);
}
