import { mkdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { launchChromium } from './support/chromium.ts';
import { DESIGNS, SITES, withDesign } from '../pages/support/designs.ts';
import { startSiteViewer } from './support/site-viewer.ts';

const HELP = `Usage: npm run gallery -- [--theme NAME] [--page NAME] [--width PIXELS] [--scheme NAME]

Takes pictures of pages in every design into gallery/, and puts them side by side on contact sheets.
Every option can be repeated.

  --theme   ${Object.keys(DESIGNS).join(', ')}
  --page    ${Object.keys(SITES).join(', ')}
  --width   390, 1280
  --scheme  light, dark
`;

const MULTIPLE_STRINGS = { type: 'string', multiple: true } as const;
const { values } = parseArgs({
  options: {
    theme: { ...MULTIPLE_STRINGS, default: Object.keys(DESIGNS) },
    page: { ...MULTIPLE_STRINGS, default: Object.keys(SITES) },
    width: { ...MULTIPLE_STRINGS, default: ['390', '1280'] },
    scheme: { ...MULTIPLE_STRINGS, default: ['light', 'dark'] },
    help: { type: 'boolean', default: false },
  },
});
const hasUnknownName =
  values.theme.some((name) => !DESIGNS[name]) || values.page.some((name) => !SITES[name]);
if (values.help || hasUnknownName) {
  process.stdout.write(HELP);
  process.exit(hasUnknownName ? 1 : 0);
}

const GALLERY_DIR = new URL('../../gallery/', import.meta.url);
/** Designs per contact sheet, and the width of each design in pixels. */
const [PHONES_PER_SHEET, PHONE_WIDTH] = [6, 250];
const [SCREENS_PER_SHEET, SCREEN_WIDTH] = [3, 500];

const browser = await launchChromium();
try {
  const page = await browser.newPage();
  const show = await startSiteViewer(page);
  for (const site of values.page) {
    for (const theme of values.theme) {
      await show(withDesign(SITES[site]!, DESIGNS[theme]!));
      for (const width of values.width)
        for (const colorScheme of values.scheme as ('light' | 'dark')[]) {
          await page.setViewportSize({ width: Number(width), height: width === '390' ? 844 : 800 });
          await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
          await page.screenshot({
            path: prepareFilePath(site, `${theme}-${width}-${colorScheme}`),
            fullPage: true,
          });
        }
    }
    for (const width of values.width)
      for (const scheme of values.scheme) await makeContactSheets(site, width, scheme);
  }
} finally {
  await browser.close();
}

/** Puts pictures of a page in each design side by side, and cuts off long ones at the bottom. */
async function makeContactSheets(site: string, width: string, scheme: string): Promise<void> {
  const [columns, imageWidth] =
    Number(width) < 600 ? [PHONES_PER_SHEET, PHONE_WIDTH] : [SCREENS_PER_SHEET, SCREEN_WIDTH];
  for (let start = 0; start < values.theme.length; start += columns) {
    const pictures = values.theme.slice(start, start + columns).map((theme) => {
      const base64 = readFileSync(prepareFilePath(site, `${theme}-${width}-${scheme}`)).toString(
        'base64',
      );
      return `<figure><figcaption>${theme}</figcaption><img src="data:image/png;base64,${base64}"></figure>`;
    });
    const sheet = await browser.newPage({
      viewport: { width: 8 + pictures.length * (imageWidth + 8), height: 100 },
    });
    await sheet.setContent(
      `<!doctype html><style>body{display:flex;align-items:start;gap:8px;margin:8px;font:12px sans-serif;background:#888}figure{margin:0;max-height:1540px;overflow:hidden}img{width:${imageWidth}px;display:block}</style>${pictures.join('')}`,
    );
    await sheet.screenshot({
      path: prepareFilePath('', `${site}-${width}-${scheme}-${start / columns + 1}`),
      fullPage: true,
    });
    await sheet.close();
  }
}

function prepareFilePath(folder: string, name: string): string {
  const file = new URL(`${folder ? `${folder}/` : ''}${name}.png`, GALLERY_DIR);
  mkdirSync(new URL('.', file), { recursive: true });
  return fileURLToPath(file);
}
