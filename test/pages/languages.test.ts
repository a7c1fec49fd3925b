import { expect, it } from 'vitest';
import { PAGE_LANGUAGES } from '#contract/shared/page-languages.ts';
import { renderBadge } from '#page/files/badge.ts';
import type { PageMetric } from '#page/page-metric.ts';
import type { PublicSite } from '#page/public-site.ts';
import { PAGE_METRIC } from './support/block-examples.ts';
import {
  EMPTY_SITE,
  type Page,
  attribute,
  block,
  renderPage,
  renderSharePage,
  pageSettings,
  readText,
} from './support/site.ts';

const OTHER_LANGUAGES = PAGE_LANGUAGES.filter((lang) => lang !== 'en');

const METRIC_IDS = ['avg', 'min', 'max', 'last'].map(
  (_, index) => `0b7c2f4e-2f6a-4b3e-8c7d-5a1e9d3f6b2${index}`,
);
const OWNER_URL = 'https://example.org/1';

/** Renders a page with all built-in texts. The owner's texts contain no letters. */
function renderInLanguage(lang: string): Page {
  return renderPage(
    {
      display_name: '1',
      isTruncated: true,
      isForMembers: true,
      pageMetrics: new Map([...METRIC_IDS, block('x').id].map((id) => [id, PAGE_METRIC])),
      settings: pageSettings({ lang }),
      blocks: [
        block('link', { url: OWNER_URL, title: '1' }),
        block('event', {
          title: '1',
          starts_at: '2026-11-20T11:00Z',
          ends_at: '2026-11-21T14:00Z',
        }),
        block('event', { title: '1', starts_at: '2026-12-05T11:00Z', time_zone: 'Europe/Berlin' }),
        ...['weekly', 'two_weeks', 'monthly', 'yearly'].map((repeats) =>
          block('event', { title: '1', starts_at: '2027-08-01', repeats }),
        ),
        block('countdown', { title: '1', starts_at: '2026-11-20T18:00Z' }),
        block('countdown', { title: '1', starts_at: '2026-11-20T11:30Z' }),
        block('embed', { url: OWNER_URL, title: '1' }),
        block('image', { url: OWNER_URL, link: OWNER_URL, caption: '1' }),
        block('qr', { url: OWNER_URL, title: '1' }),
        block('contact', { email: '1@1.example', phone: '+1 234' }),
        block('contact_form', { fields: [{ label: '1' }] }),
        block('faq', { question: '1', answer: '1' }),
        block('code', { content: '1' }),
        block('key', { content: '1' }),
        block('quote', { content: '1' }),
        block('metric', { days: 1 }),
        ...['avg', 'min', 'max', 'last'].map((aggregate, index) => ({
          ...block('metric', { field: '1', days: 7, aggregate }),
          id: METRIC_IDS[index]!,
        })),
      ],
    },
    'https://example.org/report',
  );
}

/** All texts, labels and the description, except URLs, names and texts without letters. */
function findTexts(page: Page): string[] {
  const texts = page.elements
    .filter(({ tagName }) => !['style', 'script'].includes(tagName))
    .flatMap((element) => [
      ...element.childNodes.filter(({ nodeName }) => nodeName === '#text').map(readText),
      ...['aria-label', 'alt', 'title'].map((name) => attribute(element, name) ?? ''),
      attribute(element, 'name') === 'description' ? (attribute(element, 'content') ?? '') : '',
    ]);
  return texts
    .map((text) => text.replace(/https?:\S+|\S*example\S*|@?jane-doe/g, '').trim())
    .filter((text) => /\p{L}/u.test(text));
}

const emptyInLanguage = (lang: string) =>
  renderPage({ display_name: '1', settings: pageSettings({ lang }) });

const shareInLanguage = (lang: string) =>
  renderSharePage({ display_name: '1', settings: pageSettings({ lang }) });

const pagesInLanguage = (lang: string) => [
  renderInLanguage(lang),
  emptyInLanguage(lang),
  shareInLanguage(lang),
];

const ENGLISH = new Set(pagesInLanguage('en').flatMap(findTexts));
// Several languages share these abbreviations and names of services.
for (const text of ['Nov', 'Aug', 'UTC', 'WhatsApp', 'Telegram', 'Mastodon', 'PNG', 'SVG'])
  ENGLISH.delete(text);

it.each(OTHER_LANGUAGES)('a page in %s contains no built-in English text', (lang) => {
  const pages = pagesInLanguage(lang);
  expect(pages.flatMap(({ parseErrors }) => parseErrors)).toEqual([]);
  expect(findTexts(pages[0]!).length).toBeGreaterThan(20);
  expect(pages.flatMap(findTexts).filter((text) => ENGLISH.has(text))).toEqual([]);
});

it('a page has dir="rtl" in right-to-left languages', () => {
  const directions = Object.fromEntries(
    [...PAGE_LANGUAGES, 'ur', 'ku-Arab', 'ku', 'eu'].map((lang) => [
      lang,
      attribute(renderInLanguage(lang).findAll('html')[0]!, 'dir'),
    ]),
  );
  const rightToLeft = Object.keys(directions).filter((lang) => directions[lang] === 'rtl');
  expect(rightToLeft).toEqual(['ar', 'fa', 'he', 'ur', 'ku-Arab']);
});

it('a page in an unsupported language uses English texts', () => {
  for (const lang of ['eu', 'tlh', 'x-own', 'en-u-nu-thai', 'constructor'])
    expect(findTexts(renderInLanguage(lang))).toEqual([...findTexts(renderInLanguage('en'))]);
});

it.each([
  ['pt-BR', 'Horário da Europa Central'],
  ['pt-BR', 'Compartilhar'],
  ['pt-PT', 'Partilhar'],
  ['en-GB', 'Fri 20 Nov, 11:00'],
  ['de-CH', 'Fr., 20. Nov., 11:00'],
  ['zh-TW', '檢舉'],
  ['zh-CN', '举报'],
  ['no', 'Rapporter'],
  ['ja-u-ca-japanese', '11月20日(金) 11:00'],
])('a page in %s shows %s', (lang, text) => {
  const texts = [renderInLanguage(lang), shareInLanguage(lang)].flatMap(findTexts);
  expect(texts.join(' ').replaceAll('\u00A0', ' ')).toContain(text);
});

it('a page keeps code, phone numbers and handles left-to-right', () => {
  const page = renderInLanguage('ar');
  for (const element of [
    ...page.findAll('pre'),
    ...page.findAll('span').filter((span) => /^(?:\+\d|\S+@\S+\.)/.test(readText(span))),
    ...page.findAll('li').filter((li) => readText(li) === '@jane-doe'),
  ])
    expect(attribute(element, 'dir')).toBe('ltr');
  expect(page.findAll('pre')).toHaveLength(2);
});

it.each(OTHER_LANGUAGES)('the badge of a metric is translated to %s', (lang) => {
  const metric = block('metric');
  const badgeLabel = (badgeLang: string, pageMetrics: PublicSite['pageMetrics']) => {
    const settings = pageSettings({ lang: badgeLang });
    const { svg } = renderBadge({ ...EMPTY_SITE, pageMetrics, settings, blocks: [metric] }, metric);
    return /aria-label="([^"]*)"/.exec(svg)![1];
  };
  for (const pageMetrics of [new Map<string, PageMetric>(), new Map([[metric.id, PAGE_METRIC]])])
    expect(badgeLabel(lang, pageMetrics)).not.toBe(badgeLabel('en', pageMetrics));
});
