import { readFileSync } from 'node:fs';
import { FONTS, FONT_PAIRS, type PageFont } from '#contract/fonts.ts';
import { THEME_DEFAULT } from '#contract/page-settings.ts';
import type { PageLook } from './options.ts';
import type { PublicSite } from './public-site.ts';
import { designOf } from './themes/index.ts';
import { fontFacesOf, packageKey, bundledFamilies, fontFileName } from './font-files.ts';

/** Parts of a font that pages load. */
const LATIN_SUBSETS = ['latin', 'latin-ext'];

/** Fonts of a page, each as families in the order in which browsers look for them. */
export interface Fonts {
  body: string;
  heading: string;
}

const fileByName = new Map<string, Buffer>();
const rulesByFamily = new Map<string, string>();

const pageFonts: readonly PageFont[] = FONTS;
for (const { family, sizeAdjust, hasItalic } of pageFonts) {
  const size = sizeAdjust ? `size-adjust:${sizeAdjust};` : '';
  const own = (['normal', ...(hasItalic ? (['italic'] as const) : [])] as const).flatMap((style) =>
    fontFacesOf(packageKey(family), { subsets: LATIN_SUBSETS, style }).map(
      ({ file, unicodeRange: range }) => {
        const bytes = readFileSync(file);
        const name = fontFileName(bytes);
        fileByName.set(name, bytes);
        const slant = style === 'italic' ? 'font-style:italic;' : '';
        return `@font-face{font-family:"${family}";src:url(/fonts/${name})format("woff2");${slant}font-weight:100 900;font-display:swap;${size}unicode-range:${range}}`;
      },
    ),
  );
  rulesByFamily.set(family, own.join(''));
}

/** The rules that load those of our fonts that an owner names; nothing for others. */
export function fontFaceRules(families: string): string {
  return bundledFamilies(families)
    .map((family) => rulesByFamily.get(family))
    .join('');
}

/** A file of a font by its name, which is of what is in it. */
export function fontFile(name: string): Buffer | undefined {
  return fileByName.get(name);
}

/** The fonts of a page: those that its owner chose or names, else those of its theme. */
export function fontsOf(
  { themeId, customTheme }: PublicSite,
  { settings: { fonts } }: PageLook,
): Fonts {
  if (fonts && fonts !== THEME_DEFAULT) return withHead(FONT_PAIRS[fonts]);
  const own = themeId === null ? customTheme?.font_family : undefined;
  return withHead(own ? { body: own } : designOf(themeId));
}

function withHead({ body, heading = body }: { body: string; heading?: string }): Fonts {
  return { body, heading };
}
