import { describe, expect, it } from 'vitest';
import { isoTime, zonedTimeToDate } from '#page/time-zone.ts';
import { attribute, block, renderPage, readText } from './support/site.ts';

type Fields = Record<string, unknown>;

function listTimes(type: string, fields: Fields) {
  return renderPage({ blocks: [block(type, { title: 'Night', ...fields })] })
    .findAll('time')
    .map((time) => [attribute(time, 'datetime'), readText(time)]);
}

describe('an event', () => {
  it('is shown in its time zone, with the name of the zone', () => {
    expect(
      listTimes('event', { starts_at: '2026-12-22T01:30:00Z', time_zone: 'America/New_York' }),
    ).toEqual([['2026-12-21T20:30:00-05:00', 'December 21, 2026 at 8:30 PM ET']]);
  });

  it('can be stored in local time of its time zone', () => {
    const event = { starts_at: '2026-12-21T20:30', time_zone: 'Europe/Berlin' };
    expect(listTimes('event', { ...event, ends_at: '2026-12-21T23:00' })).toEqual([
      ['2026-12-21T20:30:00+01:00', 'December 21, 2026 at 8:30 PM'],
      ['2026-12-21T23:00:00+01:00', '11:00 PM Germany Time'],
    ]);
  });

  it('shows both dates only if they differ in its time zone', () => {
    const event = { starts_at: '2026-12-21T20:00Z', ends_at: '2026-12-22T02:00Z' };
    const texts = (time_zone: string) =>
      listTimes('event', { ...event, time_zone }).map(([, text]) => text);
    expect(texts('America/New_York')).toEqual(['December 21, 2026 at 3:00 PM', '9:00 PM ET']);
    expect(texts('Asia/Tokyo')).toEqual(['December 22, 2026 at 5:00 AM', '11:00 AM Japan Time']);
    expect(texts('Europe/Lisbon')).toEqual([
      'December 21, 2026 at 8:00 PM Portugal Time',
      'December 22, 2026 at 2:00 AM Portugal Time',
    ]);
  });

  it('without a time of day shows no time zone, and starts at local midnight', () => {
    for (const time_zone of ['Pacific/Auckland', 'Pacific/Honolulu', 'UTC'])
      expect(listTimes('event', { starts_at: '2026-12-02', time_zone })).toEqual([
        ['2026-12-02', 'December 2, 2026'],
      ]);
    const countdownText = (time_zone: string) =>
      renderPage({ blocks: [block('countdown', { starts_at: '2026-11-21', time_zone })] }).text;
    // The page is rendered at noon UTC.
    expect(countdownText('Pacific/Auckland')).toContain('1 hour ago');
    expect(countdownText('UTC')).toMatch(/\b12 hours(?! ago)/);
    expect(countdownText('Pacific/Honolulu')).toMatch(/\b22 hours(?! ago)/);
  });

  it.each([undefined, 7, '', 'Mars/Olympus', 'x'.repeat(10_000), '<b>'])(
    'without a valid time zone (%j) is shown in UTC',
    (time_zone) => {
      for (const starts_at of ['2026-12-22T01:30:00Z', '2026-12-22T01:30'])
        expect(listTimes('event', { starts_at, time_zone })).toEqual([
          ['2026-12-22T01:30:00.000Z', 'December 22, 2026 at 1:30 AM UTC'],
        ]);
    },
  );
});

it('a countdown ends at the local time of its time zone', () => {
  const fields = { starts_at: '2026-11-20T09:30', time_zone: 'America/New_York' };
  const { text } = renderPage({ blocks: [block('countdown', fields)] });
  expect(text).toMatch(/\b2 hours(?! ago)/);
  expect(listTimes('countdown', fields)).toEqual([
    ['2026-11-20T09:30:00-05:00', 'November 20, 2026 at 9:30 AM ET'],
  ]);
});

describe('local time', () => {
  it.each([
    ['in summer', '2026-07-01T12:00', '2026-07-01T12:00:00+02:00'],
    ['in winter', '2026-12-01T12:00', '2026-12-01T12:00:00+01:00'],
    ['before the hour that is skipped', '2026-03-29T01:59', '2026-03-29T01:59:00+01:00'],
    ['in the hour that is skipped', '2026-03-29T02:30', '2026-03-29T03:30:00+02:00'],
    ['after the hour that is skipped', '2026-03-29T03:00', '2026-03-29T03:00:00+02:00'],
    ['before the hour that is repeated', '2026-10-25T01:59', '2026-10-25T01:59:00+02:00'],
    ['in the hour that is repeated', '2026-10-25T02:30', '2026-10-25T02:30:00+02:00'],
    ['after the hour that is repeated', '2026-10-25T03:00', '2026-10-25T03:00:00+01:00'],
  ])('%s is one instant in Berlin', (_when, localTime, expected) => {
    const zone = 'Europe/Berlin';
    expect(isoTime(zone, zonedTimeToDate(zone, new Date(`${localTime}Z`)))).toBe(expected);
  });

  it('is parsed back to the same instant all year, in every time zone', () => {
    const startTime = Date.UTC(2026, 0, 1, 0, 30);
    for (const zone of Intl.supportedValuesOf('timeZone'))
      for (let day = 0; day < 365; day += 13) {
        const expected = new Date(startTime + day * 24 * 3_600_000);
        const isoText = isoTime(zone, expected);
        expect(Date.parse(isoText)).toBe(expected.getTime());
        expect(zonedTimeToDate(zone, new Date(`${isoText.slice(0, 19)}Z`))).toEqual(expected);
      }
  });
});
