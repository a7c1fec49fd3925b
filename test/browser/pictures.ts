import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { FIGURE, blockExamples } from '../pages/support/block-examples.ts';
import { block, open } from '../pages/support/site.ts';
import { launchChromium } from './support/chromium.ts';

/** Makes the pictures of `docs/site-blocks.md` from the examples beside them. */
const BOWL = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 4" width="800" height="400"><rect width="8" height="4" fill="#d9e4ec"/><path d="M2 1.4h4q0 1.8-1.3 1.8H3.3Q2 3.2 2 1.4" fill="#2f5d86"/></svg>`;
const ADDRESS = 'https://example.org/@jane-doe';

const browser = await launchChromium();
const page = await browser.newPage({
  viewport: { width: 480, height: 200 },
  deviceScaleFactor: 1.5,
});
let html = '';
await page.route(/^https:/, (route) =>
  route.request().url() === ADDRESS
    ? route.fulfill({ contentType: 'text/html', body: html })
    : route.fulfill({ contentType: 'image/svg+xml', body: BOWL }),
);
for (const { blocks, picture } of blockExamples()) {
  if (!picture) continue;
  const stored = blocks.map(({ type, ...fields }) => block(type, fields));
  const figures = new Map(stored.map(({ id }) => [id, FIGURE]));
  ({ html } = open({ blocks: stored, figures }));
  await page.goto(ADDRESS, { waitUntil: 'networkidle' });
  await page.addStyleTag({
    content:
      '.about,footer{display:none}body{min-height:0!important}main{padding:1rem!important}h2{margin:0!important}',
  });
  mkdirSync(new URL('.', picture), { recursive: true });
  await page.screenshot({ path: fileURLToPath(picture), fullPage: false, clip: await box() });
}
await browser.close();

async function box() {
  const { width, height } = (await page.locator('main').boundingBox())!;
  await page.setViewportSize({ width: 480, height: Math.ceil(height) });
  return { x: 0, y: 0, width, height };
}
