import fc from 'fast-check';
import { expect, it } from 'vitest';
import { drawPaths } from '#dashboard/screens/metrics/chart-path.ts';
import { scaleFor, timeLabels } from '#dashboard/screens/metrics/chart-scale.ts';

it.each([
  [[], [0, 1]],
  [
    [0, 0],
    [0, 1],
  ],
  [[3], [0, 1, 2, 3]],
  [[1_200], [0, 500, 1_000, 1_500]],
  [
    [0.3, 0.1],
    [0, 0.1, 0.2, 0.3],
  ],
  [
    [-5, 8],
    [-5, 0, 5, 10],
  ],
])('the y-axis of a chart for %j has the ticks %j', (values, ticks) => {
  expect(scaleFor(values).ticks).toEqual(ticks);
});

it('the y-axis of a chart covers all values with 2 to 8 ticks', () => {
  const value = fc.oneof(
    fc.integer({ min: -1e15, max: 1e15 }),
    fc.double({ noNaN: true, min: -1e12, max: 1e12 }).filter((number) => Math.abs(number) > 1e-6),
  );
  fc.assert(
    fc.property(fc.array(value, { minLength: 1 }), (values) => {
      const { min, max, ticks } = scaleFor(values);
      const tolerance = (max - min) * 1e-9;
      expect(min - tolerance).toBeLessThanOrEqual(Math.min(0, ...values));
      expect(max + tolerance).toBeGreaterThanOrEqual(Math.max(...values));
      expect(ticks.length).toBeGreaterThan(1);
      expect(ticks.length).toBeLessThan(9);
    }),
  );
});

const from = Date.UTC(2026, 10, 1);
const HOUR = 3_600_000;

it('the x-axis labels of a chart show the last day and evenly spaced days before it', () => {
  const days = Array.from({ length: 30 }, (_, day) => from + day * 24 * HOUR);
  const labels = timeLabels(days, 6, 'UTC');
  expect(labels.map(({ index }) => index)).toEqual([4, 9, 14, 19, 24, 29]);
  expect(labels.at(-1)!.text).toMatch(/30/);
});

it('the x-axis labels of a chart show full hours, and the day at midnight', () => {
  const hours = Array.from({ length: 25 }, (_, hour) => from + (hour + 5) * HOUR);
  const labels = timeLabels(hours, 5, 'UTC');
  expect(labels.map(({ index }) => (index + 5) % 24)).toEqual([6, 12, 18, 0]);
  expect(labels.at(-1)!.text).toMatch(/Nov/);
});

it('the x-axis labels of a chart always fit, for any number of minutes, hours or days', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 500 }),
      fc.integer({ min: 2, max: 12 }),
      fc.constantFrom(60_000, HOUR, 24 * HOUR, 7 * 24 * HOUR, 30 * 24 * HOUR),
      (count, limit, interval) => {
        const times = Array.from({ length: count }, (_, index) => from + index * interval);
        expect(timeLabels(times, limit, 'UTC').length).toBeLessThanOrEqual(limit + 1);
      },
    ),
  );
});

it('a line of a chart breaks at gaps, and shows isolated points as dots, and an unfinished interval with a line of its own', () => {
  const points = [[0, 10], [10, 0], undefined, [30, 5], undefined, [50, 5], [60, 8], [70, 2]];
  const { line, dots, area, partial, current } = drawPaths(points as never, 10, true);
  expect(line).toBe('M0 10L10 0M50 5L60 8');
  expect(dots).toBe('M60 8h0M30 5h0');
  expect([partial, current]).toEqual(['M70 10L70 2', 'M70 2h0']);
  expect(area.match(/V10/g)).toHaveLength(2);
  expect(drawPaths(points as never, 10, false).dots).toBe('M30 5h0');
});
