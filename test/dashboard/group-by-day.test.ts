import { afterAll, beforeAll, expect, it } from 'vitest';
import { groupByDay } from '#dashboard/screens/events/group-by-day.ts';

const originalZone = process.env['TZ'];
beforeAll(() => {
  process.env['TZ'] = 'Europe/Berlin';
});
afterAll(() => {
  if (originalZone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = originalZone;
});

it("groups yesterday's events correctly after a 23-hour day", () => {
  const events = ['2026-03-29T22:15:00Z', '2026-03-29T10:00:00Z', '2026-03-28T22:45:00Z'].map(
    (created_at) => ({ created_at }),
  );
  const days = groupByDay(events, new Date('2026-03-29T22:30:00Z'));
  expect(days.map(({ title }) => title)).toEqual(['Today', 'Yesterday', expect.any(String)]);
});
