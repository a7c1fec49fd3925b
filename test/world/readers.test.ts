import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { utcDay } from '#contract/shared/durations.ts';
import { addPageVisits } from '#db/queries/page-visits.ts';
import { eventOf } from '#page/blocks/time.ts';
import { nextDates } from '#page/fields/event-dates.ts';
import { makeOperator } from '../support/endpoints.ts';
import { createPage } from '../support/publish-page.ts';
import { useServer } from '../support/use-server.ts';

const { server } = useServer({ PUBLIC_URL: 'https://example.org' });

/** vCard 3.0 and 4.0. */
const CARDS = ['card.vcf', 'card.vcf?version=4'];

/** Reads the files of a page, and tables, with programs from Debian. */
async function readWithOthers(
  name: string,
  tables: string[],
  { event, people = '' }: { event?: string | undefined; people?: string } = {},
) {
  const files: Record<string, unknown> = { tables, people };
  const paths = Object.fromEntries(
    [...CARDS, 'events.ics', 'feed.xml', ...(event ? [`event/${event}.ics`] : [])].map((file) => [
      file,
      `/@${name}/${file}`,
    ]),
  );
  paths[''] = `/@${name}`;
  paths['webfinger'] = `/.well-known/webfinger?resource=acct:${name}@example.org`;
  for (const [file, path] of Object.entries(paths))
    files[file] = (await server.app.inject(path)).payload;
  return runPython('read.py', files);
}

async function runPython(file: string, input: object) {
  const python = spawn('/usr/bin/python3', [`${import.meta.dirname}/${file}`]);
  python.stdin.end(JSON.stringify(input));
  const [output, problem] = await Promise.all([text(python.stdout), text(python.stderr)]);
  expect(problem).toBe('');
  return JSON.parse(output);
}

const TEXTS = [
  'Müller; Söhne',
  'Jane',
  // python3-icalendar takes an escaped backslash before n, comma or semicolon for the escape of that.
  'a, b: "c" C:\\Temp; <b>&amp;',
  'مرحبا، بالعالم؛ 🏳️‍🌈',
  '山田 太郎；花子',
  'BEGIN:VCARD',
  'é;'.repeat(100),
];

it.each(TEXTS)('address books, calendars and feed readers read %s as written', async (title) => {
  const lines = `${title}\nsecond line`;
  const times = [
    { starts_at: '2026-12-05', ends_at: '2026-12-06' },
    { starts_at: '2026-12-05T10:00', ends_at: '2026-12-06' },
  ];
  const { account, name } = await createPage(server, {
    display_name: title,
    bio: lines,
    location: title,
    avatar_url: 'https://cdn.example/jane.png?s=1',
    blocks: [
      {
        type: 'contact',
        email: 'jane@example.com',
        phone: '+49 (0)30 1234-56 ext. 7',
        address: lines,
      },
      { type: 'contact', email: title, phone: title },
      ...times.map((time) => ({
        type: 'event' as const,
        title,
        location: title,
        time_zone: 'Europe/Berlin',
        ...time,
      })),
    ],
  });
  const { blocks } = await account.client.site.getSiteConfiguration();
  const [days, timed] = blocks.slice(2).map(({ id }) => id);
  const read = await readWithOthers(name, [], { event: timed });
  const person = {
    name: title,
    given: title,
    note: lines,
    photo: 'https://cdn.example/jane.png?s=1',
    urls: [`https://example.org/@${name}`],
    phones: ['+4930123456,7', title],
    emails: ['jane@example.com', title],
    addresses: [
      ['', title],
      [lines, ''],
    ],
  };
  expect(read).toMatchObject({
    cards: ['3.0', '4.0'].map((version) => ({
      vobject: { version, ...person },
      GNOME: person,
    })),
    openGraph: { 'og:title': title, 'og:url': `https://example.org/@${name}` },
    webFinger: [`https://example.org/@${name}`],
    feed: title,
    feedError: '',
  });
  const timedEvent = {
    uid: timed,
    title,
    place: title,
    starts: '2026-12-05T09:00:00+00:00',
    ends: '2026-12-06T23:00:00+00:00',
  };
  expect(read.events).toMatchObject([
    { uid: days, title, place: title, starts: '2026-12-05', ends: '2026-12-07' },
    timedEvent,
    timedEvent,
  ]);
  expect(read.entries).toMatchObject(
    [days, timed].map((id) => ({
      id: `urn:uuid:${id}`,
      title,
      link: `https://example.org/@${name}`,
    })),
  );
});

const LEFT_OUT: Record<string, string[]> = {
  weekly: ['2026-12-24', '2026-12-31', '2027-04-01'],
  two_weeks: ['2026-12-29', '2027-04-06'],
  monthly: ['2026-12-31'],
};

