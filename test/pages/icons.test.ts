import { expect, it } from 'vitest';
import { ICONS, type IconName } from '#contract/shared/icons.ts';
import { THEMES } from '#contract/themes.ts';
import { PageIcons } from '#page/icons/page-icons.ts';
import { serviceIcon } from '#page/icons/service-hosts.ts';
import { type Page, attribute, block, pageSettings, renderPage, readText } from './support/site.ts';

function findEmbeddedIcons(page: Page): string[] {
  return page.findAll('symbol').map((symbol) => attribute(symbol, 'id')!);
}

/** References to icons in a page, except link arrows. */
function findVisibleIcons(page: Page): string[] {
  return page
    .findAll('use')
    .map((useElement) => attribute(useElement, 'href')!)
    .filter((href) => href !== '#i-arrow-up-right');
}

const renderLink = (fields: Record<string, unknown>) =>
  block('link', { url: 'https://example.com', ...fields });

it.each<[string, IconName | undefined]>([
  ['https://github.com/jane', 'github'],
  ['https://www.github.com/jane', 'github'],
  ['https://jane.github.io/', 'github'],
  ['https://github.com/sponsors/jane', 'githubsponsors'],
  ['https://mira.bandcamp.com/album/x', 'bandcamp'],
  ['https://music.youtube.com/watch?v=1', 'youtubemusic'],
  ['https://m.youtube.com/@jane', 'youtube'],
  ['https://www.google.com/maps/place/Lisbon', 'googlemaps'],
  ['https://www.google.com/search?q=maps', undefined],
  ['https://www.linkedin.com/in/jane', 'linkedin'],
  ['https://fosstodon.org/@jane', 'mastodon'],
  ['https://social.example/@jane', 'at-sign'],
  ['https://social.example/@jane@other.example', 'at-sign'],
  ['mailto:jane@github.com', 'mail'],
  ['tel:+351210000000', 'phone'],
  ['sms:+351210000000', 'message-circle'],
  ['xmpp:jane@github.com', 'message-circle'],
  ['matrix:u/jane:github.com', 'matrix'],
  ['geo:38.7,-9.1', 'map-pin'],
  ['https://example.com/', undefined],
  ['https://github.com.evil.example/', undefined],
  ['https://evil.example/github.com', undefined],
  ['https://github.com.', undefined],
])('the icon of a URL %s is %s', (url, icon) => {
  expect(serviceIcon(url)).toBe(icon);
});

