import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { fontFile } from '#page/design/fonts.ts';
import type { PublicSite } from '#page/public-site.ts';
import { RENDER_CONTEXT, renderPage } from '#test/pages/support/site.ts';

/**
 * Each file is served at `https://example.org/<name>.svg`, and as stored pictures whose ids begin
 * with the name. All other picture URLs show the last one.
 */
const PICTURE_NAMES = ['portrait', 'mugs', 'bowl'];

const WOFF2 = 'font/woff2';
const SVG = 'image/svg+xml';

/**
 * Shows sites in a browser tab at their public URL, at a fixed time and without a server. No
 * request leaves the browser.
 */
export async function startSiteViewer(
  page: Page,
): Promise<(site: Partial<PublicSite>) => Promise<void>> {
  const pictures = new Map(
    PICTURE_NAMES.map((name) => [
      `/${name}.svg`,
      readFileSync(new URL(`pictures/${name}.svg`, import.meta.url)),
    ]),
  );
  let html = '';
  await page.route('**', (route) => {
    const { pathname } = new URL(route.request().url());
    const font = fontFile(pathname.replace('/fonts/', ''));
    if (font) return route.fulfill({ contentType: WOFF2, body: font });
    if (route.request().url() === RENDER_CONTEXT.url)
      return route.fulfill({ contentType: 'text/html', body: html });
    if (route.request().resourceType() !== 'image') return route.abort();
    const [, name] = /^\/pictures\/(bowl|mugs|portrait)/.exec(pathname) ?? [];
    const body = pictures.get(name ? `/${name}.svg` : pathname) ?? pictures.get('/bowl.svg')!;
    return route.fulfill({ contentType: SVG, body });
  });
  return async (site) => {
    ({ html } = renderPage(site));
    await page.goto(RENDER_CONTEXT.url);
    // Pictures below the fold load lazily.
    await page.evaluate(`Promise.all([
      document.fonts.ready,
      ...[...document.querySelectorAll('main img')].map((image) => {
        image.loading = 'eager';
        return image.decode().catch(() => {});
      }),
    ])`);
  };
}
