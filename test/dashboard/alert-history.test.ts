import { describe, expect, it } from 'vitest';
import {
  findFirings,
  alertMeasureOf,
  suggestThreshold,
  rollingValues,
} from '#dashboard/screens/metrics/alert-history.ts';

describe('rolling values', () => {
  it('begin after the partial bucket and the empty ones', () => {
    const options = { aggregate: 'sum', windowSize: 1 } as const;
    expect(rollingValues([0, 0, 0, 5], [], options)).toEqual([5]);
    expect(rollingValues([9, 0, 0, 5], [], options)).toEqual([0, 0, 5]);
  });

  it.each([
    ['sum', [3, 2, 4]],
    ['count', [3, 2, 4]],
    ['min', [1, 0, 0]],
    ['max', [2, 2, 4]],
  ] as const)('combine two buckets by %s', (aggregate, expected) => {
    const values = [9, 1, 2, 0, 4];
    expect(rollingValues(values, [], { aggregate, windowSize: 2 })).toEqual(expected);
  });

  it('weigh averages by the number of values, and are null without any', () => {
    const [sums, counts] = [
      [9, 1, 6, 0, 0, 4],
      [1, 1, 3, 0, 0, 1],
    ];
    const windows = rollingValues(sums, counts, { aggregate: 'avg', windowSize: 2 });
    expect(windows).toEqual([1.75, 2, null, 4]);
  });

  it('are empty for a period longer than the history', () => {
    expect(rollingValues([1, 2], [], { aggregate: 'sum', windowSize: 9 })).toEqual([]);
  });
});

describe('the suggested threshold', () => {
  const values = Array.from({ length: 300 }, (_, index) => (index === 7 ? 950 : index / 1_000));

  it.each([
    ['above', [...values, null], 0.3],
    ['below', values, 0.003],
    ['above', [1_234], 1_300],
    ['below', [1_234], 1_200],
    ['above', [-1_234], -1_200],
    ['above', [0, 0], 0],
    ['above', [0.1 + 0.2], 0.3],
    ['above', [null], undefined],
  ] as const)('%s is a round number that few values pass (%#)', (comparison, list, expected) => {
    expect(suggestThreshold(list, comparison)).toBe(expected);
  });
});

it('an alert begins to fire once until it recovers', () => {
  expect(findFirings([1, 5, 6, null, 7, 1], { comparison: 'above', threshold: 4 })).toEqual([1, 4]);
  expect(findFirings([1, 0, 0], { comparison: 'absent', threshold: null })).toEqual([1]);
});

it('a measure that alerts do not support is replaced by a similar one', () => {
  const since = '2026-01-01T00:00:00Z';
  const query = { project_id: 'p', since, until: '2026-01-02T00:00:00Z' };
  const measure = (aggregate: 'p99' | 'distinct' | 'max') =>
    alertMeasureOf({ ...query, measures: [{ path: ['a'], aggregate }] });
  expect(measure('p99')).toEqual({ path: ['a'], aggregate: 'avg', minutes: 60 });
  expect(measure('distinct').aggregate).toBe('count');
  expect(measure('max').aggregate).toBe('max');
  expect(alertMeasureOf({ ...query, until: '2026-02-01T00:00:00Z' })).toEqual({
    ...{ path: [], aggregate: 'count', minutes: 1_440 },
  });
});
