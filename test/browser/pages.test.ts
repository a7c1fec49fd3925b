import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import type { UpdateSiteConfigurationRequest as SentSite } from '#client/index.ts';
import { PAGE_SETTINGS, THEME_DEFAULT } from '#contract/shared/page-settings.ts';
import type { UpdateSiteConfigurationRequest } from '#contract/site.ts';
import { THEMES } from '#contract/themes.ts';
import { readBlockExamples } from '../pages/support/block-examples.ts';
import { useServer } from '../support/use-server.ts';
import { sharedChromium } from './support/chromium.ts';
import { createHostileSites } from './support/hostile-sites.ts';
import {
  findAccessibilityViolations,
  CONTRAST_RULES,
  measureHorizontalOverflow,
  openPage,
} from './support/visit.ts';

const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkqPpfDwADTgGd9FJ3OgAAAABJRU5ErkJggg==',
  'base64',
);
const SITE: UpdateSiteConfigurationRequest = {
  display_name: 'Jane Doe',
  bio: 'Potter in Lisbon.\nOpen on Saturdays.',
  avatar_url: 'http://example.com/jane.png',
  location: 'Lisbon',
  mood: '🌞',
  blocks: [
    ...readBlockExamples().flatMap(({ blocks }) => blocks),
    { type: 'link', enabled: true, url: 'https://example.com/', title: 'Bowls', featured: true },
    {
      type: 'embed',
      enabled: true,
      url: 'https://player.vimeo.com/video/1',
      title: 'A film',
      inline: true,
    },
  ],
};
const CUSTOM_COLORS = {
  'a custom theme with one gray for everything': {
    background: '#777777',
    text: '#777777',
    primary: '#777777',
  },
  'a custom theme with bright colors': {
    background: '#ff00ff',
    text: '#00ff00',
    primary: '#ffff00',
    accent: '#ff0000',
  },
  'a custom theme with only a background': { background: '#000080' },
  'a custom theme with only white text': { text: '#ffffff' },
};
const DESIGNS: [string, Partial<UpdateSiteConfigurationRequest>][] = [
  ['no theme', {}],
  ...THEMES.map(({ id, name }): [string, object] => [name, { theme_id: id }]),
  ...(['look', 'buttons'] as const).flatMap((setting) =>
    Object.keys(PAGE_SETTINGS[setting].options)
      .filter((value) => value !== THEME_DEFAULT)
      .map((value): [string, object] => [
        `the ${setting} ${value}`,
        { blocks: [{ type: 'page', enabled: true, [setting]: value }, ...SITE.blocks!] },
      ]),
  ),
  ...Object.entries(CUSTOM_COLORS).map(([name, colors]): [string, object] => [
    name,
    {
      custom_theme: Object.fromEntries(
        Object.entries(colors).map(([colorName, color]) => [`${colorName}_color`, color]),
      ),
    },
  ]),
];
/** Small phone, phone, desktop at 200% zoom and at 100%. */
const WIDTHS = [320, 390, 640, 1280];

let base: string;
let browser: Browser;
const { server } = useServer({ ABUSE_CONTACT: 'abuse@example.org' });
beforeAll(async () => {
  base = await server.app.listen({ port: 0, host: '127.0.0.1' });
  browser = await sharedChromium();
});

let count = 0;

async function publish(site: UpdateSiteConfigurationRequest): Promise<string> {
  const { client } = await server.createAccount();
  count += 1;
  await client.account.updateDisplayName({ display_name: `jane-${count}` });
  await client.site.updateSiteConfiguration(site as SentSite);
  await client.site.toggleSiteVisibility();
  return `${base}/@jane-${count}`;
}

async function openSite(
  url: string,
  options?: BrowserContextOptions,
  waitUntil: 'load' | 'networkidle' = 'networkidle',
) {
  const visit = await openPage(browser, options);
  // Pictures on other hosts, and uploads.
  await visit.page.route(/^https:|\/pictures\//, (route) =>
    route.fulfill({ contentType: 'image/png', body: PICTURE }),
  );
  await visit.page.goto(url, { waitUntil });
  return visit;
}

/** URLs of the page itself and of the images and frames in its content. */
function listDeclaredUrls(page: Page): Promise<string[]> {
  return page.evaluate(
    `[location, ...[...document.querySelectorAll('main :is(img, iframe)')].flatMap(({ src, srcset = '' }) => [src, ...srcset.split(',').map((part) => part.trim().split(' ')[0])])]
      .map((address) => new URL(address, location).href.replace(/#.*/, ''))`,
  );
}

/** Requested URLs that the page does not declare, except fonts. */
async function findUndeclaredRequests(page: Page, requests: readonly string[]): Promise<string[]> {
  const allowedUrls = await listDeclaredUrls(page);
  return requests.filter(
    (requested) => !allowedUrls.includes(requested) && !requested.startsWith(`${base}/fonts/`),
  );
}

async function expectNoOverhang(page: Page): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    await expect
      .poll(async () => [width, await measureHorizontalOverflow(page)])
      .toEqual([width, 0]);
  }
}

