import { DAY_MS } from '#contract/shared/durations.ts';
import type { THEMES } from '#contract/themes.ts';
import { t } from '#dashboard/translate.ts';
import type { Site } from './site.ts';

/** A block without an id. It gets one when the template is applied. */
type TemplateBlock = { type: string } & Record<string, unknown>;

export interface Template {
  id: string;
  name: string;
  description: string;
  /** Name of a preset theme. Null is the default theme. */
  theme: (typeof THEMES)[number]['name'] | null;
  site: Pick<Site, 'bio' | 'location' | 'mood'>;
  blocks: TemplateBlock[];
}

const link = (title: string, description: string, extraFields: object = {}): TemplateBlock => ({
  type: 'link',
  url: `https://example.com/${title
    .toLowerCase()
    .replace(/[^\p{L}]+/gu, '-')
    .replace(/^-|-$/g, '')}`,
  title,
  description,
  ...extraFields,
});
const FEATURED = { featured: true };
const halfWidth = (icon: string) => ({ half: true, icon });
const heading = (content: string): TemplateBlock => ({ type: 'heading', content });
const text = (content: string): TemplateBlock => ({ type: 'text', content });
const quote = (content: string, cite: string): TemplateBlock => ({ type: 'quote', content, cite });
const faq = (...items: [question: string, answer: string][]): TemplateBlock => ({
  type: 'faq',
  items: items.map(([question, answer]) => ({ question, answer })),
});
const social = (...items: [icon: string, label: string][]): TemplateBlock => ({
  type: 'social',
  items: items.map(([icon, label]) => ({
    label,
    icon,
    url: icon === 'mail' ? 'mailto:hello@example.com' : `https://example.com/${icon}`,
  })),
});

const [FRIDAY, SATURDAY] = [5, 6] as const;

