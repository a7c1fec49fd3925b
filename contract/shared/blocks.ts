import { LIMITS } from './limits.ts';
import { PAGE_SETTINGS, type PageSettingName } from './page-settings.ts';
import { t } from './translatable.ts';

/** Decides how the page reads a field and which input the editor shows. */
export type BlockFieldType =
  /** One line. */
  | 'text'
  /** Several lines. */
  | 'lines'
  | 'markdown'
  /** An http or https address; with `allowsContact`, also an address that `isContactUrl` accepts. */
  | 'url'
  /** An icon name from `icons.ts`, one to three emoji, or `none`. */
  | 'icon'
  /** The http or https URL of a picture, uploaded to this server or elsewhere. */
  | 'picture'
  /** An ISO 8601 time. */
  | 'time'
  /** A language tag (BCP 47). */
  | 'language'
  /** A name from the IANA time zone database. */
  | 'zone'
  | 'flag'
  /** A whole number from `min` to `max`. */
  | 'number'
  /** One of `options`. */
  | 'choice'
  /** The id of one of the account's projects. */
  | 'project'
  /** Days of a repeating event. */
  | 'days'
  /** The path of a number in the metric payloads of the block's project. */
  | 'metric'
  /** A list of objects. `items` defines their fields. */
  | 'list';

export interface BlockField {
  type: BlockFieldType;
  label: string;
  /** One sentence of help text in the editor. */
  help?: string;
  /** The page does not show a block or list item that lacks this field. */
  required?: true;
  /** The page ignores the field without one of these. */
  needs?: readonly string[];
  /** The page ignores the field unless another field has one of these values. `text` says so shorter. */
  onlyFor?: { field: string; values: readonly string[]; text?: string };
  /** The page ignores a time that ends before the time in this field. */
  after?: string;
  /** Whether a time is a whole day. */
  isDay?: true;
  /** The page ignores a text that does not match. */
  pattern?: RegExp;
  /** Alternative names that the page reads if the field is absent. */
  aliases?: readonly string[];
  /** Example value for the OpenAPI documents and the SDK. */
  example?: string | number;
  default?: string | number | boolean;
  min?: number;
  /** Of a number, or the items of a list, or of days. */
  max?: number;
  /** The values of a choice with their labels. The first value is the default. */
  options?: Readonly<Record<string, string>>;
  allowsContact?: true;
  /** The noun for one item of a list, used in buttons such as "Add a link". */
  itemNoun?: string;
  itemFields?: Readonly<Record<string, BlockField>>;
  /** Only the owner sees it: it is left out of everything public. */
  isPrivate?: true;
}

export interface BlockDefinition {
  label: string;
  description: string;
  /** Terms that the editor's search matches, in addition to the label and description. */
  searchTerms?: string;
  fields: Readonly<Record<string, BlockField>>;
  /** The page does not show the block if it has none of these fields. */
  needsOneOf?: readonly string[];
}

const TITLE_FIELD: BlockField = { type: 'text', label: t('Title'), example: 'My shop' };
const TIME_ZONE_FIELD: BlockField = {
  type: 'zone',
  label: t('Time zone'),
  help: t('The page shows this zone.'),
  default: 'UTC',
  example: 'Europe/Lisbon',
};
const REL_ME_FIELD: BlockField = {
  type: 'flag',
  label: t('Show it as mine on Mastodon'),
  default: true,
};
const settingField = (name: PageSettingName): BlockField => ({
  type: 'choice',
  ...PAGE_SETTINGS[name],
});
const ICON_FIELD: BlockField = {
  type: 'icon',
  label: t('Icon'),
  help: t('Default: the icon of the linked service.'),
  example: 'github',
};
const CAPTIONED_PICTURE_FIELDS = {
  url: {
    type: 'picture',
    label: t('Picture'),
    required: true,
    example: 'https://example.com/mugs.jpg',
  },
  alt: {
    type: 'text',
    label: t('Alt text'),
    help: t('What the picture shows, for people who cannot see it.'),
    example: 'Three blue mugs',
  },
  caption: {
    type: 'text',
    label: t('Caption'),
    help: t('Below the picture.'),
    example: 'Fresh from the kiln',
  },
} as const satisfies Readonly<Record<string, BlockField>>;
const SIZE_FIELD: BlockField = {
  type: 'choice',
  label: t('Width on wide screens'),
  help: t('Blocks in a row grow until they fill it. Phones show one below the other.'),
  options: {
    auto: t('Automatic'),
    third: t('A third'),
    half: t('width|Half'),
    full: t('Full width'),
  },
  default: 'auto',
};
/** Types of fields in a contact form. */
export const FORM_FIELD_TYPES = {
  line: t('field|Line'),
  number: t('Number'),
  choice: t('Choice'),
  tick: t('Tick box'),
} as const;
/** How often an event repeats. */
export const EVENT_REPEATS = {
  never: t('repeats|Never'),
  weekly: t('Every week'),
  two_weeks: t('Every two weeks'),
  monthly: t('Every month, on the same day'),
  monthly_weekday: t('Every month, on the same weekday'),
  yearly: t('Every year'),
} as const;
const IF_IT_REPEATS = {
  field: 'repeats',
  values: Object.keys(EVENT_REPEATS).filter((value) => value !== 'never'),
  text: 'it repeats',
};
const PIXELS_FIELD = { type: 'number', min: 1, max: LIMITS.blockPixels } as const;

