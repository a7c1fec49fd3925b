import type { THEMES } from '#contract/themes.ts';
import { t } from '#dashboard/translate.ts';
import type { Site } from './site.ts';

/** The first such weekday at least `weeks` weeks from now. From hour 24 on it is the next day. */
export interface TemplateDate {
  weeks: number;
  weekday: number;
  from: number;
  until?: number;
}

/** A block without an id. It gets one when the template is applied. */
export type TemplateBlock = { type: string; at?: TemplateDate } & Record<string, unknown>;

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
const event = (
  title: string,
  location: string,
  at: TemplateDate,
  extraFields: object = {},
): TemplateBlock => ({ type: 'event', title, at, location, ...extraFields });

const FRIDAY = 5;
const SATURDAY = 6;

export const TEMPLATES: readonly Template[] = [
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
      event(t('Open day at the boathouse'), t('Boathouse'), {
        weeks: 3,
        weekday: SATURDAY,
        from: 10,
        until: 14,
      }),
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
      event(t('Open studio'), t('Rua das Flores 12, Porto'), {
        weeks: 3,
        weekday: SATURDAY,
        from: 11,
        until: 17,
      }),
      quote(t('The mug everybody reaches for first.'), t('Marta, who owns four')),
      faq(
        [t('Can it go in the dishwasher?'), t('Yes, and in the oven. Avoid sudden cold.')],
        [t('Do you ship?'), t('Every Monday, within Europe. What breaks on the way is replaced.')],
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
      {
        type: 'countdown',
        title: t('Undertow, the album'),
        at: { weeks: 6, weekday: FRIDAY, from: 0 },
      },
      {
        type: 'embed',
        url: 'https://example.com/watch',
        title: t('Salt on the Windows, live at the boathouse'),
      },
      heading(t('On tour')),
      event(
        t('Gothenburg'),
        'Magasin 9',
        { weeks: 4, weekday: FRIDAY, from: 20, until: 23 },
        {
          url: 'https://example.com/gothenburg',
        },
      ),
      event(
        t('Copenhagen'),
        'Kanalhuset',
        { weeks: 5, weekday: SATURDAY, from: 20, until: 23 },
        {
          url: 'https://example.com/copenhagen',
        },
      ),
      event(
        'Hamburg',
        'Elbkeller',
        { weeks: 7, weekday: FRIDAY, from: 20, until: 23 },
        { url: 'https://example.com/hamburg' },
      ),
      link(t('Merch'), t('Shirts, tapes and one tea towel'), halfWidth('shopping-bag')),
      link(t('Newsletter'), t('Four letters a year'), halfWidth('mail')),
      text(t('Booking: [booking@example.com](mailto:booking@example.com)')),
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
      link(t('Gift cards'), t('When you cannot decide'), halfWidth('gift')),
      heading(t('Opening hours')),
      text(
        t(
          'Tuesday to Friday, 9 to 6  \nSaturday, 8 to 4  \nSunday and Monday we are in the fields.',
        ),
      ),
      event(
        t('Wreath evening'),
        t('In the shop'),
        { weeks: 3, weekday: FRIDAY, from: 18, until: 21 },
        {
          url: 'https://example.com/wreaths',
        },
      ),
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
      event(t('Open day'), t('Clubhouse'), { weeks: 2, weekday: SATURDAY, from: 10, until: 13 }),
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
    id: 'empty',
    name: t('Empty page'),
    description: t('Start over without blocks.'),
    theme: null,
    site: { bio: null, location: null, mood: null },
    blocks: [],
  },
];
