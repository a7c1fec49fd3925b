import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DAY_MS } from '#contract/shared/durations.ts';
import { activeBlocks, nextChangeTime } from '#page/blocks/index.ts';
import { isoTime, zonedTimeToDate } from '#page/fields/time-zone.ts';
import { renderSite } from '#page/render-site.ts';
import {
  attribute,
  block,
  EMPTY_SITE,
  pageSettings,
  RENDER_CONTEXT,
  renderPage,
  readText,
} from './support/site.ts';

type Fields = Record<string, unknown>;

function listTimes(type: string, fields: Fields) {
  return renderPage({ blocks: [block(type, { title: 'Night', ...fields })] })
    .findAll('time')
    .map((time) => [attribute(time, 'datetime'), readText(time).replace(/[^\S\u00A0]+/g, ' ')]);
}

/** The text of the page without the link of its event. */
const eventText = (fields: Fields, settings: object = {}) => {
  const event = block('event', { title: 'Fair', ...fields });
  return renderPage({ blocks: [event], settings: pageSettings(settings) })
    .text.replaceAll('\u2060', '')
    .replace(/[\s\u2009]+/g, ' ')
    .replace(' Add to calendar', '');
};

it('an event is shown in its time zone', () => {
  const event = { starts_at: '2026-12-22T01:30:00Z', time_zone: 'America/New_York' };
  expect(listTimes('event', event)).toEqual([['2026-12-21T20:30:00-05:00', 'Mon 21 Dec']]);
  expect(eventText(event)).toContain('Mon 21 Dec Fair 8:30 PM Eastern Time');
});

it('an event keeps the period of the day on the line of its time', () => {
  const blocks = [block('event', { title: 'Night', starts_at: '2026-12-21T18:00' })];
  const page = renderPage({ blocks, settings: pageSettings({ lang: 'ar' }) });
  expect(readText(page.findAll('main')[0]!)).toMatch(/6:00\u00A0م/);
});

it('an event can be stored in local time of its time zone', () => {
  const event = { starts_at: '2026-12-21T20:30', time_zone: 'Europe/Berlin' };
  expect(listTimes('event', { ...event, ends_at: '2026-12-21T23:00' })).toEqual([
    ['2026-12-21T20:30:00+01:00', 'Mon 21 Dec'],
    ['2026-12-21T23:00:00+01:00', ''],
  ]);
});

it('an event shows both dates only if they differ in its time zone', () => {
  const event = { starts_at: '2026-12-21T20:00Z', ends_at: '2026-12-22T02:00Z', location: 'Pub' };
  const text = (time_zone: string) =>
    eventText({ ...event, time_zone }).replace(/[\u2009\u202F\u00A0]/g, ' ');
  expect(text('America/New_York')).toContain('Mon 21 Dec Fair 3:00 – 9:00 PM Pub');
  expect(text('Asia/Tokyo')).toContain('Tue 22 Dec Fair 05:00–11:00 Pub');
  expect(text('Europe/Lisbon')).toContain('Fair Mon 21 Dec, 20:00 – Tue 22 Dec, 02:00 Pub');
});

it.each([
  [{ time_zone: 'Europe/Berlin' }, 'Fair 20:30 Central European Time in'],
  [{ time_zone: 'America/Argentina/Buenos_Aires' }, 'Fair 8:30 PM Argentina Standard Time in'],
  [{ time_zone: 'Etc/GMT+3' }, 'Fair 20:30 GMT-3 in'],
  [{}, 'Fair 20:30 UTC in'],
  [{ time_zone: 'Europe/Berlin', location: 'Here' }, 'Fair 20:30 Here in'],
  [
    { time_zone: 'Europe/Berlin', location: 'Online' },
    'Fair 20:30 Central European Time Online in',
  ],
  [
    { time_zone: 'Europe/Berlin', location: 'Kiel → Oslo' },
    'Fair 20:30 Central European Time Kiel → Oslo in',
  ],
  [{ time_zone: 'Europe/Berlin', starts_at: '2026-12-04' }, 'Fri 4 Dec Fair in'],
])('an event with a time names its zone unless it is at a place: %j', (fields, expected) => {
  expect(eventText({ starts_at: '2026-12-04T20:30', ...fields })).toContain(expected);
});

