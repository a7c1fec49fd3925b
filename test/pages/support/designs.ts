import type { Block } from '#contract/block.ts';
import type { PageSettingValues } from '#contract/shared/page-settings.ts';
import { THEMES } from '#contract/themes.ts';
import type { PublicSite } from '#page/public-site.ts';
import { readBlockExamples, PAGE_METRIC } from './block-examples.ts';
import { block, pageSettings } from './site.ts';

type Site = Partial<PublicSite>;

interface Design {
  site: Pick<Site, 'theme_id' | 'custom_theme'>;
  settings?: PageSettingValues;
}

/** Page designs by name: all themes, all looks, and two with custom colors. */
export const DESIGNS: Readonly<Record<string, Design>> = {
  default: { site: {} },
  ...Object.fromEntries(
    THEMES.map(({ id, name }): [string, Design] => [
      name.toLowerCase(),
      { site: { theme_id: id } },
    ]),
  ),
  ...Object.fromEntries(
    (['gallery', 'citrus', 'velvet', 'notebook'] as const).map((look): [string, Design] => [
      look,
      { site: {}, settings: { look } },
    ]),
  ),
  'own-dark': {
    site: {
      custom_theme: {
        background_color: '#10233f',
        primary_color: '#ffd166',
        text_color: '#e9eef5',
        accent_color: '#ffd166',
        font_family: 'Space Grotesk',
      },
    },
  },
  'own-loud': {
    site: {
      custom_theme: {
        background_color: '#ff5c8a',
        primary_color: '#2b00ff',
        text_color: '#22222f',
        accent_color: '#fff200',
        font_family: 'Caveat',
      },
    },
  },
};

const PICTURE_BASE_URL = 'https://example.org/';

const linkBlock = (title: string, fields: Record<string, unknown> = {}) =>
  block('link', { url: 'https://example.com/', title, ...fields });

const SOCIAL_LINKS = block('social', {
  items: [
    { url: 'https://www.instagram.com/example', label: 'Instagram' },
    { url: 'https://github.com/example', label: 'GitHub' },
    { url: 'https://www.youtube.com/@example', label: 'YouTube' },
    { url: 'https://bsky.app/profile/example.com', label: 'Bluesky' },
    { url: 'mailto:mira@example.com', label: 'Mail' },
  ],
});

const ORDINARY_BLOCKS: Block[] = [
  SOCIAL_LINKS,
  linkBlock('The shop', {
    description: 'Mugs that hum, bowls that don’t',
    picture: `${PICTURE_BASE_URL}mugs.svg`,
    featured: true,
  }),
  linkBlock('Kiln Recordings, the album', {
    url: 'https://example.bandcamp.com/',
    description: 'Eleven songs, all glazed',
  }),
  linkBlock('Letters from the studio', { url: 'https://example.substack.com/', half: true }),
  linkBlock('Book a workshop', { half: true }),
  block('heading', { content: 'What I make' }),
  block('text', {
    content:
      'I throw **stoneware** by hand, and fire it in a [wood kiln](https://example.com/kiln) twice a year.\n\n- Mugs for people who drink slowly\n- Bowls in four blues\n- Vases, when the clay insists',
  }),
  block('image', {
    url: `${PICTURE_BASE_URL}bowl.svg`,
    alt: 'A blue bowl between a vase and a beaker',
    caption: 'Bowl no. 41, 2026',
    width: 1200,
    height: 800,
  }),
  block('event', {
    title: 'Open studio',
    url: 'https://example.com/open',
    starts_at: '2026-12-05T10:00',
    ends_at: '2026-12-05T18:00',
    time_zone: 'Europe/Lisbon',
    location: 'Rua das Flores 12, Lisbon',
  }),
  block('countdown', { title: 'Winter sale', starts_at: '2026-12-21' }),
  block('metric', { title: 'Listeners', project: '0b7c2f4e-2f6a-4b3e-8c7d-5a1e9d3f6b20' }),
  block('quote', {
    content: 'The best mugs in Lisbon, and the only ones that sing.',
    cite: 'Teresa, a neighbour',
  }),
  block('embed', { url: 'https://www.youtube.com/watch?v=aqz-KE-bpKQ', title: 'How a mug hums' }),
  block('heading', { content: 'Good to know' }),
  block('faq', {
    items: [
      { question: 'Do you ship?', answer: 'Yes, everywhere in Europe, in recycled wool.' },
      {
        question: 'Can a mug go in the dishwasher?',
        answer: 'It can. It will hum a little less.',
      },
      { question: 'Do you take commissions?', answer: 'From March to May. Write early.' },
    ],
  }),
  block('contact', { email: 'mira@example.com', phone: '+351 21 000 0000' }),
];

const OTHER_BLOCKS: Block[] = [
  block('qr', { title: 'This page' }),
  block('code', {
    title: 'Celadon, cone 10',
    content: 'feldspar  40\nsilica    30\nwhiting   20\nkaolin    10',
  }),
  block('divider'),
  block('key', { kind: 'PGP', content: 'D1E5 5C2A 7F90 44B1 0C3E  9A17 62F0 8B2D 51AC 7E43' }),
];

