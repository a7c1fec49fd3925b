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

/** Dragging this close to the top or bottom of the window scrolls it. */
const SCROLL_EDGE_PX = 72;
const SCROLL_STEP_PX = 12;

interface Pointer {
  y: number;
  /** In the document, which may scroll. */
  startY: number;
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
    const { y, startY, list } = pointer.current!;
    if (y < SCROLL_EDGE_PX) scrollBy(0, -SCROLL_STEP_PX);
    else if (y > innerHeight - SCROLL_EDGE_PX) scrollBy(0, SCROLL_STEP_PX);
    list.style.setProperty('--drag-y', `${y + scrollY - startY}px`);
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
        pointer.current = { y, startY: y + scrollY, list, frameId: 0, listening };
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
