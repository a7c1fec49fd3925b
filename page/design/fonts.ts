import { readFileSync } from 'node:fs';
import { FONTS, FONT_PAIRS, type PageFont } from '#contract/shared/fonts.ts';
import { THEME_DEFAULT } from '#contract/shared/page-settings.ts';
import type { PageOptions } from '../fields/options.ts';
import type { Locale } from '../locale.ts';
import type { PublicSite } from '../public-site.ts';
import { designOf } from '../themes/index.ts';
import {
  basicCharacters,
  basicFontFile,
  bundledFamilies,
  fontFacesOf,
  fontFileName,
  fontKey,
  RARE_LATIN,
} from './font-files.ts';

/** Characters of the `latin-ext` font files. */
const EXTENDED_LATIN =
  /[\u0100-\u036F\u1D00-\u1EFF\u2020\u20A0-\u20AB\u20AD-\u20C0\u2113\u2C60-\u2C7F\uA720-\uA7FF]/;

/**
 * Which font files a page loads: those of the most common characters, the same with `<` and `>`, all
 * of Latin, or both subsets.
 */
export type LatinSet = 'basic' | 'arrows' | 'latin' | 'extended';

/** Escaped `<` or `>`, or the theme that draws `>` before links. */
const ARROWS = /&[lg]t;|data-theme="terminal"/;

export function latinSetOf(html: string): LatinSet {
  if (EXTENDED_LATIN.test(html)) return 'extended';
  if (RARE_LATIN.test(html)) return 'latin';
  return ARROWS.test(html) ? 'arrows' : 'basic';
}

/** Comma-separated font families, as in CSS `font-family`. */
export interface Fonts {
  body: string;
  heading: string;
}

const fileByName = new Map<string, Buffer>();
const rulesByFamily = new Map<string, Record<LatinSet, string>>();

const pageFonts: readonly PageFont[] = FONTS;
for (const { family, sizeAdjust, hasItalic, minBasicWeight } of pageFonts) {
  const sizeRule = sizeAdjust ? `size-adjust:${sizeAdjust};` : '';
  const faceRule = (file: string | URL, weights: string, otherRules = '') => {
    const bytes = readFileSync(file);
    const name = fontFileName(bytes);
    fileByName.set(name, bytes);
    return `@font-face{font-family:"${family}";src:url(/fonts/${name})format("woff2");font-weight:${weights};font-display:swap;${sizeRule}${otherRules}}`;
  };
  const subsetRules = (subset: string, weights = '100 900', hasRange = false) =>
    (hasItalic ? (['normal', 'italic'] as const) : (['normal'] as const))
      .map((style) => {
        const [face] = fontFacesOf(fontKey(family), { subsets: [subset], style });
        const range = hasRange ? `unicode-range:${face!.unicodeRange};` : '';
        const styleRule = style === 'italic' ? 'font-style:italic;' : '';
        return faceRule(face!.file, weights, styleRule + range);
      })
      .join('');
  const latin = subsetRules('latin');
  const basic =
    minBasicWeight === undefined
      ? latin
      : faceRule(basicFontFile(family), `${minBasicWeight} 900`) +
        subsetRules('latin', `100 ${minBasicWeight - 1}`);
  rulesByFamily.set(family, {
    basic,
    arrows: basicCharacters(family).includes('>') ? basic : latin,
    latin,
    extended: subsetRules('latin', '100 900', true) + subsetRules('latin-ext', '100 900', true),
  });
}

const ARIAL = ['Arial', 'Liberation Sans'];
const TIMES = ['Times New Roman', 'Liberation Serif'];
const COURIER = ['Courier New', 'Liberation Mono'];

/**
 * A local font in the size of each web font, measured in Chromium, so that lines end at the same
 * words before and after it has loaded: `size-adjust` of the regular and the bold font,
 * `ascent-override` and `descent-override` of the regular one, in percent. Then local fonts whose
 * Arabic letters have its style. Caveat: see notebook-rtl.css.
 */
