import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import ical from 'ical.js';
import { describe, expect, it } from 'vitest';
import { renderCalendar } from '#page/files/calendar.ts';
import { renderFeed } from '#page/files/feed.ts';
import { createPage, publishPage } from '../support/publish-page.ts';
import { anyCharacter } from '../support/text-arbitraries.ts';
import { useServer } from '../support/use-server.ts';
import { attribute, block, EMPTY_SITE, renderPage, RENDER_CONTEXT } from './support/site.ts';

const { url } = RENDER_CONTEXT;
const EVENT = {
  title: 'Open studio; mugs, bowls',
  starts_at: '2026-12-05T14:00',
  ends_at: '2026-12-05T18:00',
  time_zone: 'Europe/Berlin',
  location: 'Lisbon',
  url: 'https://example.com/studio',
};

function calendarOf(...events: Record<string, unknown>[]) {
  const blocks = events.map((fields) => block('event', fields));
  const text = renderCalendar({ ...EMPTY_SITE, blocks }, RENDER_CONTEXT);
  const [, properties, components] = ical.parse(text) as [
    string,
    unknown[][],
    [string, unknown[][]][],
  ];
  const entries = components.map(([, list]) =>
    Object.fromEntries(list.map(([name, , , value]) => [name, value])),
  );
  return { text, properties, entries };
}

it.each([
  [{ starts_at: '2026-12-05' }, ['2026-12-05', '2026-12-06']],
  [
    { starts_at: '2026-12-30', ends_at: '2026-12-31', time_zone: 'Asia/Tokyo' },
    ['2026-12-30', '2027-01-01'],
  ],
  [
    { starts_at: '2026-12-05T10:00', ends_at: '2026-12-06', time_zone: 'Europe/Berlin' },
    ['2026-12-05T09:00:00Z', '2026-12-06T23:00:00Z'],
  ],
  [{ starts_at: '2026-12-05T10:00Z', ends_at: '2026-12-04' }, ['2026-12-05T10:00:00Z', undefined]],
])(
  'the calendar of a page has whole days as dates, and no end before a start: %j',
  (fields, times) => {
    const [entry] = calendarOf({ title: 'x', ...fields }).entries;
    expect([entry!['dtstart'], entry!['dtend']]).toEqual(times);
  },
);

it('the calendar of a page has valid, folded lines, whatever the owner writes', () => {
  const text = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 120 }),
    fc.constantFrom('x\r\nEND:VEVENT\r\nBEGIN:VEVENT', 'é'.repeat(200), ';,:"\\n'),
  );
  const time = fc.constantFrom('0000-01-01T00:00+14:00', '9999-12-31', '2026-12-05', 'x');
  fc.assert(
    fc.property(text, text, time, time, (title, location, starts, ends) => {
      const calendar = calendarOf({ title, location, starts_at: starts, ends_at: ends });
      expect(calendar.entries).toHaveLength(
        title.trim() && starts === '2026-12-05' && ends !== '9999-12-31' ? 1 : 0,
      );
      for (const line of calendar.text.split('\r\n'))
        expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    }),
    { numRuns: 100 },
  );
});

it('the feed of a page has events and scheduled links, the newest first', () => {
  const blocks = [
    block('event', { ...EVENT, title: 'A <b> & "c"\u0000\uFFFE' }),
    block('link', { url: 'https://example.com/new', from: '2026-11-10' }),
    block('link', { url: 'https://example.com/old' }),
    block('text', { content: 'hidden?' }),
  ];
  const changedAt = new Map([[blocks[0]!.id, new Date('2026-11-01T08:00:00Z')]]);
  const feed = renderFeed({ ...EMPTY_SITE, blocks, changedAt }, RENDER_CONTEXT);
  expect([...feed.matchAll(/<updated>(.*?)<\/updated>/g)].map(([, time]) => time)).toEqual([
    '2026-11-10T00:00:00.000Z',
    '2026-11-10T00:00:00.000Z',
    '2026-11-01T08:00:00.000Z',
  ]);
  expect(feed).toContain('<title>A &lt;b&gt; &amp; &quot;c&quot;</title>');
  expect(feed).toContain('<summary>2026-12-05T14:00:00+01:00, Lisbon</summary>');
  expect(feed).toContain(`<link rel="self" type="application/atom+xml" href="${url}/feed.xml" />`);
  expect(feed).not.toMatch(/hidden|old/);
});

const listHrefs = (blocks: ReturnType<typeof block>[]) =>
  renderPage({ blocks }).elements.flatMap((element) => attribute(element, 'href') ?? []);