it('an event names its zone in the language of the page', () => {
  const event = { starts_at: '2026-12-04T20:30', time_zone: 'Asia/Tokyo' };
  expect(eventText(event, { lang: 'ja' })).toContain('20:30 日本標準時');
});

it('an event shows the year only if it is far away in another one', () => {
  const text = (starts_at: string) => eventText({ starts_at, location: 'Pub' });
  expect(text('2026-12-31T23:30Z')).toContain('Fair 23:30 Pub');
  expect(text('2027-01-01T00:30Z')).toContain('Fair 00:30 Pub');
  expect(text('2027-12-01T00:30Z')).toContain('Fair 2027 00:30 Pub');
  expect(text('2025-11-30')).toContain('Fair 2025 Pub');
});

it('an event of several days in Japanese has the same form of dates as its day', () => {
  const days = { starts_at: '2027-01-09', ends_at: '2027-01-11', location: '横浜' };
  expect(eventText(days, { lang: 'ja' })).toContain('2027年1月9日 – 2027年1月11日 横浜');
  const times = { starts_at: '2026-12-21T11:00', ends_at: '2026-12-21T13:00', location: '横浜' };
  expect(eventText(times, { lang: 'ja' })).toContain('Fair 11:00～13:00 横浜');
});

it('an event is shown by date among its neighbors', () => {
  const event = (title: string, starts_at: string, fields: Fields = {}) =>
    block('event', { title, starts_at, time_zone: 'Europe/Berlin', ...fields });
  const { text } = renderPage({
    blocks: [
      event('Long ago', '2026-10-01T10:00'),
      event('Last week', '2026-11-13T10:00'),
      event('Next year', '2027-02-01T10:00', { location: 'Pub, Berlin' }),
      event('Today', '2026-11-20T10:00'),
      event('Next week', '2026-11-27T10:00'),
      event('Cruise', '2026-11-01', { ends_at: '2026-12-01' }),
      event('No date', ''),
      event('Far away', '2026-11-28T10:00', { time_zone: 'Asia/Tokyo' }),
      block('divider'),
      event('Below', '2026-11-19T10:00'),
    ],
  });
  const found = text.match(/Long ago|Last week|Next \w+|Today|Cruise|No date|Far away|Below/g);
  expect(found).toEqual([
    ...['Cruise', 'Today', 'Next week', 'Far away'],
    ...['Next year', 'Last week', 'Long ago', 'Below'],
  ]);
});

it('an event says how far it is only for the next one, within 14 days', () => {
  const distances = (...days: string[]) =>
    renderPage({
      blocks: days.map((day) => block('event', { title: 'Night', starts_at: `2026-${day}` })),
    }).text.match(/in \d+ days|\d+ days ago|tomorrow/g);
  expect(distances('12-01', '12-04', '11-10')).toEqual(['in 11 days', '10 days ago']);
  expect(distances('12-04')).toEqual(['in 14 days']);
  expect(distances('12-05', '12-06')).toBeNull();
});

it('an event can be added to a calendar until it is over, several only together', () => {
  const eventOn = (starts_at: string) => block('event', { title: 'Night', starts_at });
  const calendarLinks = (...blocks: ReturnType<typeof block>[]) =>
    renderPage({ blocks })
      .findAll('a')
      .filter((link) => /calendar/.test(readText(link)))
      .map((link) => [attribute(link, 'href'), readText(link).trim()]);
  const linkTo = ({ id }: { id: string }) => [
    `${RENDER_CONTEXT.url}/event/${id}.ics`,
    'Add to calendar',
  ];
  const [today, later, past] = [
    eventOn('2026-11-20'),
    eventOn('2026-12-21'),
    eventOn('2026-11-19'),
  ];
  expect(calendarLinks(later, eventOn(''))).toEqual([linkTo(later)]);
  expect(calendarLinks(past)).toEqual([]);
  // Calendar files cannot have it.
  expect(calendarLinks(eventOn('9999-12-31'))).toEqual([]);
  expect(calendarLinks(later, today, past, block('divider'))).toEqual([
    [`${RENDER_CONTEXT.url}/events.ics`, 'Add all dates to calendar'],
  ]);
});

