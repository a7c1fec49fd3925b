/** Height of a plot in pixels, and its width in units of its own, since it is stretched. */
export const PLOT_HEIGHT = 256;
export const PLOT_WIDTH = 1_000;

/** A vertical axis: its ends, and the numbers that are marked on it, from the lowest to the highest. */
export interface Scale {
  low: number;
  high: number;
  ticks: readonly number[];
}

/** Approximate number of steps of a vertical axis. */
const TARGET_STEPS = 4;
const ROUND_STEPS = [1, 2, 2.5, 5, 10];

/** A scale of round numbers from zero, or from below it, that has room for all values. */
export function scaleFor(values: readonly number[]): Scale {
  let [least, most] = [0, 0];
  for (const value of values) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  const isWhole = values.every((value) => Number.isInteger(value));
  const raw = Math.max((most - least) / TARGET_STEPS, isWhole ? 1 : 0) || 1;
  const unit = 10 ** Math.floor(Math.log10(raw));
  const round = ROUND_STEPS.map((factor) => factor * unit);
  const step = round.find((size) => size >= raw && (!isWhole || Number.isInteger(size))) ?? raw;
  const [first, last] = [Math.floor(least / step), Math.max(1, Math.ceil(most / step))];
  const ticks = Array.from({ length: last - first + 1 || 1 }, (_, index) =>
    Number(((first + index) * step).toPrecision(12)),
  );
  return { low: ticks[0]!, high: ticks.at(-1)!, ticks };
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Distances of labels within a day. */
const INTRADAY_STEPS_MS = [1, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440].map(
  (size) => size * MINUTE,
);

/** A label of the horizontal axis, at one of the points. */
export interface TimeLabel {
  index: number;
  text: string;
}

/** At most a number of labels for points in time: at full hours, days or months, whatever is the shortest that fits. */
export function timeLabels(times: readonly number[], limit: number, timeZone: string): TimeLabel[] {
  const distance = times.length > 1 ? times[1]! - times[0]! : DAY;
  const indexes = [...times.keys()];
  if (distance >= DAY) {
    const every = Math.max(1, Math.ceil(times.length / limit));
    const text = new Intl.DateTimeFormat(
      undefined,
      distance >= 28 * DAY
        ? { timeZone, month: 'short', year: '2-digit' }
        : { timeZone, day: 'numeric', month: 'short' },
    );
    // Counted from the end: the latest day has its label.
    return indexes
      .filter((index) => (times.length - 1 - index) % every === 0)
      .map((index) => ({ index, text: text.format(times[index]) }));
  }
  const clock = (at: number) =>
    timeZone === 'UTC' ? at : at - new Date(at).getTimezoneOffset() * MINUTE;
  const span = times.at(-1)! - times[0]! || distance;
  const step = INTRADAY_STEPS_MS.find((size) => size >= distance && span / size < limit) ?? DAY;
  const every = Math.max(1, Math.ceil(span / step / limit));
  const hour = new Intl.DateTimeFormat(undefined, { timeZone, hour: '2-digit', minute: '2-digit' });
  const day = new Intl.DateTimeFormat(undefined, { timeZone, day: 'numeric', month: 'short' });
  return indexes
    .filter((index) => clock(times[index]!) % step === 0)
    .filter((_, position) => position % every === 0)
    .map((index) => {
      const isMidnight = clock(times[index]!) % DAY === 0;
      return { index, text: (isMidnight ? day : hour).format(times[index]) };
    });
}
