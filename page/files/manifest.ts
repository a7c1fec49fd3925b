import { titleOf } from '../head.ts';
import { backgroundOf, colorsOf } from '../design/palette.ts';
import { optionsOf } from '../fields/options.ts';
import type { PublicSite } from '../public-site.ts';

const ICON_SIZES = [192, 512];

/** Web app manifest (W3C), so that visitors can add the page to their home screen. */
export function renderManifest(site: PublicSite, url: string): string {
  const { lang, locale, appearance } = optionsOf(site);
  const colors = colorsOf({
    theme_id: site.theme_id,
    custom_theme: site.custom_theme,
    look: appearance.settings.look,
    background: backgroundOf(appearance.settings),
  });
  const { bg } = 'single' in colors ? colors.single.normal : colors.light.normal;
  const start = new URL(url).pathname;
  return JSON.stringify({
    name: titleOf(site),
    short_name: site.name,
    lang,
    dir: locale.direction,
    id: start,
    start_url: start,
    scope: start,
    display: 'minimal-ui',
    theme_color: bg,
    background_color: bg,
    icons: ICON_SIZES.map((size) => ({
      // A path, because the page's policy allows pictures from its own host, whatever its name.
      src: new URL(`${url}/icon-${size}.png`).pathname,
      sizes: `${size}x${size}`,
      type: 'image/png',
      purpose: 'any maskable',
    })),
  });
}
