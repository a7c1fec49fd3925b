import { type PageOptions, settingSheets } from '../fields/options.ts';
import type { Locale } from '../locale.ts';
import type { PublicSite } from '../public-site.ts';
import { designOf, type PageShape, type ThemeDesign, themeSheets } from '../themes/index.ts';
import { type Fonts, fontsOf } from './fonts.ts';
import { backgroundOf, colorsOf, hasCustomColors, type PageColors } from './palette.ts';
import type { DesignSheets } from './style.ts';

interface PageDesign extends DesignSheets {
  design: ThemeDesign;
  colors: PageColors;
  fonts: Fonts;
}

/** What the theme and the owner's settings make of a page. */
export function pageDesignOf(
  site: Pick<PublicSite, 'theme_id' | 'custom_theme'>,
  options: PageOptions,
  shape: PageShape,
): PageDesign {
  const { theme_id, custom_theme } = site;
  const { settings } = options.appearance;
  const { look } = settings;
  const design = designOf(theme_id, look);
  return {
    design,
    colors: colorsOf({ theme_id, custom_theme, look, background: backgroundOf(settings) }),
    fonts: fontsOf(site, options),
    theme: themeSheets(design, { ...shape, hasCustomColors: hasCustomColors(site) }),
    look: lookSheets(look, options.locale),
    settings: settingSheets(options.appearance),
  };
}

/** File names in `styles`. */
function lookSheets(look: string | undefined, { direction }: Locale): string[] {
  if (!look) return [];
  const sheet = `settings/look-${look}`;
  return look === 'notebook' && direction === 'rtl' ? [sheet, 'notebook-rtl'] : [sheet];
}
