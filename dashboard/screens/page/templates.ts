import { DAY_MS } from '#contract/durations.ts';
import type { THEMES } from '#contract/themes.ts';
import type { Site } from './site.ts';

/** A block without an id. It gets one when the template is applied. */
type TemplateBlock = { type: string } & Record<string, unknown>;

export interface Template {
  id: string;
  name: string;
  description: string;
  /** Name of a preset theme. Null is the default theme. */
  theme: (typeof THEMES)[number]['name'] | null;
  site: Pick<Site, 'display_name' | 'bio' | 'location' | 'mood'>;
  blocks: TemplateBlock[];
}

const link = (title: string, description: string, extraFields: object = {}): TemplateBlock => ({
  type: 'link',
  url: `https://example.com/${title
    .toLowerCase()
    .replace(/[^a-z]+/g, '-')
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
      id: 'maker',
      name: 'Maker',
      description: 'Show what you make and where to get it.',
      theme: null,
      site: {
        display_name: 'Ines Moreau',
        bio: 'Stoneware for everyday tables, thrown in small batches and glazed with wood ash.',
        location: 'Porto',
        mood: '🏺',
      },
      blocks: [
        social(
          ['instagram', 'Instagram'],
          ['pinterest', 'Pinterest'],
          ['etsy', 'Etsy'],
          ['mail', 'Email'],
        ),
        link('The new batch is here', 'Forty-two pieces from one firing. Each is the only one.', {
          ...FEATURED,
          icon: 'shopping-bag',
        }),
        link('Commissions', 'Dinner sets and wedding lists', halfWidth('brush')),
        link('Stockists', 'Shops in Porto, Lisbon and Ghent', halfWidth('store')),
        event('Open studio', 'Rua das Flores 12, Porto', [3, SATURDAY, 11, 17]),
        quote('The mug everybody reaches for first.', 'Marta, who owns four'),
        faq(
          ['Can it go in the dishwasher?', 'Yes, and in the oven. Avoid sudden cold.'],
          ['Do you ship?', 'Every Monday, within Europe. What breaks on the way is replaced.'],
          ['How long does a commission take?', 'Eight weeks: clay needs time to dry.'],
        ),
      ],
    },
    {
      id: 'musician',
      name: 'Musician',
      description: 'Your latest release, tour dates and videos.',
      theme: 'Midnight',
      site: {
        display_name: 'Low Tide Radio',
        bio: 'Dream pop from a converted boathouse. Two voices, one drum machine, too many pedals.',
        location: 'Gothenburg',
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
        link('Salt on the Windows', 'The new single, out now', { ...FEATURED, icon: 'music' }),
        countdown('Undertow, the album', dateOn(6, FRIDAY, 0)),
        {
          type: 'embed',
          url: 'https://example.com/watch',
          title: 'Salt on the Windows, live at the boathouse',
        },
        heading('On tour'),
        event('Gothenburg', 'Magasin 9', [4, FRIDAY, 20, 23], {
          url: 'https://example.com/gothenburg',
        }),
        event('Copenhagen', 'Kanalhuset', [5, SATURDAY, 20, 23], {
          url: 'https://example.com/copenhagen',
        }),
        event('Hamburg', 'Elbkeller', [7, FRIDAY, 20, 23], { url: 'https://example.com/hamburg' }),
        link('Merch', 'Shirts, tapes and one tea towel', halfWidth('shopping-bag')),
        link('Newsletter', 'Four letters a year', halfWidth('mail')),
        text('Booking: [booking@example.com](mailto:booking@example.com)'),
      ],
    },
    {
      id: 'developer',
      name: 'Developer',
      description: 'Projects, writing and how to reach you.',
      theme: 'Terminal',
      site: {
        display_name: 'Sam Okoye',
        bio: 'I build small tools that do one thing and then get out of the way. Databases by day, terminal toys by night.',
        location: 'Leeds',
        mood: '🧰',
      },
      blocks: [
        social(
          ['github', 'GitHub'],
          ['mastodon', 'Mastodon'],
          ['stackoverflow', 'Stack Overflow'],
          ['mail', 'Email'],
        ),
        heading('Projects'),
        link('portly', 'Tells you what has your port, and since when', { icon: 'terminal' }),
        link('slowlog', 'The ten queries worth fixing, every Monday', { icon: 'code' }),
        link('paperclip', 'Backups that are plain folders', { icon: 'folder' }),
        {
          type: 'code',
          title: 'Try one',
          language: 'sh',
          content: '$ npx portly 3000\nnode, since Tuesday\nStop it? [y/N]',
        },
        heading('Writing'),
        link('Your index is not used, and that is fine', '8 minutes', { icon: 'file-text' }),
        link('A year without a framework', '12 minutes', { icon: 'file-text' }),
        link('What I learned from deleting a cache', '6 minutes', { icon: 'file-text' }),
        heading('Now'),
        text(
          'Looking after PostgreSQL at a railway company. Two days a month are free: [write to me](mailto:sam@example.com) and say what is slow.',
        ),
      ],
    },
    {
      id: 'writer',
      name: 'Writer',
      description: 'Your book, your essays and your readings.',
      theme: 'Paper',
      site: {
        display_name: 'Edith Varga',
        bio: 'Novels about rivers, borders and the people who cross them.',
        location: 'Budapest',
        mood: '🖋️',
      },
      blocks: [
        social(['instagram', 'Instagram'], ['goodreads', 'Goodreads'], ['substack', 'Substack']),
        link('The Ferryman’s Daughter', 'A novel. In bookshops now', {
          ...FEATURED,
          icon: 'book-open',
        }),
        quote('Quiet, exact and impossible to leave unfinished.', 'The Example Review'),
        heading('Read'),
        link('The first chapter', 'Eleven pages, no sign-up', { icon: 'file-text' }),
        link('Essays', 'On translation, ferries and bad maps', { icon: 'newspaper' }),
        link('A letter a month', 'What I read, and what I crossed out', { icon: 'mail' }),
        heading('Readings'),
        event('With Júlia Szabó', 'The Blue Bookshop, Budapest', [2, FRIDAY, 19, 21]),
        event('Border stories', 'House of Letters, Vienna', [6, SATURDAY, 18, 20], {
          url: 'https://example.com/vienna',
        }),
        text(
          'Rights and invitations: [Lind & Partners](https://example.com/agent). Everything else: [edith@example.com](mailto:edith@example.com).',
        ),
      ],
    },
    {
      id: 'shop',
      name: 'Shop',
      description: 'What is new, opening hours and the way to you.',
      theme: 'Blossom',
      site: {
        display_name: 'Fern Hill Flowers',
        bio: 'Flowers from fields within thirty miles, tied while you wait.',
        location: 'Frome',
        mood: '🌷',
      },
      blocks: [
        social(['instagram', 'Instagram'], ['whatsapp', 'WhatsApp'], ['googlemaps', 'Google Maps']),
        link('Bouquet of the week', 'Order by Thursday, collect on Friday', {
          ...FEATURED,
          icon: 'flower',
        }),
        link('Weddings', 'From buttonhole to marquee', halfWidth('heart')),
        link('Gift cards', 'For those who like to choose', halfWidth('gift')),
        heading('Opening hours'),
        text(
          'Tuesday to Friday, 9 to 6  \nSaturday, 8 to 4  \nSunday and Monday we are in the fields.',
        ),
        event('Wreath evening', 'In the shop', [3, FRIDAY, 18, 21], {
          url: 'https://example.com/wreaths',
        }),
        faq(
          ['Do you deliver?', 'By bicycle, within five miles, until four o’clock.'],
          ['Where do the flowers grow?', 'At four farms. Their names are on every label.'],
        ),
        {
          type: 'contact',
          email: 'hello@example.com',
          phone: '+44 1632 960123',
          address: '14 Mill Lane\nFrome',
        },
      ],
    },
    {
      id: 'organisation',
      name: 'Organisation',
      description: 'What you do, and how people can join.',
      theme: 'Meadow',
      site: {
        display_name: 'Alder Brook Trust',
        bio: 'Two hundred neighbours who plant trees, mend paths and count kingfishers along four miles of river.',
        location: 'Alder Valley',
        mood: '🌳',
      },
      blocks: [
        social(['facebook', 'Facebook'], ['instagram', 'Instagram'], ['mastodon', 'Mastodon']),
        link('Come to a work day', 'Every second Saturday. Gloves and cake provided', {
          ...FEATURED,
          icon: 'leaf',
        }),
        link('Become a member', 'Twelve pounds a year', halfWidth('users')),
        link('Give once', 'Ten pounds plant three trees', halfWidth('hand-heart')),
        event('River clean-up', 'Meet at the old mill', [2, SATURDAY, 10, 13]),
        heading('Last year'),
        text(
          '- 1,140 trees planted\n- 3 tonnes of rubbish out of the water\n- 17 kingfishers, up from 11',
        ),
        quote(
          'I came for an hour and stayed for six years.',
          'Hannah, who looks after the lower bank',
        ),
        faq(
          ['Can children come?', 'Please bring them, and stay with them near the water.'],
          ['Do I need to be fit?', 'No. There is always tea to make and a map to draw.'],
        ),
        { type: 'contact', email: 'hello@example.com', phone: '+44 1632 960456' },
      ],
    },
    {
      id: 'event',
      name: 'Event',
      description: 'A date, tickets, the programme and the way there.',
      theme: 'Ember',
      site: {
        display_name: 'Nightshift',
        bio: 'Three stages, twenty-two acts, one old tram depot. A night of electronic music and very good soup.',
        location: 'Tram Depot, Leipzig',
        mood: '🌃',
      },
      blocks: [
        social(['instagram', 'Instagram'], ['soundcloud', 'SoundCloud'], ['telegram', 'Telegram']),
        countdown('Until the doors open', dateOn(8, SATURDAY, 20)),
        link('Get tickets', '28 euros, half for under 25s', { ...FEATURED, icon: 'ticket' }),
        event('Nightshift', 'Tram Depot, Leipzig', [8, SATURDAY, 20, 28], {
          url: 'https://example.com/tickets',
        }),
        link('Line-up', 'Who plays where', halfWidth('music')),
        link('Getting there', 'Tram 11, all night', halfWidth('map')),
        heading('Programme'),
        text(
          '- **20:00** Doors, soup, vinyl\n- **21:30** Main hall opens\n- **00:00** Everything at once\n- **04:00** Last tram, last song',
        ),
        faq(
          ['Is there an age limit?', 'Eighteen. Bring photo ID.'],
          ['Can I give my ticket back?', 'Until a week before, for the full price.'],
          ['Is it accessible?', 'All three stages are step-free. Companions come in free.'],
        ),
      ],
    },
    {
      id: 'podcast',
      name: 'Podcast',
      description: 'Where to listen, and where to begin.',
      theme: 'Daylight',
      site: {
        display_name: 'Second Breakfast',
        bio: 'Two friends, one long breakfast, and the question of what makes a neighbourhood work. Every other Tuesday.',
        location: 'Rotterdam',
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
        link('The bench that started a war', 'The latest episode, 48 minutes', {
          ...FEATURED,
          icon: 'headphones',
        }),
        quote('The only podcast I listen to at normal speed.', 'A review'),
        heading('Start here'),
        link('Who owns a pavement?', 'Episode 12, 41 minutes', { icon: 'mic' }),
        link('The baker, the mosque and the car park', 'Episode 27, 52 minutes', { icon: 'mic' }),
        link('We counted every tree', 'Episode 31, 37 minutes', { icon: 'mic' }),
        event('Breakfast, live', 'The Old Cinema, Rotterdam', [5, SATURDAY, 11, 13], {
          url: 'https://example.com/live',
        }),
        link('Support the show', 'Three euros a month, no extras', halfWidth('coffee')),
        link('Newsletter', 'One picture, one link', halfWidth('mail')),
        text('Something odd in your street? [Send us a voice message](mailto:hello@example.com).'),
      ],
    },
  ];
}