const definitions = {
  link: {
    label: t('Link'),
    description: t('A button that opens a page, an email, a call or a chat.'),
    searchTerms: t('button url website address sms xmpp matrix geo shop menu donate newsletter'),
    fields: {
      url: {
        type: 'url',
        label: t('Address'),
        required: true,
        allowsContact: true,
        example: 'https://example.com/shop',
      },
      title: { ...TITLE_FIELD, aliases: ['label', 'content'] },
      description: { type: 'text', label: t('Description'), example: 'Mugs, bowls and vases' },
      icon: ICON_FIELD,
      picture: {
        type: 'picture',
        label: t('Picture'),
        help: t('Shown instead of the icon; large if the link is featured.'),
        example: 'https://example.com/mugs.jpg',
      },
      featured: { type: 'flag', label: t('Feature this link') },
      half: { type: 'flag', label: t('Half width') },
      me: REL_ME_FIELD,
      from: { type: 'time', label: t('Show from'), example: '2026-11-01' },
      until: { type: 'time', label: t('Show until'), after: 'from', example: '2026-12-24T18:00' },
      size: SIZE_FIELD,
    },
  },
  text: {
    label: t('Text'),
    description: t('A paragraph, with bold, lists and links if you like (Markdown).'),
    searchTerms: t('paragraph markdown words opening hours'),
    fields: {
      content: {
        type: 'markdown',
        label: t('Text'),
        help: t('Markdown: *emphasis*, [links](https://…), lists, quotes.'),
        example: 'Potter in *Lisbon*.',
        required: true,
      },
      size: SIZE_FIELD,
    },
  },
  heading: {
    label: t('Heading'),
    description: t('A title for the blocks below it.'),
    searchTerms: t('title section'),
    fields: {
      content: {
        type: 'text',
        label: t('Heading'),
        required: true,
        aliases: ['title'],
        example: 'My work',
      },
    },
  },
  social: {
    label: t('Social links'),
    description: t('A row of icons: Instagram, GitHub, Mastodon and more.'),
    searchTerms: t('icons profiles instagram facebook tiktok mastodon github youtube'),
    fields: {
      items: {
        type: 'list',
        label: t('Links'),
        required: true,
        itemNoun: t('link'),
        itemFields: {
          label: { type: 'text', label: t('Name'), aliases: ['title'], example: 'GitHub' },
          url: {
            type: 'url',
            label: t('Address'),
            required: true,
            allowsContact: true,
            example: 'https://github.com/jane-doe',
          },
          icon: ICON_FIELD,
          me: REL_ME_FIELD,
        },
      },
    },
  },
  image: {
    label: t('Image'),
    description: t('A photo, with a caption if you like.'),
    searchTerms: t('photo picture logo'),
    fields: {
      ...CAPTIONED_PICTURE_FIELDS,
      link: {
        type: 'url',
        label: t('Link'),
        help: t('Where a click on the image leads.'),
        example: 'https://example.com/shop',
      },
      width: { ...PIXELS_FIELD, needs: ['height'], label: t('Width in pixels'), example: 1200 },
      height: { ...PIXELS_FIELD, needs: ['width'], label: t('Height in pixels'), example: 800 },
      size: SIZE_FIELD,
    },
  },
  gallery: {
    label: t('Gallery'),
    description: t('Several photos in rows. None is cropped.'),
    searchTerms: t('photos pictures portfolio album grid'),
    fields: {
      items: {
        type: 'list',
        label: t('Pictures'),
        required: true,
        itemNoun: t('picture'),
        itemFields: CAPTIONED_PICTURE_FIELDS,
      },
      size: SIZE_FIELD,
    },
  },
  contact: {
    label: t('Contact'),
    description: t('Email, phone and address.'),
    searchTerms: t('email mail phone telephone address location'),
    needsOneOf: ['email', 'phone', 'address', 'forwarding'],
    fields: {
      email: { type: 'text', label: t('Email'), example: 'jane@example.com' },
      phone: { type: 'text', label: t('contact|Phone'), example: '+351 21 000 0000' },
      address: {
        type: 'lines',
        label: t('Postal address'),
        example: 'Rua das Flores 1\n1200-192 Lisbon',
      },
      forwarding: {
        type: 'flag',
        label: t('Show my forwarding address'),
        help: t('Only while forwarding is on.'),
      },
      size: SIZE_FIELD,
    },
  },
  contact_form: {
    label: t('Contact form'),
    description: t('Visitors write to you. Your address stays hidden until you reply.'),
    searchTerms: t('email mail message write'),
    fields: {
      title: { ...TITLE_FIELD, example: 'Write to me' },
      button: { type: 'text', label: t('Button'), help: t('Default: Send.'), example: 'Send' },
      fields: {
        type: 'list',
        label: t('Fields'),
        help: t('Visitors fill them in above the message.'),
        max: LIMITS.formFields,
        itemNoun: t('field'),
        itemFields: {
          label: { type: 'text', label: t('Label'), required: true, example: 'Boat' },
          type: {
            type: 'choice',
            label: t('Kind'),
            options: FORM_FIELD_TYPES,
            default: 'line',
            example: 'choice',
          },
          required: { type: 'flag', label: t('Required') },
          options: {
            type: 'lines',
            label: t('Options'),
            help: t('One per line.'),
            required: true,
            onlyFor: { field: 'type', values: ['choice'] },
            example: 'Laser\nOptimist',
          },
        },
      },
    },
  },
  metric: {
    label: t('Metric'),
    description: t('A live number from a project, at most a minute old.'),
    searchTerms: t('number statistics chart'),
    fields: {
      project: {
        type: 'project',
        label: t('Project'),
        required: true,
        isPrivate: true,
        example: '3f0c6a0e-6b57-4f0b-9a51-8a2d1f0e7c11',
      },
      title: TITLE_FIELD,
      field: {
        type: 'metric',
        label: t('Field'),
        help: t('Without one, metrics are counted.'),
        example: 'orders.total',
      },
      aggregate: {
        type: 'choice',
        label: t('Calculation'),
        needs: ['field'],
        options: {
          sum: t('Sum'),
          avg: t('Average'),
          min: t('Lowest'),
          max: t('Highest'),
          last: t('Latest'),
          count: t('Count'),
        },
      },
      days: { type: 'number', label: t('Days'), min: 1, max: LIMITS.blockDays, default: 30 },
      display: {
        type: 'choice',
        label: t('Display'),
        options: { sparkline: t('Line'), bars: t('Bars'), number: t('Number only') },
      },
      size: SIZE_FIELD,
    },
  },
  event: {
    label: t('block|Event'),
    description: t('A date with time and place.'),
    searchTerms: t('dates calendar concert rehearsal training meeting'),
    fields: {
      title: { ...TITLE_FIELD, required: true, aliases: ['content'], example: 'Open studio' },
      starts_at: {
        type: 'time',
        label: t('Starts'),
        required: true,
        help: t('Events below one another are sorted by date.'),
        example: '2026-12-05T14:00',
      },
      ends_at: { type: 'time', label: t('Ends'), after: 'starts_at', example: '2026-12-05T18:00' },
      repeats: {
        type: 'choice',
        label: t('Repeats'),
        options: EVENT_REPEATS,
        default: 'never',
        example: 'weekly',
      },
      repeats_until: {
        type: 'time',
        isDay: true,
        label: t('Repeats until'),
        help: t('The last day on which it can start.'),
        after: 'starts_at',
        onlyFor: IF_IT_REPEATS,
        example: '2027-06-30',
      },
      repeats_except: {
        type: 'days',
        label: t('Holidays and other exceptions'),
        help: t('Days on which it does not take place.'),
        onlyFor: IF_IT_REPEATS,
        max: LIMITS.eventExceptions,
      },
      time_zone: TIME_ZONE_FIELD,
      location: { type: 'text', label: t('Place'), example: 'Lisbon' },
      url: {
        type: 'url',
        label: t('Link'),
        example: 'https://example.com/studio',
      },
      size: SIZE_FIELD,
    },
  },
  countdown: {
    label: t('Countdown'),
    description: t('Days until a date, or since then.'),
    searchTerms: t('date timer'),
    fields: {
      title: { ...TITLE_FIELD, aliases: ['content'], example: 'Christmas market' },
      // Named like the field of an event. The countdown ends at this time.
      starts_at: {
        type: 'time',
        label: t('Until'),
        required: true,
        aliases: ['ends_at'],
        example: '2026-12-24T18:00',
      },
      time_zone: TIME_ZONE_FIELD,
      size: SIZE_FIELD,
    },
  },
  quote: {
    label: t('Quote'),
    description: t('A quote and who said it.'),
    fields: {
      content: {
        type: 'markdown',
        label: t('Quote'),
        required: true,
        example: 'Her mugs outlive us all.',
      },
      cite: { type: 'text', label: t('Source'), example: 'Lisbon Weekly' },
      size: SIZE_FIELD,
    },
  },
  faq: {
    label: t('Questions'),
    description: t('Questions whose answers open with a click.'),
    searchTerms: t('question answer help'),
    needsOneOf: ['title', 'content', 'items'],
    fields: {
      title: {
        type: 'text',
        label: t('Question'),
        aliases: ['question'],
        needs: ['content', 'answer'],
        example: 'Do you ship?',
      },
      content: {
        type: 'markdown',
        needs: ['title', 'question'],
        label: t('Answer'),
        aliases: ['answer'],
        example: 'Yes, to all of Europe.',
      },
      items: {
        type: 'list',
        label: t('More questions'),
        itemNoun: t('question'),
        itemFields: {
          question: {
            type: 'text',
            label: t('Question'),
            required: true,
            aliases: ['title'],
            example: 'Do you ship?',
          },
          answer: {
            type: 'markdown',
            label: t('Answer'),
            required: true,
            aliases: ['content'],
            example: 'Yes, to all of Europe.',
          },
        },
      },
      size: SIZE_FIELD,
    },
  },
  code: {
    label: t('Code'),
    description: t('Code or a command.'),
    fields: {
      title: TITLE_FIELD,
      language: {
        type: 'text',
        label: t('Language'),
        help: t('Shown if there is no title.'),
        example: 'sh',
      },
      content: {
        type: 'lines',
        label: t('Code'),
        required: true,
        example: 'npm install @nameplate/client',
      },
      size: SIZE_FIELD,
    },
  },
  key: {
    label: t('Public key'),
    description: t('A public key or fingerprint that opens with a click.'),
    searchTerms: t('pgp ssh'),
    fields: {
      kind: { type: 'text', label: t('Kind'), aliases: ['title'], example: 'SSH' },
      content: {
        type: 'lines',
        label: t('block|Key'),
        required: true,
        example: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI jane-doe',
      },
    },
  },
  embed: {
    label: t('Video, audio or map'),
    description: t('A video, song, post or map. It loads when a visitor opens it.'),
    searchTerms: t('youtube vimeo spotify music podcast map player'),
    fields: {
      url: {
        type: 'url',
        label: t('Address'),
        required: true,
        example: 'https://www.youtube.com/watch?v=aqz-KE-bpKQ',
      },
      title: TITLE_FIELD,
      inline: {
        type: 'flag',
        label: t('Open it at once'),
        help: t('Visitors then load it with your page.'),
      },
      size: SIZE_FIELD,
    },
  },
  qr: {
    label: t('QR code'),
    description: t('A QR code for your page or another address.'),
    fields: {
      url: {
        type: 'url',
        label: t('Address'),
        help: t('Without one, the address of your page.'),
        example: 'https://example.com/shop',
      },
      title: { ...TITLE_FIELD, aliases: ['label'] },
      size: SIZE_FIELD,
    },
  },
  divider: {
    label: t('Divider'),
    description: t('A line between blocks.'),
    searchTerms: t('line separator'),
    fields: {},
  },
} as const satisfies Record<string, BlockDefinition>;

