import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { fontFile } from '#page/design/fonts.ts';
import { DESIGNS, SITES, withDesign } from '../pages/support/designs.ts';
import { RENDER_CONTEXT, renderSharePage } from '../pages/support/site.ts';
import { sharedChromium } from './support/chromium.ts';
import {
  findAccessibilityViolations,
  CONTRAST_RULES,
  measureHorizontalOverflow,
} from './support/visit.ts';

const ADDRESS = RENDER_CONTEXT.url.replace('https://', '');

let browser: Browser;
let tab: Page;
beforeAll(async () => {
  browser = await sharedChromium();
  tab = await browser.newPage();
});
afterAll(() => tab.close());

async function show(page: Page, design: string, site = SITES['sparse']!) {
  const { html } = renderSharePage(withDesign(site, DESIGNS[design]!));
  await page.route('**', (route) => {
    const { pathname } = new URL(route.request().url());
    const font = fontFile(pathname.replace('/fonts/', ''));
    if (font) return route.fulfill({ contentType: 'font/woff2', body: font });
    return pathname.endsWith('/share')
      ? route.fulfill({ contentType: 'text/html', body: html })
      : route.abort();
  });
  await page.goto(`${RENDER_CONTEXT.url}/share`);
}

async function openContext(options: Parameters<Browser['newContext']>[0]) {
  const context = await browser.newContext(options);
  onTestFinished(() => context.close());
  return context.newPage();
}

it.each(Object.keys(DESIGNS))(
  'the share page in %s is readable and fits a small phone and a wide window',
  async (design) => {
    for (const [width, colorScheme] of [
      [320, 'light'],
      [1280, 'dark'],
    ] as const) {
      await tab.setViewportSize({ width, height: 800 });
      await tab.emulateMedia({ colorScheme });
      await show(tab, design, SITES[width === 320 ? 'long' : 'sparse']);
      expect(await measureHorizontalOverflow(tab)).toBe(0);
      const rules = design === 'default' ? undefined : CONTRAST_RULES;
      expect(await findAccessibilityViolations(tab, rules)).toEqual([]);
      const textsOverflow = `[...document.querySelectorAll('main :is(a, button)')]
        .filter((box) => box.checkVisibility() && box.scrollWidth > box.clientWidth + 1).length`;
      expect(await tab.evaluate(textsOverflow)).toBe(0);
    }
  },
);

it('the share page copies the address, and shares it by the device', async () => {
  const page = await openContext({ permissions: ['clipboard-read', 'clipboard-write'] });
  await page.addInitScript('navigator.share = async ({ url }) => { window.shared = url; }');
  await page.clock.install({ time: 0 });
  await show(page, 'default');
  await page.clock.pauseAt(3_600_000);
  const copy = page.locator('.copy button').first();
  expect(await copy.textContent()).toContain('Copy link');
  await copy.click();
  await page.getByRole('status').getByText('Copied').waitFor();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(RENDER_CONTEXT.url);
  await page.clock.runFor(2_000);
  await page.getByRole('button', { name: 'Copy link' }).waitFor();
  await page.getByRole('button', { name: 'Share…' }).click();
  expect(await page.evaluate('shared')).toBe(RENDER_CONTEXT.url);
});

it('without a script, the share page has the address, ways to send it, the QR code and the contact', async () => {
  const page = await openContext({ javaScriptEnabled: false });
  await show(page, 'default');
  const path = new URL(RENDER_CONTEXT.url).pathname;
  const text = encodeURIComponent(RENDER_CONTEXT.url);
  for (const [name, target] of [
    ['Mail', `mailto:?body=${text}`],
    ['WhatsApp', `https://wa.me/?text=${text}`],
    ['Telegram', `https://t.me/share/url?url=${text}`],
    ['PNG', `${path}/qr.png`],
    ['SVG', `${path}/qr.svg`],
    ['Save to contacts', `${path}/card.vcf`],
    ['@mira-okafor', path],
    ['Report this page', `${RENDER_CONTEXT.url}/report`],
  ] as const)
    expect(await page.getByRole('link', { name, exact: true }).getAttribute('href')).toBe(target);
  expect(await page.getByRole('button').count()).toBe(0);
  await page.getByRole('link', { name: 'Mastodon' }).click();
  await page.getByLabel('Your Mastodon server').waitFor();
  await page.locator('.address').click();
  const code = page.getByRole('img', { name: `QR code: ${RENDER_CONTEXT.url}` });
  expect((await code.boundingBox())!.width).toBeGreaterThan(200);
  expect(await page.locator('.address').innerText()).toBe(ADDRESS);
});
