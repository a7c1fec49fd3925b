import { afterAll, beforeAll, expect, it } from 'vitest';
import { formatTimeAgo } from '#dashboard/components/format-time-ago.ts';
import { eventKey, groupByDay, groupRuns } from '#dashboard/screens/activity/group-by-day.ts';

const originalZone = process.env['TZ'];
beforeAll(() => {
  process.env['TZ'] = 'Europe/Berlin';
});
afterAll(() => {
  if (originalZone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = originalZone;
});

it("yesterday's events are grouped correctly after a 23-hour day", () => {
  const events = ['2026-03-29T22:15:00Z', '2026-03-29T10:00:00Z', '2026-03-28T22:45:00Z'].map(
    (created_at) => ({ created_at }),
  );
  const days = groupByDay(events, new Date('2026-03-29T22:30:00Z'));
  expect(days.map(({ title }) => title)).toEqual(['Today', 'Yesterday', expect.any(String)]);
});

it('neighbors in a list that look the same are counted', () => {
  const event = (id: number, rest: object = {}) => {
    const shown = {
      type: 'page_changed' as const,
      action: 'Page changed',
      outcome: 'succeeded' as const,
      key_label: 'Website',
      detail: {},
    };
    return { id, ...shown, ...rest };
  };
  const events = [
    event(9, { detail: { agent: 'Safari' } }),
    event(8, { detail: { agent: 'Firefox' } }),
    event(7),
    event(6),
    event(5, { outcome: 'failed' }),
    event(4, { key_label: null }),
    event(3, { action: 'Page published' }),
    event(2),
    event(1),
    event(-1, { type: 'member_joined', action: '@ada joined' }),
    event(-2, { type: 'member_joined', action: '@ben joined' }),
  ];
  expect(groupRuns(events, eventKey).map((run) => [run[0].id, run.length])).toEqual([
    [9, 1],
    [8, 1],
    [7, 2],
    [5, 1],
    [4, 1],
    [3, 1],
    [2, 2],
    [-1, 2],
  ]);
});

it.each([
  [59, 'just now'],
  [59 * 60 + 40, '1 hour ago'],
  [23.7 * 3_600, 'yesterday'],
  [6.6 * 86_400, '1 week ago'],
  [355 * 86_400, '1 year ago'],
  [-90 * 60, 'in 2 hours'],
  [36 * 3_600, 'yesterday'],
  [38 * 3_600, '2 days ago'],
  [-36 * 3_600, 'in 2 days'],
  [-20 * 3_600, 'tomorrow'],
  [-10 * 3_600, 'in 10 hours'],
])('%d seconds before 13:00 is shown as %s', (seconds, text) => {
  const now = new Date('2026-11-21T12:00:00Z');
  const time = new Date(now.getTime() - seconds * 1_000).toISOString();
  expect(formatTimeAgo(time, now)).toBe(text);
});