it.each(['Europe/Berlin', 'America/New_York', 'Asia/Jerusalem', 'UTC'])(
  'calendars find the next twenty dates of repeating events in %s, without those left out',
  async (time_zone) => {
    const repeating = [
      { repeats: 'weekly', starts_at: '2016-10-20T19:00', ends_at: '2016-10-20T21:00' },
      { repeats: 'two_weeks', starts_at: '2026-10-20T02:30' },
      { repeats: 'monthly', starts_at: '2016-08-31' },
      { repeats: 'monthly_weekday', starts_at: '2016-10-30T09:00', repeats_until: '2027-10-31' },
      { repeats: 'yearly', starts_at: '2016-02-29T19:00' },
    ] as const;
    const events = repeating.map((event) => ({
      ...event,
      type: 'event' as const,
      title: event.repeats,
      repeats_except: LEFT_OUT[event.repeats],
      time_zone,
    }));
    const { name } = await createPage(server, { blocks: events });
    const calendar = (await server.app.inject(`/@${name}/events.ics`)).payload;
    const request = { calendar, from: '2026-11-28', days: 8 * 365, zone: time_zone };
    const read: Record<string, string[]> = await runPython('dates.py', request);
    for (const [program, dates] of Object.entries(read))
      for (const event of events) {
        const expected = nextDates(eventOf(event)!, new Date('2026-11-28T12:00Z'), 20)
          .map(({ start }) => new Date(start.wallClock).toISOString())
          .map((date) => date.slice(0, event.starts_at.length).replace('T', ' '))
          .filter((date) => date < '2034-11');
        const found = dates
          .filter((line) => line.startsWith(`${event.title} `))
          .map((line) => line.slice(event.title.length + 1))
          .toSorted();
        expect([program, event.title, found.slice(0, expected.length)]).toEqual([
          program,
          event.title,
          expected,
        ]);
      }
  },
);

it('programs that read tables find the values as they are stored', async () => {
  const { account, name } = await createPage(server, {
    bio: 'x',
    location: 'x',
    avatar_url: 'https://cdn.example/x.png',
    blocks: [{ type: 'contact', email: 'jane@example.com', phone: '112' }],
  });
  await makeOperator(server, account);
  const owner = account.owner;
  const projectId = await server.createProject(account);
  const payload = { text: TEXTS.join('\r\n') };
  await account.client.stats.ingestMetrics({ projectId, payload });
  const [day, value] = [utcDay(), 'https://example.com/a,b;"c"'];
  await addPageVisits(server.db, [{ accountId: account.id, kind: 'link', day, value, count: 3 }]);
  const person = 'Müller; "Söhne" مرحبا';
  const { links_csv } = await owner.invitations.createInvitations({
    csv: `name,email\n"${person.replaceAll('"', '""')}",jane@example.com\n`,
    mail: false,
  });
  const { tables } = await readWithOthers(name, [
    await (await owner.metrics.exportMetrics({ project_id: projectId, format: 'csv' })).text(),
    await (await owner.visitors.exportVisitors()).text(),
    links_csv!,
  ]);
  const [metrics, visits, members] = tables as string[][][];
  expect(JSON.parse(metrics![1]![2]!)).toEqual(payload);
  expect(visits).toContainEqual(['link', day, value, '3']);
  expect(members![1]!.slice(0, 2)).toEqual([person, 'jane@example.com']);
});

it('spreadsheets and address books read the list of members', async () => {
  const { account, name } = await createPage(server, {
    display_name: 'x',
    bio: 'x',
    location: 'x',
    avatar_url: 'https://cdn.example/x.png',
    blocks: [{ type: 'contact', email: 'jane@example.com', phone: '112' }],
  });
  await makeOperator(server, account);
  const names = [...TEXTS.map((title) => title.slice(0, 100)), 'Jörg', '=1+1'];
  for (const [index, title] of names.entries()) {
    const { id } = await server.createAccount();
    await server.sql`INSERT INTO sites (account_id, display_name) VALUES (${id}, ${title})`;
    await server.sql`UPDATE forwarding_settings SET login_email = ${`m${index}@list.org`}
      WHERE account_id = ${id}`;
  }
  const read = async (format: 'csv' | 'vcf') =>
    (await account.owner.members.exportMembers({ format, search: '@list.org' })).text();
  const { people, tables } = await readWithOthers(name, [await read('csv')], {
    people: await read('vcf'),
  });
  const emails = names.map((_name, index) => `m${index}@list.org`);
  expect(people).toEqual({
    vobject: names.map((title, index) => [title, title, emails[index]]).toReversed(),
    GNOME: names.map((title, index) => [title, title, emails[index]]).toReversed(),
  });
  const cells = names.map((title) => (title.startsWith('=') ? `'${title}` : title));
  expect(tables[0].slice(1).map((row: string[]) => row.slice(0, 2))).toEqual(
    cells.map((title, index) => [title, emails[index]]).toReversed(),
  );
});
