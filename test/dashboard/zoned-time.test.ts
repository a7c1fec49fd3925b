import { expect, it } from 'vitest';
import { newBlock } from '#dashboard/screens/page/kinds.ts';
import { toFieldTime, fromFieldTime } from '#dashboard/screens/page/zoned-time.ts';

const NEW_YORK = { type: 'event', time_zone: 'America/New_York' };

it('a new event and a new countdown use the browser’s time zone', () => {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  for (const type of ['event', 'countdown'])
    expect(newBlock(type)).toMatchObject({ type, time_zone: timeZone });
});

it.each([
  ['2026-12-22T01:30:00Z', '2026-12-21T20:30'],
  ['2026-07-22T01:30:00Z', '2026-07-21T21:30'],
  ['2026-12-21T20:30', '2026-12-21T20:30'],
  ['2026-12-21T20:30:15.5', '2026-12-21T20:30'],
  ['2026-12-21', '2026-12-21T00:00'],
  ['soon', ''],
])('a form shows the stored time %s of an event in New York as %s', (storedTime, fieldTime) => {
  expect(toFieldTime(NEW_YORK, storedTime)).toBe(fieldTime);
});

it('an event stores the typed local time, and no time for an empty field', () => {
  expect(fromFieldTime(NEW_YORK, '2026-12-21T20:30')).toBe('2026-12-21T20:30');
  expect(fromFieldTime(NEW_YORK, '')).toBeUndefined();
});

it.each([undefined, 'Mars/Olympus'])(
  'an event in the time zone %s is shown in UTC',
  (time_zone) => {
    expect(toFieldTime({ type: 'event', time_zone }, '2026-12-22T01:30:00Z')).toBe(
      '2026-12-22T01:30',
    );
  },
);

it('a block without a time zone stores the typed local time in UTC', () => {
  const storedTime = fromFieldTime({ type: 'link' }, '2026-12-21T20:30')!;
  expect(storedTime).toBe(new Date('2026-12-21T20:30').toISOString());
  expect(toFieldTime({ type: 'link' }, storedTime)).toBe('2026-12-21T20:30');
});
