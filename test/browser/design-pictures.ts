import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { DESIGNS, SITES, withDesign } from '../pages/support/designs.ts';
import { launchChromium } from './support/chromium.ts';
import { startSiteViewer } from './support/site-viewer.ts';

// Takes pictures of pages in every design into gallery/, for example `--page sparse --theme ember`.
const MULTIPLE = { type: 'string', multiple: true } as const;
const { values } = parseArgs({
  options: {
    theme: { ...MULTIPLE, default: Object.keys(DESIGNS) },
    page: { ...MULTIPLE, default: Object.keys(SITES) },
    width: { ...MULTIPLE, default: ['390', '1280'] },
    scheme: { ...MULTIPLE, default: ['light', 'dark'] },
  },
});
const filePath = (file: string) => fileURLToPath(new URL(`../../gallery/${file}`, import.meta.url));

const browser = await launchChromium();
const page = await browser.newPage();
const show = await startSiteViewer(page);
const files: string[] = [];
for (const site of values.page)
  for (const theme of values.theme) {
    await show(withDesign(SITES[site]!, DESIGNS[theme]!));
    for (const width of values.width)
      for (const colorScheme of values.scheme as ('light' | 'dark')[]) {
        await page.setViewportSize({ width: Number(width), height: width === '390' ? 844 : 800 });
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        const file = `${site}/${width}-${colorScheme}-${theme}.png`;
        await page.screenshot({ path: filePath(file), fullPage: true });
        files.push(file);
      }
  }
await browser.close();
// All pictures side by side.
const images = files.toSorted().map((file) => `<img src="${file}" title="${file}" width="250">`);
writeFileSync(filePath('index.html'), images.join('\n'));
