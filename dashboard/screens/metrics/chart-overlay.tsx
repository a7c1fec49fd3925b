import { useSignal } from '@preact/signals';
import type { TargetedPointerEvent } from 'preact';
import { colourClass, type Line, LineSwatch } from './chart-legend.tsx';
import { PLOT_HEIGHT, PLOT_WIDTH } from './chart-scale.ts';

/** Number of lines that the box at the pointer names. */
const MAX_TOOLTIP_LINES = 8;
/** Distance in pixels from which on a move of the pressed mouse is a choice of a range. */
const MIN_DRAG_PX = 4;

const STEPS_BY_KEY: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  Home: -Infinity,
  End: Infinity,
};

/** Surface above a plot that follows mouse, finger and keys: it tells the numbers of a point, and chooses a range. */
export function ChartOverlay({
  times,
  end,
  lines,
  formatTime,
  formatNumber,
  onZoom,
  showNames,
  xOf,
  yOf,
}: {
  times: readonly string[];
  end: string;
  lines: readonly Line[];
  formatTime: (at: number) => string;
  formatNumber: (value: number) => string;
  onZoom?: (since: string, until: string) => void;
  /** Whether there are several lines, which need their names. */
  showNames: boolean;
  xOf: (index: number) => number;
  yOf: (value: number) => number;
}) {
  const at = useSignal<number | undefined>(undefined);
  /** Range that is being chosen: both ends as a part of the width. */
  const range = useSignal<readonly [from: number, to: number] | undefined>(undefined);
  const last = times.length - 1;
  const fractionAt = ({ clientX, currentTarget }: TargetedPointerEvent<HTMLElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    return Math.min(1, Math.max(0, (clientX - left) / width));
  };
  const choose = (event: TargetedPointerEvent<HTMLElement>) => {
    const part = fractionAt(event);
    at.value = Math.round(part * last);
    if (range.value) range.value = [range.value[0], part];
  };
  const zoom = (event: TargetedPointerEvent<HTMLElement>) => {
    const [one, other] = range.value ?? [0, 0];
    const [from, to] = [Math.min(one, other), Math.max(one, other)];
    range.value = undefined;
    if ((to - from) * event.currentTarget.clientWidth < MIN_DRAG_PX) return;
    const indexOf = (part: number) => Math.round(part * last);
    onZoom?.(times[indexOf(from)]!, times[indexOf(to) + 1] ?? end);
  };
  const index = at.value !== undefined && at.value <= last ? at.value : undefined;
  const valueOf = ({ values }: Line) =>
    index === undefined || values[index] == null ? '–' : formatNumber(values[index]);
  const when = index === undefined ? '' : formatTime(Date.parse(times[index]!));
  const left = index === undefined ? 0 : xOf(index) / PLOT_WIDTH;
  return (
    <div
      class="pointer"
      role="group"
      aria-label="Plot. Use the arrow keys to move between points"
      tabIndex={0}
      onPointerDown={(event) => {
        choose(event);
        if (!onZoom || event.pointerType !== 'mouse' || event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        const part = fractionAt(event);
        range.value = [part, part];
      }}
      onPointerMove={choose}
      onPointerUp={zoom}
      onPointerCancel={() => (range.value = undefined)}
      onPointerLeave={({ pointerType }) => {
        // A finger leaves whenever it is lifted.
        if (pointerType === 'mouse') at.value = undefined;
      }}
      onFocus={({ currentTarget }) => {
        if (currentTarget.matches(':focus-visible')) at.value ??= last;
      }}
      onBlur={() => (at.value = undefined)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') at.value = undefined;
        const step = STEPS_BY_KEY[event.key];
        if (step === undefined) return;
        event.preventDefault();
        at.value = Math.min(last, Math.max(0, (at.value ?? last) + step));
      }}
    >
      {range.value && (
        <div
          class="chosen"
          style={{
            left: `${Math.min(...range.value) * 100}%`,
            width: `${Math.abs(range.value[1] - range.value[0]) * 100}%`,
          }}
        />
      )}
      {index !== undefined && (
        <>
          <div class="rule" style={{ left: `${left * 100}%` }} />
          {lines.map((line) => {
            const value = line.values[index];
            if (value == null) return null;
            return (
              <i
                key={line.name}
                class={`point ${colourClass(line)}`}
                style={{ left: `${left * 100}%`, top: `${(yOf(value) / PLOT_HEIGHT) * 100}%` }}
              />
            );
          })}
          <div
            class={left > 0.5 ? 'tip flipped' : 'tip'}
            style={left > 0.5 ? { right: `${(1 - left) * 100}%` } : { left: `${left * 100}%` }}
            aria-hidden="true"
          >
            <p class="strong">{when}</p>
            {lines.slice(0, MAX_TOOLTIP_LINES).map((line) => (
              <p key={line.name} class="row">
                {showNames && <LineSwatch line={line} />}
                <span class="grow">{line.name}</span>
                <strong>{valueOf(line)}</strong>
              </p>
            ))}
            {lines.length > MAX_TOOLTIP_LINES && (
              <p class="muted">{lines.length - MAX_TOOLTIP_LINES} more</p>
            )}
          </div>
        </>
      )}
      <span class="unseen" aria-live="polite">
        {index !== undefined &&
          `${when}: ${lines.map((line) => `${line.name} ${valueOf(line)}`).join(', ')}`}
      </span>
    </div>
  );
}
