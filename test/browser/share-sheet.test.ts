import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import type { PublicSite } from '#page/public-site.ts';
import { DESIGNS, SITES, withDesign } from '../pages/support/designs.ts';
import { RENDER_CONTEXT } from '../pages/support/site.ts';
import { sharedChromium } from './support/chromium.ts';
import { startSiteViewer } from './support/site-viewer.ts';
import {
  findAccessibilityViolations,
  CONTRAST_RULES,
  measureHorizontalOverflow,
} from './support/visit.ts';

let browser: Browser;
let tab: Page;
let showInTab: (site: Partial<PublicSite>) => Promise<void>;
beforeAll(async () => {
  browser = await sharedChromium();
  tab = await browser.newPage();
  showInTab = await startSiteViewer(tab);
});
afterAll(() => tab.close());

async function openShareSheet(design: string, width: number, page = tab, show = showInTab) {
  await page.setViewportSize({ width, height: 800 });
  await page.emulateMedia({ colorScheme: 'light' });
  await show(withDesign(SITES['sparse']!, DESIGNS[design]!));
  const isLoaded = () => page.evaluate<boolean>(`document.querySelector('#scan img').complete`);
  // Without scripts, it loads at once.
  if (page === tab) expect(await isLoaded()).toBe(false);
  await page.getByRole('button', { name: 'Share' }).click();
  return { page, isLoaded };
}

/** The least space between a text and an edge of its tile. */
const measureTileGap = (page: Page) =>
  page.evaluate<number>(`Math.min(...[...document.querySelectorAll('.ways > *')]
    .filter((tile) => tile.checkVisibility())
    .flatMap((tile) => {
      const range = document.createRange();
      range.selectNodeContents(tile.lastChild);
      const [text, box] = [range, tile].map((part) => part.getBoundingClientRect());
      return [text.left - box.left, box.right - text.right];
    }))`);

it.each(Object.entries(DESIGNS))(
  'the share sheet in %s is readable, fits a small phone, and has the corners of the design',
  async (name, design) => {
    const { page } = await openShareSheet(name, 320);
    const code = page.getByRole('button', { name: 'QR code' });
    await code.scrollIntoViewIfNeeded();
    expect(await code.isVisible()).toBe(true);
    expect(await measureHorizontalOverflow(page)).toBe(0);
    expect(await measureTileGap(page)).toBeGreaterThan(5);
    expect(await findAccessibilityViolations(page, CONTRAST_RULES)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await findAccessibilityViolations(page, CONTRAST_RULES)).toEqual([]);
    await tab.setViewportSize({ width: 1280, height: 800 });
    await showInTab(withDesign({ avatar_url: SITES['ordinary']!.avatar_url!, blocks: [] }, design));
    const [avatar, face, sheet, corners, address] = await tab.evaluate<string[]>(`(() => {
      const styleOf = (part) => getComputedStyle(document.querySelector(part));
      return [
        ...['.avatar', '.face', '#share'].map((part) => styleOf(part).borderRadius),
        styleOf(':root').getPropertyValue('--r'),
        styleOf('#share code').fontStyle,
      ];
    })()`);
    expect(face).toBe(avatar);
    expect(parseFloat(sheet!)).toBeCloseTo(16 * parseFloat(corners!));
    expect(address).toBe('normal');
  },
);

it('the share sheet loads its QR code when it is opened, and a click selects the URL', async () => {
  const { page, isLoaded } = await openShareSheet('default', 1280);
  await expect.poll(isLoaded).toBe(true);
  expect(await findAccessibilityViolations(page)).toEqual([]);
  await page.locator('#share code').click();
  const address = RENDER_CONTEXT.url.replace('https://', '');
  await expect.poll(() => page.evaluate('String(getSelection())')).toBe(address);
  const save = page.getByRole('link', { name: 'Save (SVG)' });
  expect((await save.boundingBox())!.width).toBeGreaterThan(200);
  await page.getByRole('link', { name: 'Report this page' }).waitFor();
  const ways = ['Mail', 'WhatsApp', 'Save to contacts'].map((name) =>
    page.getByRole('link', { name }).boundingBox(),
  );
  const sizes = (await Promise.all(ways)).map((box) => [box!.width, box!.height].map(Math.round));
  expect(new Set(sizes.map(String)).size).toBe(1);
  expect(await measureTileGap(page)).toBeGreaterThan(5);
  const { x, width } = (await page.locator('#share').boundingBox())!;
  expect(x + width / 2).toBeCloseTo(640, 0);
  expect(await page.getByRole('link', { name: 'SMS' }).isVisible()).toBe(false);
});

it('the share sheet opens without JavaScript', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await openShareSheet('default', 390, page, await startSiteViewer(page));
  const text = encodeURIComponent(RENDER_CONTEXT.url);
  for (const [name, target] of [
    ['Mail', `mailto:?body=${text}`],
    ['WhatsApp', `https://wa.me/?text=${text}`],
    ['SMS', `sms:?&body=${text}`],
    ['Save to contacts', `${RENDER_CONTEXT.url}/card.vcf`],
  ] as const) {
    const link = page.getByRole('link', { name });
    await expect.poll(() => link.isVisible()).toBe(true);
    expect(await link.getAttribute('href')).toBe(target);
  }
  expect(await page.locator('#share').innerText()).not.toContain('Copy');
  await page.getByRole('button', { name: 'QR code' }).click();
  const sheet = page.locator('#scan');
  const code = sheet.getByRole('img', { name: 'QR code' });
  expect((await code.boundingBox())?.width).toBeGreaterThan(200);
  const save = sheet.getByRole('link', { name: 'Save' });
  expect(await save.getAttribute('href')).toBe(`${new URL(RENDER_CONTEXT.url).pathname}/qr.svg`);
  await sheet.getByRole('button', { name: 'Share' }).click();
  await expect.poll(() => sheet.isVisible()).toBe(false);
  expect(await page.getByRole('link', { name: 'Mail' }).isVisible()).toBe(true);
});
