import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import sharp from 'sharp';
import { EXAMPLES } from '#server/pages/landing/landing-page.ts';
import { DESIGNS, SITES, withDesign } from '../pages/support/designs.ts';
import { startSiteViewer } from './support/site-viewer.ts';

/** Takes the landing page's phone-size screenshots, at twice their displayed size. */
export async function takeExampleScreenshots(browser: Browser): Promise<void> {
  const page = await browser.newPage({
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
  });
  const show = await startSiteViewer(page);
  for (const name of EXAMPLES) {
    await show(withDesign(SITES['ordinary']!, DESIGNS[name]!));
    await page.waitForLoadState('networkidle');
    const file = new URL(`../../server/pages/landing/examples/${name}.webp`, import.meta.url);
    await sharp(await page.screenshot())
      .resize({ width: 448, height: 970, position: 'top' })
      .webp({ quality: 80 })
      .toFile(fileURLToPath(file));
  }
  await page.close();
}