it('an icon exists for every icon name, and is embedded once per page', () => {
  const icons = new PageIcons();
  for (const name of Object.keys(ICONS) as IconName[]) {
    icons.render(name);
    icons.render(name);
  }
  const sheet = icons.symbols()!.toString();
  for (const name of Object.keys(ICONS)) expect(sheet.split(`"i-${name}"`)).toHaveLength(2);
  expect(sheet).not.toMatch(
    /<(?:svg hidden|script|style|foreignObject|image|a)\b|href|style=|\bon\w+=/,
  );
  expect(sheet).not.toMatch(/(?:fill|stroke)="(?!currentColor|none)/);
});

it('an icon is embedded only in pages that show it', () => {
  expect(findEmbeddedIcons(renderPage({}))).toEqual([]);
  const page = renderPage({
    blocks: [renderLink({ icon: 'heart' }), renderLink({ icon: 'heart' })],
  });
  expect(findEmbeddedIcons(page).toSorted()).toEqual(['i-arrow-up-right', 'i-heart']);
  expect(findVisibleIcons(page)).toEqual(['#i-heart', '#i-heart']);
});

it('the icon of a link is the service’s icon, or the one that the owner chose', () => {
  const url = 'https://github.com/jane';
  for (const [fields, icons] of [
    [{ url }, ['#i-github']],
    [{ url, icon: 'rocket' }, ['#i-rocket']],
    [{ url, icon: 'none' }, []],
    [{ url, icon: 'no such icon' }, ['#i-github']],
    [{ icon: 'constructor' }, []],
  ] as const)
    expect(findVisibleIcons(renderPage({ blocks: [renderLink(fields)] }))).toEqual(icons);
});

it('the icon of a link is the first letter if adjacent links have icons, unless the owner turned it off', () => {
  const page = renderPage({
    blocks: [
      renderLink({ icon: '🦉' }),
      renderLink({}),
      renderLink({ icon: 'none' }),
      block('divider'),
      renderLink({}),
      renderLink({}),
    ],
  });
  const icons = page.findAll('span').filter((span) => attribute(span, 'class') === 'icon');
  expect(icons.map((icon) => readText(icon).trim())).toEqual(['🦉', '']);
  expect(icons.map((icon) => attribute(icon, 'data-initials'))).toEqual([undefined, 'E']);
  expect(findVisibleIcons(page)).toEqual([]);
});

it('the color of a service is in the style sheet of the default theme only', () => {
  const blocks = [renderLink({ url: 'https://open.spotify.com/artist/1' }), renderLink({})];
  const rule = '.brand-spotify{--brand:#1ED760}';
  expect(renderPage({ blocks }).html).toContain(rule);
  for (const site of [
    { theme_id: THEMES[1]!.id },
    { custom_theme: { accent_color: '#123456' } },
    { settings: pageSettings({ look: 'citrus' }) },
  ])
    expect(renderPage({ blocks, ...site }).html).not.toContain(rule);
});

const renderSocial = (...items: object[]) => renderPage({ blocks: [block('social', { items })] });
const listLinks = (page: Page) =>
  page
    .findAll('a')
    .filter((a) => attribute(a, 'rel')?.includes('noopener'))
    .map((a) => [attribute(a, 'aria-label'), attribute(a, 'title'), readText(a).trim()]);

it('a social link shows an icon with an accessible name', () => {
  const page = renderSocial(
    { url: 'https://github.com/jane' },
    { url: 'https://www.youtube.com/@jane', label: 'My films' },
  );
  expect(findVisibleIcons(page)).toEqual(['#i-github', '#i-youtube']);
  expect(listLinks(page)).toEqual([
    ['github.com/jane', 'github.com/jane', ''],
    ['My films', 'My films', ''],
  ]);
});

it('a social link uses the icon of its name if the host is unknown', () => {
  const page = renderSocial(
    { url: 'https://toots.example/@jane', label: 'mastodon' },
    { url: 'https://toots.example/@jane', label: 'Toots' },
    { url: 'https://github.com/jane', label: 'Code' },
    { url: 'https://example.com/shop', label: 'Shop' },
    { url: 'https://example.com/github', label: 'GitHub' },
  );
  const icons = ['#i-mastodon', '#i-at-sign', '#i-github', '#i-shopping-bag'];
  expect(findVisibleIcons(page)).toEqual(icons);
});

it('a social link shows initials without an icon, and text if the owner turned icons off', () => {
  const url = 'https://example.com';
  const page = renderSocial(
    { url, label: 'Clay diary' },
    { url, label: 'Club', icon: '🎲' },
    { url, label: 'Club', icon: 'none' },
  );
  expect(listLinks(page)).toEqual([
    ['Clay diary', 'Clay diary', 'CD'],
    ['Club', 'Club', '🎲'],
    [undefined, undefined, 'Club'],
  ]);
});

it('a social link shows its name and host if the name is another host', () => {
  expect(listLinks(renderSocial({ url: 'https://evil.example', label: 'paypal.com' }))).toEqual([
    [undefined, undefined, 'paypal.com\u00A0(evil.example)'],
  ]);
});

it('a price is a short number with a currency, and not part of a sentence', () => {
  const isPrice = (description: string) =>
    renderPage({ blocks: [renderLink({ description })] })
      .findAll('small')
      .some((element) => attribute(element, 'class') === 'price');
  expect(['34 €', 'from 20 €', 'CHF 12', 'From 60 €, signed', '20 % off'].map(isPrice)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
});

const findIconClasses = (fields: Record<string, unknown>) => {
  const page = renderPage({ blocks: [renderLink(fields)] });
  const linkElement = page.findAll('a').find((a) => attribute(a, 'class')?.startsWith('link'))!;
  return [attribute(page.findAll('li')[0]!, 'class'), attribute(linkElement, 'class')];
};

it('a link can be featured or half width, and is featured if both are set', () => {
  expect(findIconClasses({})).toEqual([undefined, 'link']);
  expect(findIconClasses({ half: true })).toEqual(['half', 'link half']);
  // Takes the whole row of a phone.
  expect(findIconClasses({ half: true, title: 'Veröffentlichungen' })[0]).toBe('half long');
  expect(findIconClasses({ featured: true })).toEqual(['featured', 'link featured']);
  expect(findIconClasses({ featured: true, half: true })).toEqual(['featured', 'link featured']);
  expect(findIconClasses({ featured: 'yes', half: 1 })).toEqual([undefined, 'link']);
});

it('a link shows its picture instead of the icon, or above it if featured', () => {
  const pictures = (fields: Record<string, unknown>) =>
    renderPage({ blocks: [renderLink({ url: 'https://github.com', ...fields })] })
      .findAll('img')
      .filter((img) => ['icon', 'cover'].includes(attribute(img, 'class') ?? ''))
      .map((img) => [attribute(img, 'class'), attribute(img, 'src')]);
  const picture = 'http://example.com/mug.jpg';
  expect(pictures({ picture })).toEqual([['icon', 'https://example.com/mug.jpg']]);
  expect(pictures({ picture, featured: true })).toEqual([['cover', 'https://example.com/mug.jpg']]);
  for (const invalidUrl of ['javascript:alert(1)', 'data:image/png;base64,x', 'mug.jpg', 7])
    expect(pictures({ picture: invalidUrl })).toEqual([]);
});
