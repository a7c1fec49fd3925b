import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { PublicSite } from '#page/public-site.ts';
import { DESIGNS, withDesign } from '../pages/support/designs.ts';
import { block } from '../pages/support/site.ts';
import { sharedChromium } from './support/chromium.ts';
import { startSiteViewer } from './support/site-viewer.ts';
import { findAccessibilityViolations, measureHorizontalOverflow } from './support/visit.ts';

let page: Page;
let show: (site: Partial<PublicSite>) => Promise<void>;
beforeAll(async () => {
  page = await (await sharedChromium()).newPage();
  show = await startSiteViewer(page);
});
afterAll(() => page.close());

const GALLERY = block('gallery', {
  items: ['900x600', '600x900', '900x900'].map((size, index) => ({
    url: `https://example.org/pictures/${'x'.repeat(22)}-${size}/1200.webp`,
    alt: `Bowl ${index + 1}`,
    ...(index === 1 && { caption: 'From the kiln' }),
  })),
});

it.each(Object.entries(DESIGNS))(
  'a picture of a gallery opens and closes with the keyboard in the design "%s"',
  async (_name, design) => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await show(withDesign({ blocks: [GALLERY, block('divider'), GALLERY] }, design));
    const thumbnail = page.getByRole('link', { name: 'Bowl 2' }).last();
    const large = page.locator('#v1-1 img');
    expect(await large.isVisible()).toBe(false);

    await thumbnail.focus();
    await page.keyboard.press('Enter');
    await large.evaluate((image) => (image as unknown as { decode(): Promise<void> }).decode());
    const { x, width, height } = (await large.boundingBox())!;
    // It has the height of the window, less space for the button and the caption, and is not cropped.
    expect([height > 640, Math.round((width / height) * 100)]).toEqual([true, 150]);
    expect(x + width / 2).toBeCloseTo(640, 0);
    expect(await page.evaluate('document.activeElement.id')).toBe('v1-1');
    expect(await page.locator('.page').isVisible()).toBe(false);
    expect(await findAccessibilityViolations(page)).toEqual([]);

    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await large.isVisible()).toBe(false);
    expect(await page.evaluate('document.activeElement.id')).toBe('p1-1');

    await page.keyboard.press('Enter');
    expect(await large.isVisible()).toBe(true);
    await page.goBack();
    expect(await large.isVisible()).toBe(false);
    await page.setViewportSize({ width: 390, height: 800 });
    await thumbnail.click();
    expect(await measureHorizontalOverflow(page)).toBe(0);
  },
);
