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
      const [first, ...others] = galleries[0]!;
      // Only the first picture is cropped, and on phones it is as wide as the window.
      expect([first!.left, first!.right].map((space) => space <= 0)).toEqual([true, true]);
      expect(first!.left < -10).toBe(width === 390);
      expect(first!.height).toBeLessThanOrEqual(561);
      for (const places of [others, galleries[1]!]) {
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

/** The number of the picture that fills the window, from 0, or -1 if none does. */
const SHOWN = `document.querySelector('.viewer:popover-open')
  ? [...document.querySelectorAll(':popover-open > ul > li')].findIndex(
      (item) => Math.abs(item.getBoundingClientRect().left) < 1)
  : -1`;

async function expectShown(index: number): Promise<void> {
  await page.waitForFunction(`(${SHOWN}) === ${index}`);
}

it('a picture opens in the window, and others follow without script', async () => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await show({ blocks: [VIEWED_GALLERY, block('divider'), VIEWED_GALLERY] });
  const picture = page.getByRole('button', { name: 'Bowl 2' }).last();
  const image = picture.locator('img');
  await picture.focus();
  const scrollY = await page.evaluate('scrollY');
  await page.keyboard.press('Enter');
  await expectShown(1);
  await image.evaluate((element) => (element as unknown as { decode(): Promise<void> }).decode());
  const { x, width, height } = (await image.boundingBox())!;
  // It has the height of the window, less space for buttons and the caption.
  expect(height).toBeGreaterThan(590);
  expect(x + width / 2).toBeCloseTo(640, 0);
  expect(await findAccessibilityViolations(page)).toEqual([]);
  expect(await page.getByRole('link', { name: 'Share' }).isVisible()).toBe(false);

  const visits = await page.evaluate('history.length');
  for (let press = 0; press < 5; press += 1) await page.keyboard.press('ArrowRight');
  await expectShown(0);
  await page.keyboard.press('ArrowRight');
  await expectShown(1);
  await page.mouse.click(640 + 66, 770);
  await expectShown(2);
  await page.mouse.click(640 - 66, 770);
  await expectShown(1);
  await page.mouse.click(640 - 66, 770);
  await expectShown(0);
  // The keys go on from there, each by one picture, however fast.
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expectShown(2);
  await page.keyboard.press('ArrowRight');
  await expectShown(0);
  expect(await page.evaluate('history.length')).toBe(visits);
  await page.keyboard.press('Escape');
  await expectShown(-1);
  expect(await page.evaluate('scrollY')).toBe(scrollY);

  await picture.click();
  await expectShown(1);
  // Beside the picture
  await page.mouse.click(4, 20);
  await expectShown(-1);
  await page.setViewportSize({ width: 390, height: 800 });
  await picture.click();
  await expectShown(1);
  expect(await measureHorizontalOverflow(page)).toBe(0);
  await page.getByRole('button', { name: 'Close' }).click();
  await expectShown(-1);
});
