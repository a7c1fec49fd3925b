import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from '#dashboard/components/icon.tsx';
import { announce } from '#dashboard/components/messages.tsx';
import { t } from '#dashboard/translate.ts';

/** The current drag in one list. `insertIndex` is missing while a drop would not move the item. */
const drag = signal<{ list: string; from: number; insertIndex?: number }>();

/** Whether an item of a list is dragged, or makes way for the dragged one. */
export function dragClass(list: string, index: number): string {
  if (drag.value?.list !== list) return '';
  const { from, insertIndex = from } = drag.value;
  if (index === from) return 'held';
  if (index > from) return index < insertIndex ? 'moved-up' : '';
  return index >= insertIndex ? 'moved-down' : '';
}

/** Width of the areas at the top and bottom of the visible page where dragging scrolls. */
const SCROLL_EDGE_PX = 72;
/** Pixels to scroll per frame, for each pixel inside the edge. */
const SCROLL_SHARE = 0.12;

interface Pointer {
  y: number;
  /** In the document, which may scroll. */
  startY: number;
  row: HTMLElement;
  list: HTMLElement;
  frameId: number;
  listening: AbortController;
}

/** In an item of an `<ol>`. `list` is the same for all its items, and no other list has it. */
export function DragHandle({
  list: listId,
  label,
  index,
  onMove,
}: {
  list: string;
  label: string;
  index: number;
  onMove: (to: number) => void;
}) {
  const pointer = useRef<Pointer>(undefined);
  const updateDrag = () => {
    const { y, startY, row, list } = pointer.current!;
    scrollAt(y, list);
    const max = list.offsetTop + list.offsetHeight - row.offsetTop - row.offsetHeight;
    const offset = Math.min(Math.max(y + scrollY - startY, list.offsetTop - row.offsetTop), max);
    list.style.setProperty('--drag-y', `${offset}px`);
    const insertIndex = insertIndexAt(list, y);
    const wouldMove = insertIndex !== index && insertIndex !== index + 1;
    if (drag.peek()?.insertIndex !== (wouldMove ? insertIndex : undefined) || !drag.peek())
      drag.value = { list: listId, from: index, ...(wouldMove && { insertIndex }) };
    pointer.current!.frameId = requestAnimationFrame(updateDrag);
  };
  const cancelOnEscape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    endDrag();
    announce(t('{block} stays where it was.', { block: label }));
  };
  const endDrag = () => {
    if (!pointer.current) return;
    cancelAnimationFrame(pointer.current.frameId);
    pointer.current.listening.abort();
    pointer.current = undefined;
    drag.value = undefined;
  };
  // The list can go away during a drag.
  useEffect(() => endDrag, []);
  return (
    <button
      type="button"
      class="grip"
      aria-label={t('Move {block} with the arrow keys', { block: label })}
      title={t('Drag to move')}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        // On the window, because Escape has to work wherever the focus is.
        const listening = new AbortController();
        addEventListener('keydown', cancelOnEscape, { capture: true, signal: listening.signal });
        const row = event.currentTarget.closest('li')!;
        const list = row.closest('ol')!;
        list.style.setProperty('--drag-height', `${row.offsetHeight}px`);
        const y = event.clientY;
        pointer.current = { y, startY: y + scrollY, row, list, frameId: 0, listening };
        updateDrag();
      }}
      onPointerMove={(event) => {
        if (pointer.current) pointer.current.y = event.clientY;
      }}
      onPointerUp={(event) => {
        if (!pointer.current) return;
        const insertIndex = insertIndexAt(pointer.current.list, event.clientY);
        endDrag();
        onMove(insertIndex > index ? insertIndex - 1 : insertIndex);
      }}
      onLostPointerCapture={endDrag}
      onKeyDown={(event) => {
        const offset = { ArrowUp: -1, ArrowDown: 1 }[event.key];
        if (offset === undefined) return;
        event.preventDefault();
        onMove(index + offset);
      }}
    >
      <Icon path="M6 3.5v.01M6 8v.01M6 12.5v.01M10 3.5v.01M10 8v.01M10 12.5v.01" />
    </button>
  );
}

/** Stops at the ends of the list. The scroll padding leaves room for fixed bars. */
function scrollAt(y: number, list: HTMLElement): void {
  const { scrollPaddingTop, scrollPaddingBottom } = getComputedStyle(document.documentElement);
  const above = parseFloat(scrollPaddingTop);
  const below = parseFloat(scrollPaddingBottom);
  const { top, bottom } = list.getBoundingClientRect();
  const up = above + SCROLL_EDGE_PX - y;
  const down = y - (innerHeight - below - SCROLL_EDGE_PX);
  if (up > 0 && top < above) scrollBy(0, -up * SCROLL_SHARE);
  else if (down > 0 && bottom > innerHeight - below) scrollBy(0, down * SCROLL_SHARE);
}

/**
 * The number of items whose middle is above a y coordinate in the window. Ignores that the rows
 * make way for the dragged one.
 */
function insertIndexAt(list: HTMLElement, y: number): number {
  const yInList = y - list.getBoundingClientRect().top + list.offsetTop;
  return [...list.querySelectorAll<HTMLElement>(':scope > :has(.grip)')].filter(
    ({ offsetTop, offsetHeight }) => offsetTop + offsetHeight / 2 < yInList,
  ).length;
}