/** In the API, page settings are a block of type `page`. */
export const SETTINGS_BLOCK = {
  label: t('Page settings'),
  description: t(
    'Page settings. Only the first enabled block of this type is used; it is not visible.',
  ),
  fields: {
    lang: { type: 'language', label: t('Language'), example: 'pt-BR', default: 'en' },
    pronouns: { type: 'text', label: t('Pronouns'), example: 'she/her' },
    fediverse: {
      type: 'text',
      label: t('Fediverse account'),
      help: t('For example @jane@social.example.'),
      pattern: /^@?([A-Za-z0-9_.-]{1,64})@([A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63})+)$/,
      example: '@jane@social.example',
    },
    bluesky: {
      type: 'text',
      label: t('Bluesky DID'),
      help: t('Makes your own domain your Bluesky handle.'),
      pattern: /^did:(?:plc:[a-z2-7]{24}|web:[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8})$/,
      example: 'did:plc:z72i7hdynmk6r22z27h6tvur',
    },
    indexing: { type: 'flag', label: t('Search engines may list the page'), default: true },
    look: settingField('look'),
    fonts: settingField('fonts'),
    buttons: settingField('buttons'),
    corners: settingField('corners'),
    background: settingField('background'),
    background_picture: {
      type: 'picture',
      label: t('Background picture'),
      help: t('Veiled, so that text stays readable.'),
      example: 'https://example.com/studio.jpg',
    },
    layout: settingField('layout'),
    avatar: settingField('avatar'),
    density: settingField('density'),
  },
} as const satisfies BlockDefinition;

