import { DAY_MS, MINUTE_MS } from '#contract/shared/durations.ts';
import { t } from '#dashboard/translate.ts';

export const PLOT_HEIGHT_PX = 256;
/** In SVG units, because the plot is stretched to the width of its container. */
export const PLOT_WIDTH = 1_000;

export interface Scale {
  min: number;
  max: number;
  ticks: readonly number[];
}

const TARGET_STEPS = 4;
const ROUND_STEPS = [1, 2, 2.5, 5, 10];

/** A scale with round ticks that includes zero and all values. */
export function scaleFor(values: readonly number[]): Scale {
  let [min, max] = [0, 0];
  for (const value of values) {
    min = Math.min(min, value);
    max = Math.max(max, value);
  }
  const isWhole = values.every((value) => Number.isInteger(value));
  const exactStep = Math.max((max - min) / TARGET_STEPS, isWhole ? 1 : 0) || 1;
  const unit = 10 ** Math.floor(Math.log10(exactStep));
  const roundSteps = ROUND_STEPS.map((factor) => factor * unit);
  const step =
    roundSteps.find((size) => size >= exactStep && (!isWhole || Number.isInteger(size))) ??
    exactStep;
  const first = Math.floor(min / step);
  const last = Math.max(1, Math.ceil(max / step));
  const ticks = Array.from({ length: last - first + 1 || 1 }, (_, index) =>
    Number(((first + index) * step).toPrecision(12)),
  );
  return { min: ticks[0]!, max: ticks.at(-1)!, ticks };
}

/** Possible distances between labels if the points are less than a day apart. */
const INTRADAY_STEPS_MS = [1, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440].map(
  (size) => size * MINUTE_MS,
);

export interface TimeLabel {
  index: number;
  text: string;
}

/** At most `limit` labels for points in time, at full minutes, hours, days or months. */
export function timeLabels(times: readonly number[], limit: number, timeZone: string): TimeLabel[] {
  const intervalMs = times.length > 1 ? times[1]! - times[0]! : DAY_MS;
  const indexes = [...times.keys()];
  if (intervalMs >= DAY_MS) {
    const every = Math.max(1, Math.ceil(times.length / limit));
    const dateFormat = new Intl.DateTimeFormat(
      t.locale,
      intervalMs >= 28 * DAY_MS
        ? { timeZone, month: 'short', year: '2-digit' }
        : { timeZone, day: 'numeric', month: 'short' },
    );
    // Counted from the end, so that the latest day has a label.
    return indexes
      .filter((index) => (times.length - 1 - index) % every === 0)
      .map((index) => ({ index, text: dateFormat.format(times[index]) }));
  }
  const localTime = (at: number) =>
    timeZone === 'UTC' ? at : at - new Date(at).getTimezoneOffset() * MINUTE_MS;
  const spanMs = times.at(-1)! - times[0]! || intervalMs;
  const stepMs =
    INTRADAY_STEPS_MS.find((size) => size >= intervalMs && spanMs / size < limit) ?? DAY_MS;
  const every = Math.max(1, Math.ceil(spanMs / stepMs / limit));
  const hourFormat = new Intl.DateTimeFormat(t.locale, {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
  });
  const dayFormat = new Intl.DateTimeFormat(t.locale, {
    timeZone,
    day: 'numeric',
    month: 'short',
  });
  return indexes
    .filter((index) => localTime(times[index]!) % stepMs === 0)
    .filter((_, position) => position % every === 0)
    .map((index) => {
      const isMidnight = localTime(times[index]!) % DAY_MS === 0;
      return { index, text: (isMidnight ? dayFormat : hourFormat).format(times[index]) };
    });
}
