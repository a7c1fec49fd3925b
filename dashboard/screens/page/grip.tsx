import { signal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { Icon } from '../../parts/icon.tsx';

/** Where the block that is dragged would land: before the block at this place; undefined where it stays. */
export const dropGap = signal<number>();

/** Height at the upper and lower edge of the window in which dragging scrolls, in pixels. */
const EDGE = 72;
const SCROLL_STEP = 12;

/** Moves a block: dragged by mouse, pen or finger, or by the arrow keys. */
export function Grip({
  which,
  index,
  onMove,
}: {
  which: string;
  index: number;
  onMove: (to: number) => void;
}) {
  const drag = useRef<{ y: number; frame: number } | undefined>(undefined);
  const follow = (grip: HTMLElement) => {
    const { y } = drag.current!;
    if (y < EDGE) scrollBy(0, -SCROLL_STEP);
    else if (y > innerHeight - EDGE) scrollBy(0, SCROLL_STEP);
    const gap = gapAt(grip.closest('ol')!, y);
    dropGap.value = gap === index || gap === index + 1 ? undefined : gap;
    drag.current!.frame = requestAnimationFrame(() => follow(grip));
  };
  const end = () => {
    if (!drag.current) return;
    cancelAnimationFrame(drag.current.frame);
    drag.current = undefined;
    dropGap.value = undefined;
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
        drag.current = { y: event.clientY, frame: 0 };
        follow(event.currentTarget);
      }}
      onPointerMove={(event) => {
        if (drag.current) drag.current.y = event.clientY;
      }}
      onPointerUp={(event) => {
        if (!drag.current) return;
        const gap = gapAt(event.currentTarget.closest('ol')!, event.clientY);
        end();
        onMove(gap > index ? gap - 1 : gap);
      }}
      onLostPointerCapture={end}
      onKeyDown={(event) => {
        const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
        if (event.key === 'Escape') end();
        if (by === undefined) return;
        event.preventDefault();
        onMove(index + by);
      }}
    >
      <Icon lines="M6 4v.01M6 8v.01M6 12v.01M10 4v.01M10 8v.01M10 12v.01" />
    </button>
  );
}

/** The number of rows of a list whose middle is above a height of the window. */
function gapAt(list: HTMLElement, y: number): number {
  return [...list.children].filter((row) => {
    const { top, height } = row.getBoundingClientRect();
    return top + height / 2 < y;
  }).length;
}
