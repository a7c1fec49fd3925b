import { signal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { Icon } from '#dashboard/parts/icon.tsx';
import { announce } from '#dashboard/parts/messages.tsx';

/** Drag that is under way: the place of the block, and before which block it would land if anything changed. */
export const drag = signal<{ from: number; gap?: number }>();

/** Height at the upper and lower edge of the window in which dragging scrolls, in pixels. */
const SCROLL_EDGE_PX = 72;
const SCROLL_STEP_PX = 12;

/** Moves a block: dragged by mouse, pen or finger, or by the arrow keys. */
export function DragHandle({
  which,
  index,
  onMove,
}: {
  which: string;
  index: number;
  onMove: (to: number) => void;
}) {
  const held = useRef<{ y: number; frame: number } | undefined>(undefined);
  const follow = (grip: HTMLElement) => {
    const { y } = held.current!;
    if (y < SCROLL_EDGE_PX) scrollBy(0, -SCROLL_STEP_PX);
    else if (y > innerHeight - SCROLL_EDGE_PX) scrollBy(0, SCROLL_STEP_PX);
    const gap = insertIndexAt(grip.closest('ol')!, y);
    const isMoved = gap !== index && gap !== index + 1;
    if (drag.peek()?.gap !== (isMoved ? gap : undefined) || !drag.peek())
      drag.value = { from: index, ...(isMoved && { gap }) };
    held.current!.frame = requestAnimationFrame(() => follow(grip));
  };
  const cancel = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    end();
    announce(`${which} stays where it was.`);
  };
  const end = () => {
    if (!held.current) return;
    cancelAnimationFrame(held.current.frame);
    removeEventListener('keydown', cancel, true);
    held.current = undefined;
    drag.value = undefined;
  };
  return (
    <button
      type="button"
      class="grip"
      aria-label={`Move ${which} with the arrow keys`}
      title="Drag to move"
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        // Wherever the focus is meanwhile.
        addEventListener('keydown', cancel, true);
        held.current = { y: event.clientY, frame: 0 };
        follow(event.currentTarget);
      }}
      onPointerMove={(event) => {
        if (held.current) held.current.y = event.clientY;
      }}
      onPointerUp={(event) => {
        if (!held.current) return;
        const gap = insertIndexAt(event.currentTarget.closest('ol')!, event.clientY);
        end();
        onMove(gap > index ? gap - 1 : gap);
      }}
      onLostPointerCapture={end}
      onKeyDown={(event) => {
        const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
        if (by === undefined) return;
        event.preventDefault();
        onMove(index + by);
      }}
    >
      <Icon lines="M6 3.5v.01M6 8v.01M6 12.5v.01M10 3.5v.01M10 8v.01M10 12.5v.01" />
    </button>
  );
}

/** The number of blocks of a list whose middle is above a height of the window. */
function insertIndexAt(list: HTMLElement, y: number): number {
  return [...list.querySelectorAll(':scope > .block')].filter((row) => {
    const { top, height } = row.getBoundingClientRect();
    return top + height / 2 < y;
  }).length;
}