/** Creates the templates. Their dates are in the weeks after `now`, in the browser's time zone. */
export function templatesAt(now: Date): Template[] {
  const time_zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  /** The first such weekday at least `weeks` weeks from now. Hours from 24 on are the next day. */
  const dateOn = (weeks: number, weekday: number, hour: number): string => {
    const date = new Date(now.getTime() + weeks * 7 * DAY_MS);
    date.setDate(date.getDate() + ((weekday - date.getDay() + 7) % 7));
    date.setHours(hour, 0, 0, 0);
    return date.toISOString();
  };
  const event = (
    title: string,
    location: string,
    [weeks, weekday, from, until]: [number, number, number, number],
    extra: object = {},
  ): TemplateBlock => ({
    type: 'event',
    title,
    starts_at: dateOn(weeks, weekday, from),
    ends_at: dateOn(weeks, weekday, until),
    time_zone,
    location,
    ...extra,
  });
  const countdown = (title: string, starts_at: string): TemplateBlock => ({
    type: 'countdown',
    title,
    starts_at,
    time_zone,
  });
  return [
    {
      id: 'member',
      name: t('template|Member'),
      description: t('Who you are in your club, and how to reach you.'),
      theme: 'Daylight',
      site: {
        bio: t('In the club since 2019. I keep the boats dry and the coffee hot.'),
        location: t('Alder Valley'),
        mood: '☕',
      },
      blocks: [
        text(
          t(
            '**In the club:** training on Saturdays, the summer camp, the key to the boathouse.\n\n**Ask me about** knots, trailers and the way to the lake.',
          ),
        ),
        event(t('Open day at the boathouse'), t('Boathouse'), [3, SATURDAY, 10, 14]),
        link(t('Our club'), t('Training, dates and how to join'), { icon: 'users' }),
        { type: 'contact_form', title: t('Write to me') },
      ],
    },
    {
      id: 'maker',
      name: t('Maker'),
      description: t('Show what you make and where to get it.'),
      theme: null,
      site: {
        bio: t('Stoneware for everyday tables, thrown in small batches and glazed with wood ash.'),
        location: t('Porto'),
        mood: '🏺',
      },
      blocks: [
        social(
          ['instagram', 'Instagram'],
          ['pinterest', 'Pinterest'],
          ['etsy', 'Etsy'],
          ['mail', t('Email')],
        ),
        link(
          t('The new batch is here'),
          t('Forty-two pieces from one firing. Each is the only one.'),
          {
            ...FEATURED,
            icon: 'shopping-bag',
          },
        ),
        link(t('Commissions'), t('Dinner sets and wedding lists'), halfWidth('brush')),
        link(t('Stockists'), t('Shops in Porto, Lisbon and Ghent'), halfWidth('store')),
        event(t('Open studio'), t('Rua das Flores 12, Porto'), [3, SATURDAY, 11, 17]),
        quote(t('The mug everybody reaches for first.'), t('Marta, who owns four')),
        faq(
          [t('Can it go in the dishwasher?'), t('Yes, and in the oven. Avoid sudden cold.')],
          [
            t('Do you ship?'),
            t('Every Monday, within Europe. What breaks on the way is replaced.'),
          ],
          [t('How long does a commission take?'), t('Eight weeks: clay needs time to dry.')],
        ),
      ],
    },
    {
      id: 'musician',
      name: t('Musician'),
      description: t('Your latest release, tour dates and videos.'),
      theme: 'Midnight',
      site: {
        bio: t(
          'Dream pop from a converted boathouse. Two voices, one drum machine, too many pedals.',
        ),
        location: t('Gothenburg'),
        mood: '🌊',
      },
      blocks: [
        social(
          ['spotify', 'Spotify'],
          ['applemusic', 'Apple Music'],
          ['bandcamp', 'Bandcamp'],
          ['youtube', 'YouTube'],
          ['instagram', 'Instagram'],
        ),
        link(t('Salt on the Windows'), t('The new single, out now'), {
          ...FEATURED,
          icon: 'music',
        }),
        countdown(t('Undertow, the album'), dateOn(6, FRIDAY, 0)),
        {
          type: 'embed',
          url: 'https://example.com/watch',
          title: t('Salt on the Windows, live at the boathouse'),
        },
        heading(t('On tour')),
        event(t('Gothenburg'), 'Magasin 9', [4, FRIDAY, 20, 23], {
          url: 'https://example.com/gothenburg',
        }),
        event(t('Copenhagen'), 'Kanalhuset', [5, SATURDAY, 20, 23], {
          url: 'https://example.com/copenhagen',
        }),
        event('Hamburg', 'Elbkeller', [7, FRIDAY, 20, 23], { url: 'https://example.com/hamburg' }),
        link(t('Merch'), t('Shirts, tapes and one tea towel'), halfWidth('shopping-bag')),
        link(t('Newsletter'), t('Four letters a year'), halfWidth('mail')),
        text(t('Booking: [booking@example.com](mailto:booking@example.com)')),
      ],
    },
    {
      id: 'developer',
      name: t('Developer'),
      description: t('Projects, writing and how to reach you.'),
      theme: 'Terminal',
      site: {
        bio: t(
          'I build small tools that do one thing and then get out of the way. Databases by day, terminal toys by night.',
        ),
        location: t('Leeds'),
        mood: '🧰',
      },
      blocks: [
        social(
          ['github', 'GitHub'],
          ['mastodon', 'Mastodon'],
          ['stackoverflow', 'Stack Overflow'],
          ['mail', t('Email')],
        ),
        heading(t('Projects')),
        link('portly', t('Tells you what has your port, and since when'), { icon: 'terminal' }),
        link('slowlog', t('The ten queries worth fixing, every Monday'), { icon: 'code' }),
        link('paperclip', t('Backups that are plain folders'), { icon: 'folder' }),
        {
          type: 'code',
          title: t('Try one'),
          language: 'sh',
          content: '$ npx portly 3000\nnode, since Tuesday\nStop it? [y/N]',
        },
        heading(t('Writing')),
        link(t('Your index is not used, and that is fine'), t('8 minutes'), { icon: 'file-text' }),
        link(t('A year without a framework'), t('12 minutes'), { icon: 'file-text' }),
        link(t('What I learned from deleting a cache'), t('6 minutes'), { icon: 'file-text' }),
        heading(t('Now')),
        text(
          t(
            'Looking after PostgreSQL at a railway company. Two days a month are free: [write to me](mailto:sam@example.com) and say what is slow.',
          ),
        ),
      ],
    },
    {
      id: 'writer',
      name: t('Writer'),
      description: t('Your book, your essays and your readings.'),
      theme: 'Paper',
      site: {
        bio: t('Novels about rivers, borders and the people who cross them.'),
        location: t('Budapest'),
        mood: '🖋️',
      },
      blocks: [
        social(['instagram', 'Instagram'], ['goodreads', 'Goodreads'], ['substack', 'Substack']),
        link(t('The Ferryman’s Daughter'), t('A novel. In bookshops now'), {
          ...FEATURED,
          icon: 'book-open',
        }),
        quote(t('Quiet, exact and impossible to leave unfinished.'), t('The Example Review')),
        heading(t('Read')),
        link(t('The first chapter'), t('Eleven pages, no sign-up'), { icon: 'file-text' }),
        link(t('Essays'), t('On translation, ferries and bad maps'), { icon: 'newspaper' }),
        link(t('A letter a month'), t('What I read, and what I crossed out'), { icon: 'mail' }),
        heading(t('Readings')),
        event(t('With Júlia Szabó'), t('The Blue Bookshop, Budapest'), [2, FRIDAY, 19, 21]),
        event(t('Border stories'), t('House of Letters, Vienna'), [6, SATURDAY, 18, 20], {
          url: 'https://example.com/vienna',
        }),
        text(
          t(
            'Rights and invitations: [Lind & Partners](https://example.com/agent). Everything else: [edith@example.com](mailto:edith@example.com).',
          ),
        ),
      ],
    },
    {
      id: 'shop',
      name: t('template|Shop'),
      description: t('What is new, opening hours and the way to you.'),
      theme: 'Blossom',
      site: {
        bio: t('Flowers from fields within thirty miles, tied while you wait.'),
        location: t('Frome'),
        mood: '🌷',
      },
      blocks: [
        social(['instagram', 'Instagram'], ['whatsapp', 'WhatsApp'], ['googlemaps', 'Google Maps']),
        link(t('Bouquet of the week'), t('Order by Thursday, collect on Friday'), {
          ...FEATURED,
          icon: 'flower',
        }),
        link(t('Weddings'), t('From buttonhole to marquee'), halfWidth('heart')),
        link(t('Gift cards'), t('For those who like to choose'), halfWidth('gift')),
        heading(t('Opening hours')),
        text(
          t(
            'Tuesday to Friday, 9 to 6  \nSaturday, 8 to 4  \nSunday and Monday we are in the fields.',
          ),
        ),
        event(t('Wreath evening'), t('In the shop'), [3, FRIDAY, 18, 21], {
          url: 'https://example.com/wreaths',
        }),
        faq(
          [t('Do you deliver?'), t('By bicycle, within five miles, until four o’clock.')],
          [t('Where do the flowers grow?'), t('At four farms. Their names are on every label.')],
        ),
        {
          type: 'contact',
          email: 'hello@example.com',
          phone: t('+44 1632 960123'),
          address: t('14 Mill Lane\nFrome'),
        },
      ],
    },
    {
      id: 'organization',
      name: t('Organization'),
      description: t('What you do, and how people can join.'),
      theme: 'Daylight',
      site: {
        bio: t('Two hundred people of all ages, one clubhouse and a full calendar.'),
        location: t('Alder Valley'),
        mood: '👋',
      },
      blocks: [
        social(['facebook', 'Facebook'], ['instagram', 'Instagram'], ['mastodon', 'Mastodon']),
        link(t('Come and try it'), t('Every Saturday at ten'), { ...FEATURED, icon: 'users' }),
        link(t('Become a member'), t('Twelve pounds a year'), halfWidth('heart')),
        link(t('Our groups'), t('Who meets when'), halfWidth('calendar')),
        event(t('Open day'), t('Clubhouse'), [2, SATURDAY, 10, 13]),
        heading(t('Last year')),
        text(t('- 14 new members\n- 9 trips together\n- a new roof for the clubhouse')),
        quote(t('I came for an hour and stayed for six years.'), t('Hannah, treasurer')),
        faq(
          [t('Can children come?'), t('Yes, from the age of six.')],
          [t('Do I need experience?'), t('No. We show you everything.')],
        ),
        { type: 'contact', email: 'hello@example.com', phone: t('+44 1632 960456') },
      ],
    },
    {
      id: 'event',
      name: t('template|Event'),
      description: t('A date, tickets, the programme and the way there.'),
      theme: 'Ember',
      site: {
        bio: t(
          'Three stages, twenty-two acts, one old tram depot. A night of electronic music and very good soup.',
        ),
        location: t('Tram Depot, Leipzig'),
        mood: '🌃',
      },
      blocks: [
        social(['instagram', 'Instagram'], ['soundcloud', 'SoundCloud'], ['telegram', 'Telegram']),
        countdown(t('Until the doors open'), dateOn(8, SATURDAY, 20)),
        link(t('Get tickets'), t('28 euros, half for under 25s'), { ...FEATURED, icon: 'ticket' }),
        event(t('Nightshift'), t('Tram Depot, Leipzig'), [8, SATURDAY, 20, 28], {
          url: 'https://example.com/tickets',
        }),
        link(t('Line-up'), t('Who plays where'), halfWidth('music')),
        link(t('Getting there'), t('Tram 11, all night'), halfWidth('map')),
        heading(t('Programme')),
        text(
          t(
            '- **20:00** Doors, soup, vinyl\n- **21:30** Main hall opens\n- **00:00** Everything at once\n- **04:00** Last tram, last song',
          ),
        ),
        faq(
          [t('Is there an age limit?'), t('Eighteen. Bring photo ID.')],
          [t('Can I give my ticket back?'), t('Until a week before, for the full price.')],
          [t('Is it accessible?'), t('All three stages are step-free. Companions come in free.')],
        ),
      ],
    },
    {
      id: 'podcast',
      name: t('Podcast'),
      description: t('Where to listen, and where to begin.'),
      theme: 'Meadow',
      site: {
        bio: t(
          'Two friends, one long breakfast, and the question of what makes a neighbourhood work. Every other Tuesday.',
        ),
        location: t('Rotterdam'),
        mood: '🥐',
      },
      blocks: [
        social(
          ['applepodcasts', 'Apple Podcasts'],
          ['spotify', 'Spotify'],
          ['pocketcasts', 'Pocket Casts'],
          ['youtube', 'YouTube'],
          ['rss', 'RSS'],
        ),
        link(t('The bench that started a war'), t('The latest episode, 48 minutes'), {
          ...FEATURED,
          icon: 'headphones',
        }),
        quote(t('The only podcast I listen to at normal speed.'), t('A review')),
        heading(t('Start here')),
        link(t('Who owns a pavement?'), t('Episode 12, 41 minutes'), { icon: 'mic' }),
        link(t('The baker, the mosque and the car park'), t('Episode 27, 52 minutes'), {
          icon: 'mic',
        }),
        link(t('We counted every tree'), t('Episode 31, 37 minutes'), { icon: 'mic' }),
        event(t('Breakfast, live'), t('The Old Cinema, Rotterdam'), [5, SATURDAY, 11, 13], {
          url: 'https://example.com/live',
        }),
        link(t('Support the show'), t('Three euros a month, no extras'), halfWidth('coffee')),
        link(t('Newsletter'), t('One picture, one link'), halfWidth('mail')),
        text(
          t('Something odd in your street? [Send us a voice message](mailto:hello@example.com).'),
        ),
      ],
    },
    {
      id: 'empty',
      name: t('Empty page'),
      description: t('Start over without blocks.'),
      theme: null,
      site: { bio: null, location: null, mood: null },
      blocks: [],
    },
  ];
}
