import fc from 'fast-check';
import ical from 'ical.js';
import { expect, it } from 'vitest';
import { DAY_MS } from '#contract/shared/durations.ts';
import { nextChangeTime } from '#page/blocks/index.ts';
import { renderCalendar } from '#page/files/calendar.ts';
import { renderFeed } from '#page/files/feed.ts';
import { renderSite } from '#page/render-site.ts';
import {
  attribute,
  block,
  EMPTY_SITE,
  Page,
  pageSettings,
  readText,
  RENDER_CONTEXT,
  renderPage,
} from './support/site.ts';

type Fields = Record<string, unknown>;

const siteOf = (fields: Fields) => ({
  ...EMPTY_SITE,
  blocks: [block('event', { title: 'Sailing', time_zone: 'Europe/Berlin', ...fields })],
});

const pageAt = (now: Date, fields: Fields) =>
  renderSite(siteOf(fields), { ...RENDER_CONTEXT, now }, { abuseContact: undefined }).html;

/** The dates on the page at noon UTC on this day: the next one, and further ones. */
function datesOn(day: string, fields: Fields): string[] {
  const times = new Page(pageAt(new Date(`${day}T12:00Z`), fields)).findAll('time');
  return times.flatMap((time) => (readText(time) ? attribute(time, 'datetime')! : []));
}

function calendarOf(fields: Fields, now = RENDER_CONTEXT.now): string {
  return renderCalendar(siteOf(fields), { ...RENDER_CONTEXT, now });
}

/** The starts of dates that are not over on a day, as ical.js finds them. */
function startsInCalendar(fields: Fields, day: string): string[] {
  const calendar = new ical.Component(ical.parse(calendarOf(fields)) as unknown[]);
  const zone = new ical.Timezone(calendar.getFirstSubcomponent('vtimezone')!);
  const event = new ical.Event(calendar.getFirstSubcomponent('vevent')!);
  const dates = event.iterator();
  const starts: string[] = [];
  for (let date = dates.next(); date && starts.length < 3; date = dates.next()) {
    if (date.toString() < day) continue;
    date.zone = zone;
    starts.push(new Date(date.toUnixTime() * 1_000).toISOString());
  }
  return starts;
}

it.each([
  ['weekly', '2016-11-01', ['2026-12-01', '2026-12-08', '2026-12-15']],
  ['two_weeks', '2016-11-01', ['2026-12-01', '2026-12-15', '2026-12-29']],
  ['monthly', '2016-08-31', ['2026-12-31', '2027-01-31', '2027-03-31']],
  ['monthly_weekday', '2016-11-01', ['2026-12-01', '2027-01-05', '2027-02-02']],
  // The fifth Sunday of a month is its last one.
  ['monthly_weekday', '2016-10-30', ['2026-11-29', '2026-12-27', '2027-01-31']],
  ['yearly', '2016-02-29', ['2028-02-29', '2032-02-29', '2036-02-29']],
  ['yearly', '2096-02-29', ['2096-02-29', '2104-02-29', '2108-02-29']],
  ['weekly', '2026-11-27', ['2026-12-04', '2026-12-11', '2026-12-18']],
  ['never', '2026-12-01', ['2026-12-01']],
  ['daily', '2026-12-01', ['2026-12-01']],
])('an event that repeats %s from %s shows its next three dates', (repeats, starts_at, dates) => {
  expect(datesOn('2026-11-28', { repeats, starts_at })).toEqual(dates);
});

it.each([
  ['weekly', 'en', 'Every week Wednesday also 9 Dec and 16 Dec'],
  ['two_weeks', 'en-US', 'Every two weeks Wednesday also Dec 16 and Dec 30'],
  ['monthly', 'de', 'Jeden Monat auch am 2. Jan. und 2. Feb.'],
  ['yearly', 'fr', 'Chaque année puis 2 déc. 2027 et 2 déc. 2028'],
  ['monthly_weekday', 'ja', '毎月 水曜日 以降は1月6日、2月3日'],
])('an event that repeats %s says so in %s: %s', (repeats, lang, expected) => {
  const site = siteOf({ repeats, starts_at: '2026-12-02' });
  const page = renderPage({ ...site, settings: pageSettings({ lang }) });
  expect(page.text).toContain(expected);
});

it('a repeating event names the days before its third date on which it does not take place', () => {
  const repeats_except = ['2026-12-23', '2026-12-02', '2026-12-30', '2027-01-27'];
  const fields = { repeats: 'weekly', starts_at: '2026-12-02T19:00', repeats_except };
  const { text } = renderPage(siteOf(fields));
  expect(text).toContain(
    'Every week Wednesday also 16 Dec and 6 Jan except 2 Dec, 23 Dec, and 30 Dec',
  );
});

it('a repeating event that has no further date does not say that it repeats', () => {
  const fields = { repeats: 'weekly', starts_at: '2026-12-01', repeats_until: '2026-12-01' };
  expect(pageAt(new Date('2026-11-28'), fields)).not.toContain('Every week');
});