const LONG_NAME = 'wolfeschlegelsteinhausenbergerdorff-and-daughters-of-old-lisbon';

const ARABIC_BLOCKS: Block[] = [
  SOCIAL_LINKS,
  linkBlock('المتجر', {
    description: 'أكواب تغني وأوعية صامتة',
    picture: `${PICTURE_BASE_URL}mugs.svg`,
    featured: true,
  }),
  linkBlock('تسجيلات الفرن', { description: 'إحدى عشرة أغنية' }),
  linkBlock('رسائل من المرسم', { half: true }),
  linkBlock('احجز ورشة', { half: true }),
  block('heading', { content: 'ما أصنعه' }),
  block('text', { content: 'أعمل **الخزف** بيدي.\n\n- أكواب\n- أوعية بأربع درجات من الأزرق' }),
  block('event', {
    title: 'المرسم المفتوح',
    url: 'https://example.com/open',
    starts_at: '2026-12-05T10:00',
    ends_at: '2026-12-05T18:00',
    time_zone: 'Europe/Lisbon',
    location: 'لشبونة',
  }),
  block('countdown', { title: 'تخفيضات الشتاء', starts_at: '2026-12-21' }),
  block('metric', { title: 'المستمعون', project: '0b7c2f4e-2f6a-4b3e-8c7d-5a1e9d3f6b20' }),
  block('quote', { content: 'أجمل الأكواب في لشبونة.', cite: 'جارة' }),
  block('embed', { url: 'https://www.youtube.com/watch?v=aqz-KE-bpKQ', title: 'كيف يغني الكوب' }),
  block('faq', { items: [{ question: 'هل ترسلون؟', answer: 'نعم، إلى كل مكان.' }] }),
  block('contact', { email: 'mira@example.com', phone: '+351 21 000 0000' }),
];

const PROFILE: Site = {
  name: 'mira-okafor',
  display_name: 'Mira Okafor',
  bio: 'Ceramicist and sound designer. I make mugs that hum. Commissions open for spring.',
  location: 'Lisbon, Portugal',
  mood: 'Throwing',
  avatar_url: `${PICTURE_BASE_URL}portrait.svg`,
};

/** Sample sites by name: different amounts of content, and one right-to-left. */
export const SITES: Readonly<Record<string, Site>> = {
  ordinary: {
    ...PROFILE,
    settings: pageSettings({ pronouns: 'she/her' }),
    blocks: [...ORDINARY_BLOCKS, ...OTHER_BLOCKS],
  },
  empty: { name: 'mira-okafor' },
  sparse: {
    name: 'mira-okafor',
    display_name: 'Mira Okafor',
    bio: 'Ceramicist in Lisbon.',
    blocks: [linkBlock('The shop')],
  },
  long: {
    ...PROFILE,
    name: LONG_NAME,
    display_name: LONG_NAME,
    bio: `${PROFILE.bio} `.repeat(6),
    blocks: [
      ...Array.from({ length: 40 }, (_, index) =>
        linkBlock(
          [
            'Shop',
            'Letters from the studio, which come on the first Sunday of every month',
            'Workshops',
          ][index % 3]!,
          {
            ...(index % 4 === 1 && {
              description: 'With a longer description than most links have',
            }),
            ...(index % 5 === 2 && { icon: '🏺' }),
            ...((index === 8 || index === 9) && { half: true }),
          },
        ),
      ),
      ...readBlockExamples().flatMap(({ blocks }) =>
        blocks.map(({ type, ...fields }) =>
          block(
            type,
            type === 'image' ? { ...fields, url: `${PICTURE_BASE_URL}bowl.svg` } : fields,
          ),
        ),
      ),
      ...ORDINARY_BLOCKS,
    ],
  },
  arabic: {
    ...PROFILE,
    display_name: 'ميرا أوكافور',
    bio: 'خزّافة ومصممة أصوات. أصنع أكوابًا تدندن.',
    location: 'لشبونة',
    mood: 'على الدولاب',
    settings: pageSettings({ lang: 'ar', pronouns: 'هي' }),
    blocks: ARABIC_BLOCKS,
  },
};

/** Applies a design to a site. All its metric blocks show the same number. */
export function withDesign(site: Site, { site: themeFields, settings }: Design): Site {
  const storedBlocks = (site.blocks ?? []).map((item, index) => ({
    ...item,
    id: `0b7c2f4e-2f6a-4b3e-8c7d-${String(index).padStart(12, '0')}`,
  }));
  return {
    ...site,
    ...themeFields,
    settings: pageSettings({ ...site.settings?.fields, ...settings }),
    blocks: storedBlocks,
    pageMetrics: new Map(storedBlocks.map(({ id }) => [id, PAGE_METRIC])),
  };
}
