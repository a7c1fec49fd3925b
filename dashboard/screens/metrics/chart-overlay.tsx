import { useSignal } from '@preact/signals';
import type { TargetedFocusEvent, TargetedPointerEvent } from 'preact';
import { t } from '#dashboard/translate.ts';
import { colorClass, colorStyle, type Line, LineSwatch } from './chart-legend.tsx';
import { PLOT_HEIGHT_PX, PLOT_WIDTH } from './chart-scale.ts';

const MAX_TOOLTIP_LINES = 8;
const MIN_DRAG_PX = 4;

const STEPS_BY_KEY: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  Home: -Infinity,
  End: Infinity,
};

interface PointerProps {
  times: readonly string[];
  end: string;
  onZoom?: (since: string, until: string) => void;
}

/** The active point and the selected range, with the handlers that change them. */
function usePointer({ times, end, onZoom }: PointerProps) {
  const activeIndex = useSignal<number | undefined>(undefined);
  /** Selection in progress, as fractions of the width. */
  const selection = useSignal<readonly [from: number, to: number] | undefined>(undefined);
  const lastIndex = times.length - 1;
  const fractionAt = ({ clientX, currentTarget }: TargetedPointerEvent<HTMLElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    return Math.min(1, Math.max(0, (clientX - left) / width));
  };
  const updateActiveIndex = (event: TargetedPointerEvent<HTMLElement>) => {
    const fraction = fractionAt(event);
    activeIndex.value = Math.round(fraction * lastIndex);
    if (selection.value) selection.value = [selection.value[0], fraction];
  };
  const zoom = (event: TargetedPointerEvent<HTMLElement>) => {
    const [a, b] = selection.value ?? [0, 0];
    const from = Math.min(a, b);
    const to = Math.max(a, b);
    selection.value = undefined;
    if ((to - from) * event.currentTarget.clientWidth < MIN_DRAG_PX) return;
    const indexOf = (fraction: number) => Math.round(fraction * lastIndex);
    onZoom?.(times[indexOf(from)]!, times[indexOf(to) + 1] ?? end);
  };
  const moveByKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') activeIndex.value = undefined;
    const step = STEPS_BY_KEY[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = (activeIndex.value ?? lastIndex) + step;
    activeIndex.value = Math.min(lastIndex, Math.max(0, next));
  };
  const index =
    activeIndex.value !== undefined && activeIndex.value <= lastIndex
      ? activeIndex.value
      : undefined;
  const handlers = {
    onPointerDown: (event: TargetedPointerEvent<HTMLElement>) => {
      updateActiveIndex(event);
      if (!onZoom || event.pointerType !== 'mouse' || event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      const fraction = fractionAt(event);
      selection.value = [fraction, fraction];
    },
    onPointerMove: updateActiveIndex,
    onPointerUp: zoom,
    onPointerCancel: () => (selection.value = undefined),
    onPointerLeave: ({ pointerType }: PointerEvent) => {
      // Lifting a finger also fires this event.
      if (pointerType === 'mouse') activeIndex.value = undefined;
    },
    onFocus: ({ currentTarget }: TargetedFocusEvent<HTMLElement>) => {
      if (currentTarget.matches(':focus-visible')) activeIndex.value ??= lastIndex;
    },
    onBlur: () => (activeIndex.value = undefined),
    onKeyDown: moveByKey,
  };
  return { index, selection: selection.value, handlers };
}

/** Shows a tooltip for mouse, touch and keyboard. Dragging with the mouse selects a range. */
export function ChartOverlay({
  lines,
  formatTime,
  isLastPartial,
  showSwatches,
  xOf,
  yOf,
  ...pointer
}: PointerProps & {
  lines: readonly Line[];
  formatTime: (intervalStart: number) => string;
  isLastPartial: boolean;
  showSwatches: boolean;
  xOf: (index: number) => number;
  yOf: (value: number) => number;
}) {
  const { index, selection, handlers } = usePointer(pointer);
  const intervalText = index === undefined ? '' : formatTime(Date.parse(pointer.times[index]!));
  const timeText =
    isLastPartial && index === pointer.times.length - 1
      ? t('{time}, so far', { time: intervalText })
      : intervalText;
  const xFraction = index === undefined ? 0 : xOf(index) / PLOT_WIDTH;
  return (
    <div
      class="pointer"
      role="group"
      aria-label={t('Chart. Use the arrow keys to move between points.')}
      tabIndex={0}
      {...handlers}
    >
      {selection && <Selection range={selection} />}
      {index !== undefined && (
        <>
          <div class="rule" style={{ left: `${xFraction * 100}%` }} />
          <Points {...{ lines, index, xFraction, yOf }} />
          <Tooltip {...{ timeText, lines, index, xFraction, showSwatches }} />
        </>
      )}
      <span class="visually-hidden" aria-live="polite">
        {index !== undefined &&
          `${timeText}: ${lines.map((line) => `${line.name} ${valueText(line, index)}`).join(', ')}`}
      </span>
    </div>
  );
}

function Selection({ range: [from, to] }: { range: readonly [from: number, to: number] }) {
  const style = { left: `${Math.min(from, to) * 100}%`, width: `${Math.abs(to - from) * 100}%` };
  return <div class="chosen" style={style} />;
}

function Points({
  lines,
  index,
  xFraction,
  yOf,
}: {
  lines: readonly Line[];
  index: number;
  xFraction: number;
  yOf: (value: number) => number;
}) {
  return lines.map((line) => {
    const value = line.values[index];
    if (value == null) return null;
    const top = `${(yOf(value) / PLOT_HEIGHT_PX) * 100}%`;
    return (
      <i
        key={line.name}
        class={`point ${colorClass(line)}`}
        style={{ left: `${xFraction * 100}%`, top, ...colorStyle(line) }}
      />
    );
  });
}

function Tooltip({
  timeText,
  lines,
  index,
  xFraction,
  showSwatches,
}: {
  timeText: string;
  lines: readonly Line[];
  index: number;
  xFraction: number;
  showSwatches: boolean;
}) {
  return (
    <div
      class={xFraction > 0.5 ? 'tip flipped' : 'tip'}
      style={{ '--point': `${xFraction * 100}%` }}
      aria-hidden="true"
    >
      <p class="strong">{timeText}</p>
      {lines.slice(0, MAX_TOOLTIP_LINES).map((line) => (
        <p key={line.name} class="row">
          {showSwatches && <LineSwatch line={line} />}
          <span class="grow">{line.name}</span>
          <strong>{valueText(line, index)}</strong>
        </p>
      ))}
      {lines.length > MAX_TOOLTIP_LINES && (
        <p class="muted">{t('{count} more', { count: lines.length - MAX_TOOLTIP_LINES })}</p>
      )}
    </div>
  );
}

function valueText({ values, format }: Line, index: number): string {
  return values[index] == null ? '–' : format(values[index]);
}