it('a repeating event keeps its time of day when the clocks change, also in its calendar', () => {
  const fields = {
    repeats: 'weekly',
    starts_at: '2016-10-20T19:00',
    ends_at: '2016-10-20T21:00',
  };
  expect(datesOn('2026-10-20', fields)).toEqual([
    '2026-10-22T19:00:00+02:00',
    '2026-10-29T19:00:00+01:00',
    '2026-11-05T19:00:00+01:00',
  ]);
  expect(calendarOf(fields)).toContain(
    'DTSTART;TZID=Europe/Berlin:20161020T190000\r\nDTEND;TZID=Europe/Berlin:20161020T210000\r\nRRULE:FREQ=WEEKLY\r\n',
  );
});

it('a repeating event repeats until a day, the last one included, and is then shown as over', () => {
  const fields = {
    repeats: 'weekly',
    starts_at: '2026-12-01T23:30',
    repeats_until: '2026-12-08',
  };
  const [first, last] = ['2026-12-01T23:30:00+01:00', '2026-12-08T23:30:00+01:00'];
  expect(datesOn('2026-11-28', fields)).toEqual([first, last]);
  expect(datesOn('2026-12-08', fields)).toEqual([last]);
  expect(datesOn('2026-12-20', fields)).toEqual([last]);
  expect(pageAt(new Date('2026-12-20T12:00Z'), fields)).toMatch(/12 days ago(?![^]*Add to cal)/);
  expect(calendarOf(fields)).toContain('RRULE:FREQ=WEEKLY;UNTIL=20261208T225959Z\r\n');
  const days = { ...fields, starts_at: '2026-12-01' };
  expect(calendarOf(days)).toContain('RRULE:FREQ=WEEKLY;UNTIL=20261208\r\n');
});

it.each([
  ['2026-12-01', undefined, 'Europe/Berlin', '20261208'],
  ['2026-12-01', '2026-12-01T21:00', 'Europe/Berlin', '20261208T225959Z'],
  ['2026-12-01', '2026-12-01T21:00', 'UTC', '20261208T235959Z'],
  ['2026-12-01', '2026-12-01T21:00+05:00', 'Asia/Tokyo', '20261208T145959Z'],
  ['2026-12-01T19:00', '2026-12-01', 'Europe/Berlin', '20261208T225959Z'],
])(
  'a repeating event from %s to %s in %s has an UNTIL of the type of DTSTART, in UTC if timed (RFC 5545, 3.3.10)',
  (starts_at, ends_at, time_zone, expected) => {
    const repeat = { repeats: 'weekly', repeats_until: '2026-12-08' };
    const text = calendarOf({ starts_at, ends_at, time_zone, ...repeat });
    const event = new ical.Component(ical.parse(text) as unknown[]).getFirstSubcomponent('vevent')!;
    const { until } = event.getFirstPropertyValue('rrule') as ical.Recur;
    expect(until!.toICALString()).toBe(expected);
    expect(until!.isDate).toBe((event.getFirstPropertyValue('dtstart') as ical.Time).isDate);
  },
);

it.each(['2026-11-30', '9999-12-31', '2026-12-08T10:00', 'x'])(
  'a repeating event has no end if that is %s',
  (repeats_until) => {
    const fields = { repeats: 'weekly', starts_at: '2026-12-01', repeats_until };
    expect(calendarOf(fields)).toContain('RRULE:FREQ=WEEKLY\r\n');
    expect(datesOn('2030-01-01', fields)).toHaveLength(3);
  },
);

const HOLIDAYS = ['2026-12-22', '2026-12-29', '2026-12-23', '2026-12-29T10:00', 7];

it.each([
  ['2026-12-01', 'Europe/Berlin', ';VALUE=DATE:20261222', ';VALUE=DATE:20261229'],
  [
    '2026-12-01T19:00',
    'Europe/Berlin',
    ';TZID=Europe/Berlin:20261222T190000',
    ';TZID=Europe/Berlin:20261229T190000',
  ],
  ['2026-12-01T19:00', 'UTC', ':20261222T190000Z', ':20261229T190000Z'],
])(
  'a repeating event from %s in %s leaves out days, and its calendar has them in the form of DTSTART',
  (starts_at, time_zone, ...lines) => {
    const fields = { repeats: 'weekly', starts_at, time_zone, repeats_except: HOLIDAYS };
    const dates = datesOn('2026-12-16', fields).map((date) => date.slice(0, 10));
    expect(dates).toEqual(['2027-01-05', '2027-01-12', '2027-01-19']);
    const exceptions = calendarOf(fields).match(/(?<=^EXDATE).*(?=\r)/gm);
    expect(exceptions).toEqual(lines);
    const feed = renderFeed(siteOf(fields), {
      ...RENDER_CONTEXT,
      now: new Date('2026-12-30T12:00Z'),
    });
    expect(feed).toContain('<summary>2027-01-05');
  },
);