export type BlockKind = keyof typeof definitions;

/** The block kinds that a page shows, in their order within the groups of the editor's gallery. */
export const BLOCKS: Readonly<Record<BlockKind, BlockDefinition>> = definitions;

/**
 * All documented block types. The OpenAPI documents, the SDK types and the tables in
 * `docs/site-blocks.md` are generated from this. The API also stores blocks of other types.
 */
export const API_BLOCKS: Readonly<Record<BlockKind | 'page', BlockDefinition>> = {
  ...BLOCKS,
  page: SETTINGS_BLOCK,
};

export type BlockType = keyof typeof API_BLOCKS;
export const BLOCK_TYPES = Object.keys(API_BLOCKS) as BlockType[];

export function isBlockKind(type: string): type is BlockKind {
  return Object.hasOwn(BLOCKS, type);
}

export function blockDefinition(type: string): BlockDefinition | undefined {
  return Object.hasOwn(API_BLOCKS, type) ? API_BLOCKS[type as BlockType] : undefined;
}

export function maxItemsOf({ max = LIMITS.blockItems }: BlockField): number {
  return max;
}

/** Whether the field that it depends on, if any, has one of its values. */
export function isFieldUsed(
  fields: Readonly<Record<string, unknown>>,
  { onlyFor }: BlockField,
): boolean {
  return !onlyFor || onlyFor.values.some((value) => value === fields[onlyFor.field]);
}

/**
 * The maximum length of a text field in the editor. The API limits only `url` and `content` of a
 * block, the latter to `LIMITS.blockContent` in blocks of every type.
 */
export function maxLengthFor({ type }: BlockField): number {
  if (type === 'lines' || type === 'markdown') return LIMITS.blockContent;
  return type === 'url' || type === 'picture' ? LIMITS.url : LIMITS.blockText;
}