const FALLBACK_FACES: ReadonlyMap<string, [string[], number, number, number, number, string]> =
  new Map([
    ['Inter', [ARIAL, 106.4, 101.7, 91, 23, 'Noto Sans Arabic,SF Arabic,Segoe UI,Tahoma']],
    ['Space Grotesk', [ARIAL, 107.3, 101.1, 91, 27, 'Noto Kufi Arabic,KufiStandardGK,Dubai']],
    ['Nunito', [ARIAL, 100.5, 98.7, 100, 35, 'SF Arabic Rounded,Dubai,Noto Sans Arabic,Tahoma']],
    ['Lora', [TIMES, 114.4, 110.1, 88, 24, 'Noto Naskh Arabic,Geeza Pro,Times New Roman']],
    ['Playfair Display', [TIMES, 112.2, 104.8, 96, 22, 'Amiri,DecoType Naskh,Traditional Arabic']],
    ['JetBrains Mono', [COURIER, 100, 100, 102, 30, 'Noto Kufi Arabic,KufiStandardGK,Tahoma']],
  ]);

/** Returns the `font-family` of the fallback face for a bundled font, if it has one. */
export function fallbackFamily(family: string): string | undefined {
  const [bundledFamily] = bundledFamilies(family);
  return FALLBACK_FACES.has(bundledFamily ?? '') ? `${bundledFamily} 0` : undefined;
}

/** One rule for regular and one for bold text, because browsers would smear the regular font. */
function fallbackRules(family: string): string {
  const face = FALLBACK_FACES.get(family);
  if (!face) return '';
  const [names, size, boldSize, ascent, descent] = face;
  const rule = (weights: string, suffix: string, sizeAdjust: number) => {
    const source = names.map((name) => `local("${name}${suffix}")`).join(',');
    const override = (percent: number) => Math.round((percent * size) / sizeAdjust);
    return `@font-face{font-family:"${family} 0";src:${source};font-weight:${weights};size-adjust:${sizeAdjust}%;ascent-override:${override(ascent)}%;descent-override:${override(descent)}%;line-gap-override:0%;unicode-range:U+0-24F}`;
  };
  return rule('100 599', '', size) + rule('600 900', ' Bold', boldSize);
}

/** For headings only. */
const SCRIPT_FAMILIES = new Set(
  pageFonts.filter(({ isScript }) => isScript).map(({ family }) => family),
);

/** Returns `@font-face` rules for the bundled fonts in a CSS font list. */
export function fontFaceRules(familyList: string, latinSet: LatinSet): string {
  const families = bundledFamilies(familyList);
  const rules = families.map((family) => rulesByFamily.get(family)?.[latinSet]);
  return [...rules, ...families.map(fallbackRules)].join('');
}

/** Font file names are content hashes. */
export function fontFile(name: string): Buffer | undefined {
  return fileByName.get(name);
}

/** Prefers the owner's fonts over the theme's. */
export function fontsOf(
  { theme_id, custom_theme }: Pick<PublicSite, 'theme_id' | 'custom_theme'>,
  { locale, appearance }: PageOptions,
): Fonts {
  const { fonts, look } = appearance.settings;
  if (fonts && fonts !== THEME_DEFAULT) return withHeading(FONT_PAIRS[fonts], locale);
  const customFont = theme_id === null && !look ? custom_theme?.font_family : undefined;
  if (customFont && SCRIPT_FAMILIES.has(bundledFamilies(customFont)[0] ?? ''))
    return withHeading({ body: 'Nunito', heading: customFont }, locale);
  return withHeading(customFont ? { body: customFont } : designOf(theme_id, look), locale);
}

function withHeading(
  { body, heading = body }: { body: string; heading?: string },
  { direction }: Locale,
): Fonts {
  if (direction === 'ltr') return { body, heading };
  const addArabic = (family: string) =>
    `${family},${FALLBACK_FACES.get(bundledFamilies(family)[0] ?? '')?.[5] ?? ''}`;
  return { body: addArabic(body), heading: addArabic(heading) };
}