it('an event whose days are all left out is not shown', () => {
  const fields = { repeats: 'weekly', starts_at: '2026-12-01', repeats_until: '2026-12-08' };
  const repeats_except = ['2026-12-01', '2026-12-08'];
  expect(datesOn('2026-11-28', { ...fields, repeats_except: ['2026-12-01'] })).toEqual([
    '2026-12-08',
  ]);
  expect(pageAt(RENDER_CONTEXT.now, { ...fields, repeats_except })).not.toContain('Sailing');
  expect(calendarOf({ ...fields, repeats_except })).not.toContain('VEVENT');
});

it('at most 60 days are left out', () => {
  const days = Array.from({ length: 61 }, (_, week) =>
    new Date(Date.UTC(2026, 11, 1 + 7 * week)).toISOString().slice(0, 10),
  );
  const fields = { repeats: 'weekly', starts_at: '2026-12-01', repeats_except: days };
  expect(datesOn('2026-11-28', fields)[0]).toBe(days[60]);
});

it('a repeating event of several days is shown until its last one', () => {
  const fields = { repeats: 'monthly', starts_at: '2026-11-27', ends_at: '2026-11-29' };
  expect(datesOn('2026-11-29', fields)).toEqual(['2026-11-27', '2026-12-27', '2027-01-27']);
  expect(datesOn('2026-11-30', fields)).toEqual(['2026-12-27', '2027-01-27', '2027-02-27']);
});

it('a repeating event has the next date in the feed, which changed on the day after the last one', () => {
  const site = siteOf({ repeats: 'weekly', starts_at: '2016-11-01T19:00' });
  const changedAt = new Map([[site.blocks[0]!.id, new Date('2026-11-01T08:00Z')]]);
  const feedOn = (day: string) =>
    renderFeed({ ...site, changedAt }, { ...RENDER_CONTEXT, now: new Date(`${day}T12:00Z`) });
  expect(feedOn('2026-11-28')).toContain('<summary>2026-12-01T19:00:00+01:00</summary>');
  expect(feedOn('2026-11-28')).toContain('<updated>2026-11-24T23:00:00.000Z</updated>');
  expect(feedOn('2026-11-02')).toContain('<updated>2026-11-01T08:00:00.000Z</updated>');
});

const day = fc.date({
  min: new Date('2016-01-01'),
  max: new Date('2027-12-31'),
  noInvalidDate: true,
});
const zone = fc.constantFrom('Europe/Berlin', 'America/New_York', 'Asia/Jerusalem', 'Asia/Tokyo');
const repeats = fc.constantFrom('weekly', 'two_weeks', 'monthly', 'monthly_weekday', 'yearly');

it('a repeating event has the same dates on the page as ical.js reads in its calendar', () => {
  fc.assert(
    fc.property(day, day, zone, repeats, fc.nat(), (first, until, time_zone, every, left) => {
      const starts_at = first.toISOString().slice(0, 16);
      const dates = { starts_at, time_zone, repeats: every };
      const next = datesOn('2026-11-28', dates).map((date) => date.slice(0, 10));
      const fields = {
        ...dates,
        repeats_until: until.toISOString().slice(0, 10),
        repeats_except: [next[left % 3]],
      };
      const shown = datesOn('2026-11-28', fields).map((date) => new Date(date).toISOString());
      const read = startsInCalendar(fields, '2026-11-28');
      // An event that is over is shown on its last date.
      expect(shown).toEqual(read.length > 0 ? read : shown.slice(0, 1));
    }),
    { numRuns: 60 },
  );
});

it('a repeating event changes the page only when the cache expects it', () => {
  const time = fc.date({
    min: new Date('2026-10-01'),
    max: new Date('2026-12-31'),
    noInvalidDate: true,
  });
  const often = fc.constantFrom('weekly', 'two_weeks');
  const past = fc.date({
    min: new Date('2026-09-01'),
    max: new Date('2026-09-30'),
    noInvalidDate: true,
  });
  const part = fc.double({ min: 0, max: 0.999, noNaN: true });
  fc.assert(
    fc.property(past, time, zone, often, part, (first, now, time_zone, every, fraction) => {
      const starts_at = first.toISOString().slice(0, 16);
      const ends_at = new Date(first.getTime() + 1.5 * DAY_MS).toISOString().slice(0, 16);
      const fields = { starts_at, ends_at, time_zone, repeats: every };
      const next = nextChangeTime(siteOf(fields).blocks, now)!;
      const later = new Date(now.getTime() + fraction * (next.getTime() - now.getTime()));
      const withoutId = (html: string) => html.replace(/event\/[\w-]+\.ics/, '');
      expect(withoutId(pageAt(later, fields))).toBe(withoutId(pageAt(now, fields)));
    }),
    { numRuns: 60 },
  );
});
