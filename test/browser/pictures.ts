import { mkdirSync } from 'node:fs';
import { parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import { THEMES } from '#contract/themes.ts';
import { PAGE_METRIC, readBlockExamples } from '../pages/support/block-examples.ts';
import { DESIGNS, SITES, withDesign } from '../pages/support/designs.ts';
import { block } from '../pages/support/site.ts';
import { takeReadmePictures } from './readme-pictures.ts';
import { launchChromium } from './support/chromium.ts';
import { startSiteViewer } from './support/site-viewer.ts';

/** Block kinds to draw. Without arguments, all pictures are generated. */
const kinds = process.argv.slice(2);

// Generates all pictures of the documentation, and the logo.
const browser = await launchChromium();
const page = await browser.newPage({
  viewport: { width: 480, height: 200 },
  deviceScaleFactor: 1.5,
});
const show = await startSiteViewer(page);
const examples = readBlockExamples().filter(
  ({ picture }) => picture && (kinds.length === 0 || kinds.includes(parse(picture.pathname).name)),
);
if (examples.length === 0) throw new Error('docs/site-blocks.md has no picture of this kind.');
for (const { blocks, picture } of examples) {
  const storedBlocks = blocks.map(({ type, ...fields }) => block(type, fields));
  const pageMetrics = new Map(storedBlocks.map(({ id }) => [id, PAGE_METRIC]));
  await show({ blocks: storedBlocks, pageMetrics });
  await page.addStyleTag({
    content:
      '.profile:not(:has(.social)),.profile>:not(.social),footer{display:none!important}.profile{margin:0!important;padding:0!important;border:0!important}body,.page{min-height:0!important}.page{padding:1rem!important}h2,.blocks>*{margin-block:0!important}',
  });
  mkdirSync(new URL('.', picture!), { recursive: true });
  await page.screenshot({
    path: fileURLToPath(picture!),
    fullPage: false,
    clip: await fitViewport(),
  });
}
if (kinds.length === 0) {
  await takeThemeScreenshots();
  await takeReadmePictures(browser);
}
await browser.close();

async function fitViewport() {
  const { width, height } = (await page.locator('.page').boundingBox())!;
  await page.setViewportSize({ width: 480, height: Math.ceil(height) });
  return { x: 0, y: 0, width, height };
}

async function takeThemeScreenshots() {
  await page.setViewportSize({ width: 1280, height: 1000 });
  const figures: string[] = [];
  for (const name of ['Default', ...THEMES.map((theme) => theme.name)]) {
    await show(withDesign(SITES['ordinary']!, DESIGNS[name.toLowerCase()]!));
    await page.waitForLoadState('networkidle');
    const base64 = (await page.screenshot()).toString('base64');
    figures.push(
      `<figure><img src="data:image/png;base64,${base64}"><figcaption>${name}</figcaption></figure>`,
    );
  }
  const sheet = await browser.newPage({ viewport: { width: 1640, height: 100 } });
  await sheet.setContent(
    `<!doctype html><style>body{display:grid;grid-template-columns:repeat(4,1fr);gap:16px;margin:16px;font:16px sans-serif}figure{margin:0}img{width:100%;display:block;border-radius:8px;outline:1px solid #ddd}figcaption{padding:6px 2px}</style>${figures.join('')}`,
  );
  const path = fileURLToPath(new URL('../../docs/pictures/themes.jpg', import.meta.url));
  await sheet.screenshot({ path, type: 'jpeg', quality: 82, fullPage: true });
}
