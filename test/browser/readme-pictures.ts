import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { LOGO } from '#server/entry/pages/shell/brand.ts';
import { createExampleData } from '../../tools/demo/example-data.ts';
import { startExampleServer } from '../../tools/demo/example-server.ts';
import { DESIGNS, SITES, withDesign } from '../pages/support/designs.ts';
import { startSiteViewer } from './support/site-viewer.ts';

/** The URL that the screenshots show instead of the server's real one. */
const PUBLIC_URL = 'https://commons.example';
const SCREEN_SIZE = { width: 1_440, height: 900 };
const PHONE_SIZE = { width: 390, height: 780 };
/** Picture pixels per CSS pixel. Makes pictures about twice as wide as the README shows them. */
const SCALE = 1.4;

/** Generates the pictures of README.md and docs/api.md, and the logo. */
export async function takeReadmePictures(browser: Browser): Promise<void> {
  for (const file of ['docs/pictures/logo.svg', 'client/logo.svg'])
    await writeFile(filePath(file), `${LOGO}\n`);
  const [meadowUrl, emberUrl, ...otherScreenshots] = await screenshotPages(browser, [
    ...['meadow', 'ember'],
    ...['paper', 'midnight', 'blossom', 'terminal'],
  ]);
  const server = await startExampleServer({ PORT: '0', PUBLIC_URL });
  try {
    const loginLink = await createExampleData(server, PUBLIC_URL);
    const homeUrl = toDataUrl(await screenshotDashboard(browser, server.origin, loginLink));
    await renderLayout(browser, 'hero.png', {
      style: `body{height:840px;position:relative;overflow:hidden}.screen{position:absolute;left:72px;top:72px;width:1220px;border-radius:14px;box-shadow:0 24px 60px #0003}.phone{position:absolute}.phone:nth-of-type(1){left:930px;top:184px}.phone:nth-of-type(2){left:1258px;top:112px}`,
      body: `<img class="screen" src="${homeUrl}">${renderPhone(meadowUrl)}${renderPhone(emberUrl)}`,
    });
    await renderLayout(browser, 'pages.jpg', {
      style:
        'body{display:flex;justify-content:center;align-items:flex-start;gap:56px;padding-top:64px;height:620px;box-sizing:border-box;overflow:hidden}',
      body: otherScreenshots.map(renderPhone).join(''),
    });
    await screenshotReference(browser, server.origin);
  } finally {
    await server.close();
  }
}

function filePath(file: string): string {
  return fileURLToPath(new URL(`../../${file}`, import.meta.url));
}

function toDataUrl(png: Buffer): string {
  return `data:image/png;base64,${png.toString('base64')}`;
}

function renderPhone(imageUrl: string | undefined): string {
  return `<div class="phone"><img src="${imageUrl}"></div>`;
}

/** One phone-size screenshot of the example page per theme. */
async function screenshotPages(browser: Browser, themes: readonly string[]): Promise<string[]> {
  const page = await browser.newPage({ viewport: PHONE_SIZE, deviceScaleFactor: 2 });
  const show = await startSiteViewer(page);
  const screenshots: string[] = [];
  for (const theme of themes) {
    await show(withDesign({ ...SITES['ordinary'], name: 'mira' }, DESIGNS[theme]!));
    screenshots.push(toDataUrl(await page.screenshot()));
  }
  await page.close();
  return screenshots;
}

/** Routes requests for `PUBLIC_URL` to the server. */
async function routePage(page: Page, origin: string): Promise<void> {
  await page.route(`${PUBLIC_URL}/**`, async (route) => {
    const request = route.request();
    const response = await route.fetch({
      url: request.url().replace(PUBLIC_URL, origin),
      headers: { ...request.headers(), 'sec-fetch-site': 'same-origin' },
      maxRedirects: 0,
    });
    if (!/css/.test(response.headers()['content-type'] ?? '')) return route.fulfill({ response });
    // Make the screenshot wait for the font.
    const body = (await response.text()).replaceAll('font-display:swap', 'font-display:block');
    return route.fulfill({ response, body });
  });
}

async function screenshotDashboard(
  browser: Browser,
  origin: string,
  loginLink: string,
): Promise<Buffer> {
  const page = await browser.newPage({
    viewport: SCREEN_SIZE,
    deviceScaleFactor: 2,
    reducedMotion: 'reduce',
  });
  await routePage(page, origin);
  await page.goto(loginLink);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { name: /^This week/ }).waitFor();
  await page.waitForLoadState('networkidle');
  return page.screenshot();
}

/** Takes a screenshot of one endpoint in the API reference. */
async function screenshotReference(browser: Browser, origin: string): Promise<void> {
  const page = await browser.newPage({ viewport: SCREEN_SIZE, deviceScaleFactor: SCALE });
  await routePage(page, origin);
  await page.goto(`${PUBLIC_URL}/docs/#getSiteConfiguration`);
  await page.getByRole('heading', { name: 'API reference', exact: true }).waitFor();
  await page.waitForLoadState('networkidle');
  await writePicture(await page.screenshot(), 'reference.png');
}

/** Lays out pictures on the dashboard's background color. */
async function renderLayout(
  browser: Browser,
  name: string,
  { style, body }: { style: string; body: string },
): Promise<void> {
  const page = await browser.newPage({
    viewport: { width: 1_600, height: 100 },
    deviceScaleFactor: SCALE,
  });
  await page.setContent(
    `<!doctype html><meta charset="utf-8"><style>body{margin:0;background:#e3dfd4}.phone{width:300px;padding:8px;background:#16150f;border-radius:42px;box-shadow:0 24px 60px #0003}.phone img{display:block;width:100%;border-radius:34px}${style}</style>${body}`,
  );
  await writePicture(await page.locator('body').screenshot(), name);
}

/**
 * Writes a picture file. PNGs are reduced to 256 colors, which makes them a third of the size, so
 * pictures with gradients are saved as JPEG.
 */
async function writePicture(png: Buffer, name: string): Promise<void> {
  const image = sharp(png);
  if (name.endsWith('.png')) image.png({ palette: true, quality: 90, effort: 10 });
  else image.jpeg({ quality: 80, mozjpeg: true });
  await image.toFile(filePath(`docs/pictures/${name}`));
}