it.each(DESIGNS)(
  'a page with every block kind in %s fits, is accessible, and requests only declared URLs',
  async (name, theme) => {
    const url = await publish({ ...SITE, ...theme });
    const options = { viewport: { width: 320, height: 800 } };
    const { page, requests, messages } = await openSite(url, options, 'load');
    // Only colors depend on the design.
    const rules = name === 'no theme' ? undefined : CONTRAST_RULES;
    await expect.poll(() => findAccessibilityViolations(page, rules)).toEqual([]);
    await expectNoOverhang(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(() => findAccessibilityViolations(page, CONTRAST_RULES)).toEqual([]);
    await page.emulateMedia({ contrast: 'more' });
    await expect.poll(() => findAccessibilityViolations(page, CONTRAST_RULES)).toEqual([]);
    await page.emulateMedia({ contrast: null, forcedColors: 'active' });
    await expectNoOverhang(page);
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    await expect
      .poll(() => requests)
      .toEqual(
        expect.arrayContaining([
          'https://example.com/jane.png',
          'https://example.com/bowl.png',
          'https://player.vimeo.com/video/1?dnt=1',
        ]),
      );
    expect(await findUndeclaredRequests(page, requests)).toEqual([]);
    expect(messages).toEqual([]);
  },
);

it('a page is complete without JavaScript', async () => {
  const { page, messages } = await openSite(await publish(SITE), { javaScriptEnabled: false });
  await expect.poll(() => page.getByRole('heading', { name: 'Jane Doe' }).isVisible()).toBe(true);
  const answerText = page.getByText('It does.');
  await expect.poll(() => answerText.isVisible()).toBe(false);
  await page.getByText('Does it like the dishwasher?').click();
  await expect.poll(() => answerText.isVisible()).toBe(true);
  expect(messages).toEqual([]);
});

it('a page needs only one request besides its font at the first visit', async () => {
  const { page, requests } = await openSite(await publish({ bio: 'Potter', blocks: [] }));
  await expect.poll(() => requests.length).toBe(2);
  expect(await findUndeclaredRequests(page, requests)).toEqual([]);
});

it('a page prints a card with its QR code, which is loaded only for printing', async () => {
  const url = await publish(SITE);
  const { page, requests, messages } = await openSite(url);
  expect(requests).not.toContain(`${url}/qr.svg`);
  await page.emulateMedia({ media: 'print' });
  await page.pdf();
  await expect.poll(() => requests).toContain(`${url}/qr.svg`);
  const code = page.locator('.print img');
  await expect.poll(() => code.isVisible()).toBe(true);
  await expect
    .poll(() => page.evaluate('document.querySelector(".print img").naturalWidth > 0'))
    .toBe(true);
  expect(messages).toEqual([]);
});

it('a page is usable with the keyboard, with visible focus', async () => {
  const { page } = await openSite(await publish(SITE));
  await page.keyboard.press('Tab');
  const listFocused = () =>
    page.evaluate<string[]>(
      '[document.activeElement.textContent.trim().slice(0, 7), getComputedStyle(document.activeElement).outlineStyle]',
    );
  await expect.poll(listFocused).toEqual(['My shop', 'solid']);
});

it('a page has touch targets of sufficient size', async () => {
  const { page } = await openSite(await publish(SITE), { viewport: { width: 320, height: 800 } });
  const smallTargets = await page.evaluate(
    `[...document.querySelectorAll('a:not(p a, li li a), summary, button')]
        .filter((target) => target.offsetHeight > 0 && target.offsetHeight < 44 && !target.closest('.text, figure'))
        .map((target) => target.outerHTML)`,
  );
  expect(smallTargets).toEqual([]);
});

it.each(['light', 'dark'] as const)(
  'a page that is not a site follows the visitor’s preference (%s) and is readable',
  async (scheme) => {
    const { page, requests } = await openSite(`${base}/@nobody-here`, { colorScheme: scheme });
    await expect.poll(() => findAccessibilityViolations(page)).toEqual([]);
    await expectNoOverhang(page);
    const background = await page.evaluate('getComputedStyle(document.body).backgroundColor');
    expect(background).toBe(scheme === 'light' ? 'rgb(246, 245, 241)' : 'rgb(18, 19, 17)');
    // Ignore the requests for the icon and the font.
    expect(requests.filter((requested) => !/\/favicon\.ico$|\/fonts\//.test(requested))).toEqual([
      `${base}/@nobody-here`,
    ]);
  },
);

it.each(Object.entries(createHostileSites()))(
  'a page of %s runs nothing, requests only declared URLs, and fits',
  async (_name, site) => {
    const url = await publish(site);
    const { page, requests, messages } = await openSite(url, {
      viewport: { width: 320, height: 800 },
    });
    await expectNoOverhang(page);
    expect(await findUndeclaredRequests(page, requests)).toEqual([]);
    expect(messages).toEqual([]);
    const { length } = Buffer.from(await (await fetch(url)).arrayBuffer());
    expect(length).toBeLessThan(12 * Buffer.byteLength(JSON.stringify(site)) + 20_000);
  },
);