it.each([
  [{}, 'Fr 27 Nov Fair 09:00 Uhr Halle'],
  [{ ends_at: '2026-11-27T12:00' }, 'Fr 27 Nov Fair 09:00–12:00 Uhr Halle'],
  [{ ends_at: '2026-11-28T02:00' }, 'Fr., 27. Nov., 09:00 – Sa., 28. Nov., 02:00 Halle'],
])('an event has one style of times in German: %j', (fields, expected) => {
  const event = { starts_at: '2026-11-27T09:00', location: 'Halle', ...fields };
  expect(eventText(event, { lang: 'de' })).toContain(expected);
});

it('an event without a time of day shows no time zone', () => {
  for (const time_zone of ['Pacific/Auckland', 'Pacific/Honolulu', 'UTC'])
    expect(listTimes('event', { starts_at: '2026-12-02', time_zone })).toEqual([
      ['2026-12-02', 'Wed 2 Dec'],
    ]);
});

it.each([undefined, 7, '', 'Mars/Olympus', 'x'.repeat(10_000), '<b>'])(
  'an event without a valid time zone (%j) is shown in UTC',
  (time_zone) => {
    for (const starts_at of ['2026-12-22T01:30:00Z', '2026-12-22T01:30'])
      expect(listTimes('event', { starts_at, time_zone })).toEqual([
        ['2026-12-22T01:30:00.000Z', 'Tue 22 Dec'],
      ]);
  },
);

it('a countdown ends at the local time of its time zone', () => {
  const fields = { starts_at: '2026-11-20T09:30', time_zone: 'America/New_York' };
  expect(listTimes('countdown', fields)).toEqual([
    ['2026-11-20T09:30:00-05:00', 'Friday, November 20 at 9:30\u00A0AM'],
  ]);
});

/** The page is rendered at noon UTC on 20 November. */
it.each([
  ['2026-11-20', 'UTC', 'Fri 20 Nov Fair today'],
  ['2026-11-21', 'UTC', 'Sat 21 Nov Fair tomorrow'],
  ['2026-11-21', 'Pacific/Auckland', 'Sat 21 Nov Fair today'],
  ['2026-11-20', 'Pacific/Auckland', 'Fri 20 Nov Fair yesterday'],
  ['2026-11-21T23:00', 'Etc/UTC', 'Sat 21 Nov Fair 23:00 UTC tomorrow'],
  ['2026-11-22T00:30', 'Asia/Tokyo', 'Sun 22 Nov Fair 00:30 Japan Standard Time in 2 days'],
  ['2026-11-21T00:30', 'Asia/Tokyo', 'Sat 21 Nov Fair 00:30 Japan Standard Time tomorrow'],
])(
  'a date is its whole day in the time zone: an event at %s in %s: %s',
  (starts_at, time_zone, expected) => {
    expect(eventText({ starts_at, time_zone })).toContain(expected);
  },
);

const [FROM_18, TO_20] = ['Wednesday 18 November', 'Friday 20 November'];
it.each([
  ['2026-11-20', '2026-11-20', 'Fri 20 Nov Fair today'],
  ['2026-11-18', '2026-11-20', 'Wed 18 Nov Fair 18 – 20 November today'],
  ['2026-11-17', '2026-11-19', '17 – 19 November yesterday'],
  ['2026-11-20T10:00', '2026-11-20', 'Fri 20 Nov Fair 10:00 UTC now'],
  ['2027-01-16', '2027-01-17', '16 – 17 January 2027'],
  ['2026-11-18T10:00', '2026-11-20', `${FROM_18} at 10:00 – ${TO_20} UTC now`],
  ['2026-11-18', '2026-11-20T11:00', `${FROM_18} – ${TO_20} at 11:00 UTC today`],
])(
  'a date is its whole day in the time zone: an event from %s to %s: %s',
  (starts_at, ends_at, expected) => {
    const text = eventText({ starts_at, ends_at, time_zone: 'UTC' });
    expect(text).toContain(expected);
  },
);