it('a page links to its feed if a link appears at a set time, and not to a calendar', () => {
  const from = '2026-11-10T00:00:00Z';
  const hrefs = listHrefs([block('link', { url: 'https://example.com', from })]);
  expect(hrefs).toContain(`${url}/feed.xml`);
  expect(hrefs).not.toContain(`${url}/events.ics`);
});

it('a page links to calendar and feed only if it has an event', () => {
  expect(listHrefs([block('event', EVENT)])).toEqual(
    expect.arrayContaining([`${url}/events.ics`, `${url}/feed.xml`]),
  );
  expect(listHrefs([block('event', { title: 'x' })]).join(' ')).not.toMatch(/events|feed/);
});

describe('the files of a page', () => {
  const { server, account } = useServer({ account: true });

  it('the files of a page leave out events that are off, and change their ETag only with the page', async () => {
    await publishPage(account, 'jane-doe');
    const save = (enabled: boolean) =>
      account.client.site.updateSiteConfiguration({
        blocks: [{ type: 'event', enabled, ...EVENT }],
      });
    const get = async (file: string) => server.app.inject(`/@jane-doe/${file}`);
    await save(true);
    const first = await get('events.ics');
    expect(first.payload).toContain('SUMMARY:Open studio\\; mugs\\, bowls\r\n');
    expect((await get('feed.xml')).payload).toContain('Open studio');
    expect((await get('events.ics')).headers.etag).toBe(first.headers.etag);
    await save(false);
    for (const file of ['events.ics', 'feed.xml'])
      expect((await get(file)).payload).not.toContain('studio');
  });

  it('the files of a page have one for each event, which is unknown for other blocks and while it is off', async () => {
    const owner = await createPage(server);
    const { site } = owner.account.client;
    const [event, text, undated, other] = [1, 2, 3, 4].map(() => randomUUID());
    const save = (enabled: boolean) =>
      site.updateSiteConfiguration({
        blocks: [
          { ...EVENT, id: event!, type: 'event', enabled },
          { id: text!, type: 'text', content: 'x' },
          { id: undated!, type: 'event', title: 'Some day', starts_at: '' },
          { ...EVENT, id: other!, type: 'event', title: 'Other' },
        ],
      });
    const get = async (id: string, method: 'GET' | 'HEAD' = 'GET') =>
      server.app.inject({ method, url: `/@${owner.name}/event/${id}.ics` });
    await save(true);
    const { payload, headers } = await get(event!);
    const all = (await server.app.inject(`/@${owner.name}/events.ics`)).payload;
    expect(payload).toContain(`UID:${event}\r\n`);
    expect(all).toContain(/BEGIN:VEVENT.*END:VEVENT/s.exec(payload)![0]);
    expect(payload).not.toMatch(/NAME:|Other/);
    expect(headers).toMatchObject({
      'content-type': 'text/calendar; charset=utf-8',
      'content-disposition': `inline; filename="${owner.name}.ics"`,
      'cache-control': 'no-cache',
    });
    const head = await get(event!, 'HEAD');
    expect([head.statusCode, head.headers.etag, head.payload]).toEqual([200, headers.etag, '']);
    const expectUnknown = async (...ids: string[]) => {
      for (const id of ids) expect([id, (await get(id)).statusCode]).toEqual([id, 404]);
    };
    await expectUnknown(text!, undated!, randomUUID(), 'x');
    await save(false);
    await expectUnknown(event!);
    await save(true);
    expect((await get(event!)).statusCode).toBe(200);
    await site.toggleSiteVisibility();
    await expectUnknown(event!);
  });

  it('the files of a page have the time of the last change of each event', async () => {
    const ids = [randomUUID(), randomUUID()];
    const save = (...titles: string[]) =>
      account.client.site.updateSiteConfiguration({
        blocks: titles.map((title, index) => ({ ...EVENT, type: 'event', id: ids[index]!, title })),
      });
    const readTimes = async () => {
      const { payload } = await server.app.inject('/@jane-doe/feed.xml');
      const calendar = (await server.app.inject('/@jane-doe/events.ics')).payload;
      return ids.map((id) => {
        const time = new RegExp(`${id}</id>.*?<updated>(.*?)<`, 's').exec(payload)![1]!;
        const stamp = time.replaceAll(/[-:]|\.\d+/g, '');
        expect(calendar).toContain(`UID:${id}\r\nDTSTAMP:${stamp}\r\n`);
        return time;
      });
    };
    await save('a', 'b');
    const before = await readTimes();
    await save('a', 'c');
    const after = await readTimes();
    expect([after[0] === before[0], after[1]! > before[1]!]).toEqual([true, true]);
  });
});
