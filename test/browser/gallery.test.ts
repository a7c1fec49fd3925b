import { afterAll, beforeAll, expect, it } from 'vitest';
import type { PublicSite } from '#page/public-site.ts';
import type { Page } from 'playwright-core';
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

const SIZES = ['1200x800', '800x1200', '900x900', '1200x514', '640x800', '1120x640', '800x1200'];
const PICTURES = SIZES.map((size) => ({
  url: `https://example.org/pictures/${'x'.repeat(22)}-${size}/1200.webp`,
  alt: 'A bowl',
}));
const CAPTIONED = PICTURES.map((picture) => ({ ...picture, caption: 'Bowl no. 41' }));

/** Reads the position of each picture in its gallery, and how much it is cropped. */
const MEASURE = `[...document.querySelectorAll('.gallery')].map((list) => {
  const box = list.getBoundingClientRect();
  return [...list.querySelectorAll('img')].map((image) => {
    const { x, y, width, height } = image.getBoundingClientRect();
    return {
      top: Math.round(y - box.y),
      height,
      left: x - box.x,
      right: box.right - (x + width),
      crop: Math.abs((width / height) * (image.getAttribute('height') / image.getAttribute('width')) - 1),
    };
  });
})`;

interface PicturePosition {
  top: number;
  height: number;
  left: number;
  right: number;
  crop: number;
}

it.each(Object.entries(DESIGNS))(
  'pictures fill their rows and are not cropped in the design "%s"',
  async (_name, design) => {
    await show(
      withDesign(
        {
          blocks: [
            block('gallery', { items: CAPTIONED }),
            block('heading', { content: 'Adjacent images' }),
            ...PICTURES.slice(0, 2).map((picture) => block('image', picture)),
          ],
        },
        design,
      ),
    );
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      const galleries = await page.evaluate<PicturePosition[][]>(MEASURE);
      expect(galleries.map((places) => places.length)).toEqual([7, 2]);
      for (const places of galleries) {
        const rows = Map.groupBy(places, ({ top }) => top);
        for (const row of rows.values()) {
          expect([width, row[0]!.left < 1, row.at(-1)!.right < 1]).toEqual([width, true, true]);
          const heights = row.map(({ height }) => height);
          expect(Math.max(...heights) - Math.min(...heights)).toBeLessThan(1.5);
        }
        expect(Math.max(...places.map(({ crop }) => crop))).toBeLessThan(0.02);
      }
      expect(await measureHorizontalOverflow(page)).toBe(0);
    }
  },
);

it('one or two upright pictures fill the column and are at most 48rem high', async () => {
  await page.setViewportSize({ width: 1280, height: 800 });
  const upright = PICTURES.filter((_, index) => SIZES[index] === '800x1200');
  const blocks = [upright.slice(1), upright].map((items) => block('gallery', { items }));
  await show({ blocks });
  for (const places of await page.evaluate<PicturePosition[][]>(MEASURE)) {
    expect([places[0]!.left < 1, places.at(-1)!.right < 1]).toEqual([true, true]);
    expect(Math.max(...places.map(({ height }) => height))).toBeLessThanOrEqual(768);
  }
});

const VIEWED_GALLERY = block('gallery', {
  items: ['900x600', '600x900', '900x900'].map((size, index) => ({
    url: `https://example.org/pictures/${'x'.repeat(22)}-${size}/1200.webp`,
    alt: `Bowl ${index + 1}`,
    ...(index === 1 && { caption: 'From the kiln' }),
  })),
});

it('a picture of a gallery opens and closes with the keyboard', async () => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await show({ blocks: [VIEWED_GALLERY, block('divider'), VIEWED_GALLERY] });
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
});
