import { expect, it } from 'vitest';
import { alertMeasureOf } from '#dashboard/screens/metrics/alert-measure.ts';

it('a measure that alerts do not support is replaced by a similar one', () => {
  const since = '2026-01-01T00:00:00Z';
  const query = { project_id: 'p', since, until: '2026-01-02T00:00:00Z' };
  const measure = (aggregate: 'last' | 'max') =>
    alertMeasureOf({ ...query, measures: [{ path: ['a'], aggregate }] });
  expect(measure('last')).toEqual({ path: ['a'], aggregate: 'avg', minutes: 60 });
  expect(measure('max').aggregate).toBe('max');
  expect(alertMeasureOf({ ...query, until: '2026-02-01T00:00:00Z' })).toEqual({
    ...{ path: [], aggregate: 'count', minutes: 1_440 },
  });
});
