import { t } from './translatable.ts';

export interface PageFont {
  family: string;
  /** CSS `size-adjust`, for a font whose lower-case letters are small. */
  sizeAdjust?: string;
  /** Whether an italic file is included. Browsers slant the other fonts themselves. */
  hasItalic?: true;
  /**
   * Lightest weight in the smaller file in `page/fonts`: the font's default, because other weights
   * would be rounded anew. The licenses of Lora and Playfair Display forbid such a file.
   */
  minBasicWeight?: number;
  /** Whether it is handwriting, which is hard to read in small sizes. */
  isScript?: true;
}

/** The fonts that pages include. Each comes from the `@fontsource-variable/` package of the same name. */
export const FONTS = [
  { family: 'Caveat', sizeAdjust: '135%', isScript: true },
  { family: 'Inter', minBasicWeight: 400 },
  { family: 'JetBrains Mono', minBasicWeight: 400 },
  { family: 'Lora', hasItalic: true },
  { family: 'Nunito', minBasicWeight: 200 },
  { family: 'Playfair Display' },
  { family: 'Space Grotesk', minBasicWeight: 300 },
] as const satisfies readonly PageFont[];

export type FontFamily = (typeof FONTS)[number]['family'];

/** A body font and, if it differs, a heading font. */
interface FontPair {
  label: string;
  body: FontFamily | 'system-ui';
  heading?: FontFamily;
}

/** Font pairs by the value of the `fonts` page setting. */
export const FONT_PAIRS = {
  system: { label: t("Visitor's system font"), body: 'system-ui' },
  inter: { label: 'Inter', body: 'Inter' },
  grotesk: { label: t('Space Grotesk and Inter'), body: 'Inter', heading: 'Space Grotesk' },
  playfair: { label: t('Playfair Display and Lora'), body: 'Lora', heading: 'Playfair Display' },
  lora: { label: t('Lora and Inter'), body: 'Inter', heading: 'Lora' },
  nunito: { label: 'Nunito', body: 'Nunito' },
  caveat: { label: t('Caveat and Nunito'), body: 'Nunito', heading: 'Caveat' },
  mono: { label: 'JetBrains Mono', body: 'JetBrains Mono' },
} as const satisfies Record<string, FontPair>;

export type FontPairName = keyof typeof FONT_PAIRS;

export const FONT_FAMILIES: readonly string[] = FONTS.map(({ family }) => family);