it.each([
  ['2026-11-20', 'UTC', 'today'],
  ['2026-11-21', 'Pacific/Auckland', 'today'],
  ['2026-11-22T01:00', 'Pacific/Honolulu', '2 days'],
  ['2026-11-18', 'UTC', '2 days ago'],
])(
  'a date is its whole day in the time zone: a countdown to %s in %s: %s',
  (starts_at, time_zone, expected) => {
    const { text } = renderPage({ blocks: [block('countdown', { starts_at, time_zone })] });
    expect(text).toContain(` ${expected} `);
  },
);

it.each([
  [{ from: '2026-11-20' }, true],
  [{ from: '2026-11-21' }, false],
  [{ until: '2026-11-20' }, true],
  [{ until: '2026-11-19' }, false],
  [{ until: '2026-11-20T12:00' }, false],
])('a date is its whole day in the time zone: a link with %j is shown: %s', (fields, isShown) => {
  const link = block('link', { url: 'https://example.com', ...fields });
  expect(activeBlocks([link], RENDER_CONTEXT.now)).toHaveLength(isShown ? 1 : 0);
});

it('the text of a page changes only when the cache expects it', () => {
  const day = fc.integer({ min: 17, max: 24 }).map((number) => `2026-11-${number}`);
  const hour = fc.constantFrom('', 'T00:00', 'T01:30', 'T12:00', 'T23:59', 'T06:30Z');
  const time = fc.tuple(day, hour).map((parts) => parts.join(''));
  const zone = fc.constantFrom('UTC', 'Asia/Tokyo', 'America/Los_Angeles', 'Pacific/Apia');
  const fraction = fc.double({ min: 0, max: 0.999, noNaN: true });
  fc.assert(
    fc.property(time, time, zone, day, fraction, (starts_at, ends_at, time_zone, at, part) => {
      const now = new Date(Date.parse(at) + part * DAY_MS);
      const fields = { title: 'Fair', starts_at, ends_at, time_zone };
      const blocks = [block('event', fields), block('countdown', fields)];
      const next = nextChangeTime(blocks, now)!;
      const textAt = (moment: number) =>
        renderSite(
          { ...EMPTY_SITE, blocks },
          { ...RENDER_CONTEXT, now: new Date(moment) },
          { abuseContact: undefined },
        ).html;
      const later = now.getTime() + part * (next.getTime() - now.getTime());
      expect(textAt(later)).toBe(textAt(now.getTime()));
    }),
    { numRuns: 200 },
  );
});

it.each([
  ['in summer', '2026-07-01T12:00', '2026-07-01T12:00:00+02:00'],
  ['in winter', '2026-12-01T12:00', '2026-12-01T12:00:00+01:00'],
  ['before the hour that is skipped', '2026-03-29T01:59', '2026-03-29T01:59:00+01:00'],
  ['in the hour that is skipped', '2026-03-29T02:30', '2026-03-29T03:30:00+02:00'],
  ['after the hour that is skipped', '2026-03-29T03:00', '2026-03-29T03:00:00+02:00'],
  ['before the hour that is repeated', '2026-10-25T01:59', '2026-10-25T01:59:00+02:00'],
  ['in the hour that is repeated', '2026-10-25T02:30', '2026-10-25T02:30:00+02:00'],
  ['after the hour that is repeated', '2026-10-25T03:00', '2026-10-25T03:00:00+01:00'],
])('the local time %s is one instant in Berlin', (_when, localTime, expected) => {
  const zone = 'Europe/Berlin';
  expect(isoTime(zone, zonedTimeToDate(zone, new Date(`${localTime}Z`)))).toBe(expected);
});

it('local time is parsed back to the same instant all year, in every time zone', () => {
  const startTime = Date.UTC(2026, 0, 1, 0, 30);
  for (const zone of Intl.supportedValuesOf('timeZone'))
    for (let day = 0; day < 365; day += 13) {
      const expected = new Date(startTime + day * 24 * 3_600_000);
      const isoText = isoTime(zone, expected);
      expect(Date.parse(isoText)).toBe(expected.getTime());
      expect(zonedTimeToDate(zone, new Date(`${isoText.slice(0, 19)}Z`))).toEqual(expected);
    }
});
