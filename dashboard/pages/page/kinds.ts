import { LIMITS } from '../../../contract/limits.ts';

/** A field of a block, as its form shows it. */
export interface BlockField {
  name: string;
  label: string;
  hint?: string;
  kind:
    | 'text'
    | 'area'
    | 'url'
    | 'time'
    | 'zone'
    | 'flag'
    | 'number'
    | 'choice'
    | 'project'
    | 'metric'
    | 'links';
  options?: readonly (readonly [value: string, label: string])[];
  /** Value of a flag that was never set. */
  usually?: boolean;
  maxLength?: number;
}

interface Kind {
  title: string;
  /** What a new one holds. */
  start?: Readonly<Record<string, unknown>>;
  fields: readonly BlockField[];
}

type More = Partial<Omit<BlockField, 'name' | 'label' | 'kind'>>;

function field(kind: BlockField['kind'], name: string, label: string, more: More = {}): BlockField {
  return { kind, name, label, ...more };
}

const LONG = { maxLength: LIMITS.blockContent };
const ADDRESS = field('url', 'url', 'Address');
const TITLE = field('text', 'title', 'Title');
const TIME_ZONE = field('zone', 'time_zone', 'Time zone', {
  hint: 'The page shows the time in this zone.',
});
/** The time zone of the browser. */
const OWN_ZONE = { time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone };

/** The kinds of blocks that pages know, in the order in which they are offered. */
export const KINDS: Readonly<Record<string, Kind>> = {
  link: {
    title: 'Link',
    start: { url: '' },
    fields: [
      ADDRESS,
      TITLE,
      field('text', 'description', 'Description'),
      field('text', 'icon', 'Icon', { hint: 'One to three emoji.' }),
      field('flag', 'me', 'This is me: others may take both ends for the same person', {
        usually: true,
      }),
      field('time', 'from', 'Shown from'),
      field('time', 'until', 'Shown until'),
    ],
  },
  text: {
    title: 'Text',
    start: { content: '' },
    fields: [
      field('area', 'content', 'Text', {
        ...LONG,
        hint: 'Markdown: *emphasis*, [links](https://…), lists, quotes.',
      }),
    ],
  },
  heading: { title: 'Heading', fields: [field('text', 'content', 'Heading', LONG)] },
  social: {
    title: 'Social links',
    start: { items: [] },
    fields: [field('links', 'items', 'Links')],
  },
  image: {
    title: 'Image',
    fields: [
      ADDRESS,
      field('text', 'alt', 'What it shows', { hint: 'For those who do not see it.' }),
      field('text', 'caption', 'Caption'),
      field('url', 'link', 'Leads to'),
      field('number', 'width', 'Width in pixels'),
      field('number', 'height', 'Height in pixels'),
    ],
  },
  contact: {
    title: 'Contact',
    fields: [
      field('text', 'email', 'E-mail'),
      field('text', 'phone', 'Phone'),
      field('area', 'address', 'Address'),
      field('flag', 'forwarding', 'Show my forwarding address while mail is on'),
    ],
  },
  metric: {
    title: 'Metric',
    start: { aggregate: 'sum', display: 'sparkline', days: 30 },
    fields: [
      field('project', 'project', 'Project'),
      TITLE,
      field('metric', 'field', 'Field'),
      field('choice', 'aggregate', 'Calculation', {
        options: [
          ['sum', 'Sum'],
          ['avg', 'Average'],
          ['min', 'Lowest'],
          ['max', 'Highest'],
          ['last', 'Latest'],
          ['count', 'Count'],
        ],
      }),
      field('number', 'days', 'Days', { hint: '1 to 90.' }),
      field('choice', 'display', 'Shown as', {
        options: [
          ['sparkline', 'Line'],
          ['bars', 'Bars'],
          ['number', 'Number only'],
        ],
      }),
    ],
  },
  event: {
    title: 'Event',
    start: OWN_ZONE,
    fields: [
      TITLE,
      field('time', 'starts_at', 'Begins'),
      field('time', 'ends_at', 'Ends'),
      TIME_ZONE,
      field('text', 'location', 'Place'),
      ADDRESS,
    ],
  },
  countdown: {
    title: 'Countdown',
    start: OWN_ZONE,
    fields: [TITLE, field('time', 'starts_at', 'Until'), TIME_ZONE],
  },
  quote: {
    title: 'Quote',
    fields: [field('area', 'content', 'Quote', LONG), field('text', 'cite', 'By whom')],
  },
  faq: {
    title: 'Question',
    fields: [field('text', 'title', 'Question'), field('area', 'content', 'Answer', LONG)],
  },
  code: {
    title: 'Code',
    fields: [TITLE, field('text', 'language', 'Language'), field('area', 'content', 'Code', LONG)],
  },
  key: {
    title: 'Public key',
    fields: [field('text', 'kind', 'Kind'), field('area', 'content', 'Key', LONG)],
  },
  embed: {
    title: 'Video or audio',
    fields: [
      ADDRESS,
      TITLE,
      field('flag', 'inline', 'Play it on the page; visitors then load it from there'),
    ],
  },
  qr: {
    title: 'QR code',
    fields: [field('url', 'url', 'Address', { hint: 'Nothing: that of your page.' }), TITLE],
  },
  divider: { title: 'Line', fields: [] },
  page: {
    title: 'Options of the page',
    fields: [
      field('text', 'lang', 'Language', { hint: 'A tag like en or pt-BR.' }),
      field('text', 'pronouns', 'Pronouns'),
      field('text', 'fediverse', 'Fediverse', { hint: 'As in @jane@example.social.' }),
      field('flag', 'indexing', 'Search engines may list the page', { usually: true }),
    ],
  },
};

/** A block in a sentence, such as `Link “My shop”`. */
export function nameOfBlock(block: Readonly<Record<string, unknown>> & { type: string }): string {
  const summary = summaryOf(block);
  return summary ? `${titleOfKind(block.type)} “${summary}”` : titleOfKind(block.type);
}

/** What a kind is called; of one that pages do not know, its own name. */
export function titleOfKind(type: string): string {
  return KINDS[type]?.title ?? type;
}

const TELLING = [
  'title',
  'label',
  'question',
  'content',
  'name',
  'alt',
  'field',
  'email',
  'url',
  'lang',
];

/** What tells a block from others of its kind; of a list, its items. */
export function summaryOf(block: Readonly<Record<string, unknown>>): string {
  const found = TELLING.map((name) => block[name]).find(
    (value) => typeof value === 'string' && value.trim(),
  );
  const items: unknown[] = Array.isArray(block['items']) ? block['items'] : [];
  const words =
    typeof found === 'string'
      ? found.trim()
      : items
          .filter((item) => typeof item === 'object' && item !== null)
          .map((item) => summaryOf(item as Readonly<Record<string, unknown>>))
          .join(', ');
  return words.slice(0, 120);
}
