import { expect, it } from 'vitest';
import {
  groupReports,
  isStillHidden,
  type Report,
} from '#dashboard/screens/operator/report-groups.ts';

const report = (id: string, fields: Partial<Report> = {}) =>
  ({
    id,
    account_id: 'jane',
    account_suspended: false,
    page_suspended: true,
    closed_at: null,
    outcome: null,
    ended_at: null,
    ...fields,
  }) as Report;

it('reports are grouped by page and by the decision about them, in their order', () => {
  const earlier = { closed_at: '2026-11-01T10:00:00.000Z' };
  const groups = groupReports([
    report('1'),
    report('2', { account_id: 'otto' }),
    report('3', earlier),
    report('4'),
    report('5', { ...earlier, account_id: 'otto' }),
  ]);
  expect(groups.map((group) => group.map(({ id }) => id))).toEqual([
    ['1', '4'],
    ['2'],
    ['3'],
    ['5'],
  ]);
});

it.each<[fields: Partial<Report>, expected: boolean]>([
  [{}, true],
  [{ page_suspended: false, account_suspended: true }, true],
  [{ page_suspended: false }, false],
  [{ closed_at: null }, false],
  [{ outcome: 'dismissed' }, false],
  [{ ended_at: '2026-11-02T10:00:00.000Z' }, false],
])('with %j, a decision still hides the page: %s', (fields, expected) => {
  const decided = { closed_at: '2026-11-01T10:00:00.000Z', outcome: 'hidden' } as const;
  expect(isStillHidden(report('1', { ...decided, ...fields }))).toBe(expected);
});
