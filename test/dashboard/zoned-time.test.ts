import { expect, it } from 'vitest';
import { newBlock } from '#dashboard/screens/page/kinds.ts';
import {
  fromFieldTime,
  isOver,
  moveEnd,
  nextDatesOf,
  skipsMonths,
  toFieldTime,
  withAllDay,
} from '#dashboard/screens/page/zoned-time.ts';

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
  ['2026-12-21', '2026-12-21'],
  ['soon', ''],
])('a form shows the stored time %s of an event in New York as %s', (storedTime, fieldTime) => {
  expect(toFieldTime(NEW_YORK, storedTime)).toBe(fieldTime);
});

it('an event stores the typed local time, and no time for an empty field', () => {
  expect(fromFieldTime(NEW_YORK, '2026-12-21T20:30')).toBe('2026-12-21T20:30');
  expect(fromFieldTime(NEW_YORK, '')).toBeUndefined();
});

it.each([undefined, 'Mars/Olympus'])('an event in the zone %s is shown in UTC', (time_zone) => {
  expect(toFieldTime({ type: 'event', time_zone }, '2026-12-22T01:30:00Z')).toBe(
    '2026-12-22T01:30',
  );
});

it('a block without a time zone stores the typed local time in UTC', () => {
  const storedTime = fromFieldTime({ type: 'link' }, '2026-12-21T20:30')!;
  expect(storedTime).toBe(new Date('2026-12-21T20:30').toISOString());
  expect(toFieldTime({ type: 'link' }, storedTime)).toBe('2026-12-21T20:30');
});

it('a link stores and shows a date as it is, and a time without an offset in UTC, like its page', () => {
  expect(fromFieldTime({ type: 'link' }, '2026-12-21')).toBe('2026-12-21');
  expect(toFieldTime({ type: 'link' }, '2026-12-21')).toBe('2026-12-21');
  expect(toFieldTime({ type: 'link' }, '2026-12-21T20:30')).toBe(
    toFieldTime({ type: 'link' }, '2026-12-21T20:30Z'),
  );
});

it.each([
  ['2026-12-05T10:00', '2026-12-06T09:30', '2026-12-05T12:00', '2026-12-06T11:30'],
  ['2026-12-05', '2026-12-31', '2026-12-06', '2027-01-01'],
  // While the year 2026 is typed
  ['2026-12-05T10:00', '0002-12-05T10:00', '2026-12-05T12:00', '0002-12-05T12:00'],
  ['2026-12-05T10:00', '20261-12-05T10:00', '2026-12-05T12:00', undefined],
  ['2026-12-05', '20261-12-05', '2026-12-06', undefined],
  ['2026-12-05T10:00', '', '2026-12-05T12:00', undefined],
  ['', '2026-12-06T09:30', '2026-12-05T12:00', undefined],
  ['2026-12-05T10:00', '2026-12-06T09:30', undefined, undefined],
  ['2026-12-05T10:00', '2026-12-06T09:30', '2026-12-04T12:00', undefined],
])(
  'when an event moves from %s to %s, it stays as long as it was: until %s, then %s',
  (from, to, ends_at, expected) => {
    const event = { ...NEW_YORK, ...(ends_at !== undefined && { ends_at }) };
    expect(moveEnd(event, from, to)['ends_at']).toBe(expected);
  },
);

it('an event becomes one on whole days, in its time zone, and one with its times of day', () => {
  const event = { ...NEW_YORK, starts_at: '2026-12-22T01:30:00Z', ends_at: '2026-12-22T20:00' };
  const days = { starts_at: '2026-12-21', ends_at: '2026-12-22' };
  expect(withAllDay(event, true)).toEqual(days);
  expect(withAllDay({ ...NEW_YORK, ...days }, false)).toEqual({
    starts_at: '2026-12-21T09:00',
    ends_at: '2026-12-22T18:00',
  });
  expect(withAllDay({ ...NEW_YORK, ...days, starts_at: '2026-12-20' }, false, event)).toEqual({
    starts_at: '2026-12-20T20:30',
    ends_at: '2026-12-22T20:00',
  });
  expect(withAllDay(NEW_YORK, true)).toEqual({});
});

it.each([
  [{ starts_at: '2026-12-21' }, false],
  [{ starts_at: '2026-12-20' }, true],
  [{ starts_at: '2026-12-21T20:30' }, false],
  [{ starts_at: '2026-12-21T20:29' }, true],
  [{ starts_at: '2026-12-20', ends_at: '2026-12-22T18:00' }, false],
  [{ starts_at: '0202-12-20T18:00' }, false],
  [{}, false],
  [{ type: 'countdown', starts_at: '2026-12-20' }, false],
])('whether the event %j in New York is over on 21 December at 20:30: %s', (times, expected) => {
  expect(isOver({ ...NEW_YORK, ...times }, new Date('2026-12-22T01:30:00Z'))).toBe(expected);
});

it.each([
  [{ repeats: 'weekly', starts_at: '2016-11-24T19:00' }, ['2026-11-26T19:00', '2026-12-03T19:00']],
  // In New York it is still the 20th.
  [{ repeats: 'monthly', starts_at: '2016-10-20' }, ['2026-11-20T00:00', '2026-12-20T00:00']],
  [
    { repeats: 'monthly', starts_at: '2026-11-18', ends_at: '2026-11-20' },
    ['2026-11-18T00:00', '2026-12-18T00:00'],
  ],
  [
    { repeats: 'weekly', starts_at: '2026-11-24', repeats_until: '2026-11-30' },
    ['2026-11-24T00:00'],
  ],
  [{ repeats: 'weekly', starts_at: '2026-10-20', repeats_until: '2026-11-10' }, []],
  [
    { repeats: 'weekly', starts_at: '2026-11-24', repeats_except: ['2026-12-01'] },
    ['2026-11-24T00:00', '2026-12-08T00:00'],
  ],
  [
    {
      ...{ repeats: 'weekly', starts_at: '2026-11-24', repeats_until: '2026-11-30' },
      repeats_except: ['2026-11-24'],
    },
    [],
  ],
  [{ repeats: 'never', starts_at: '2026-11-24' }, undefined],
])('the next dates of %j', (fields, expected) => {
  const event = { ...NEW_YORK, ...fields };
  const now = new Date('2026-11-21T02:00Z');
  const dates = nextDatesOf(event, now, 2);
  expect(dates?.map((date) => date.toISOString().slice(0, 16))).toEqual(expected);
  if (dates) expect(isOver(event, now)).toBe(dates.length === 0);
});

it.each([
  ['monthly', '2026-10-31', true],
  ['monthly', '2026-10-28', false],
  ['monthly_weekday', '2026-10-31', false],
  ['yearly', '2024-02-29', true],
  ['yearly', '2024-01-31', false],
])('the form says of %s from %s whether it skips months: %s', (repeats, starts_at, expected) => {
  expect(skipsMonths({ ...NEW_YORK, repeats, starts_at })).toBe(expected);
});
