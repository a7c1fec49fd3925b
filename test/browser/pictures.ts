import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { FIGURE, blockExamples } from '../pages/support/block-examples.ts';
import { block } from '../pages/support/site.ts';
import { launchChromium } from './support/chromium.ts';
import { siteViewer } from './support/site-viewer.ts';

/** Makes the pictures of `docs/site-blocks.md` from the examples beside them. */
const browser = await launchChromium();
const page = await browser.newPage({
  viewport: { width: 480, height: 200 },
  deviceScaleFactor: 1.5,
});
const show = await siteViewer(page);
for (const { blocks, picture } of blockExamples()) {
  if (!picture) continue;
  const stored = blocks.map(({ type, ...fields }) => block(type, fields));
  const figures = new Map(stored.map(({ id }) => [id, FIGURE]));
  await show({ blocks: stored, figures });
  await page.addStyleTag({
    content:
      '.profile:not(:has(.social)),.profile>:not(.social),footer{display:none!important}.profile{margin:0!important;padding:0!important;border:0!important}body{min-height:0!important}.page{padding:1rem!important}h2,.blocks>*{margin-block:0!important}',
  });
  mkdirSync(new URL('.', picture), { recursive: true });
  await page.screenshot({ path: fileURLToPath(picture), fullPage: false, clip: await box() });
}
await browser.close();

async function box() {
  const { width, height } = (await page.locator('.page').boundingBox())!;
  await page.setViewportSize({ width: 480, height: Math.ceil(height) });
  return { x: 0, y: 0, width, height };
}
