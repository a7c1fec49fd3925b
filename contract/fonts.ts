/** A font that comes with pages. */
export interface PageFont {
  /** Its name, as owners choose it and style sheets use it. */
  family: string;
  /** Size of a font whose small letters are smaller than those of others. */
  sizeAdjust?: string;
  /** Whether its slanted letters come with pages too; browsers slant those of others. */
  hasItalic?: true;
}

/** The fonts that come with pages. Each is in the package of its name at `@fontsource-variable/`. */
export const FONTS = [
  { family: 'Caveat', sizeAdjust: '135%' },
  { family: 'Inter' },
  { family: 'JetBrains Mono' },
  { family: 'Lora', hasItalic: true },
  { family: 'Nunito' },
  { family: 'Playfair Display' },
  { family: 'Space Grotesk' },
] as const satisfies readonly PageFont[];

export type FontFamily = (typeof FONTS)[number]['family'];

/** Fonts that go together: one of texts, and one of headings where it is another. */
interface FontPair {
  label: string;
  body: FontFamily | 'system-ui';
  heading?: FontFamily;
}

/** The pairs that owners choose from, by the values of the setting. */
export const FONT_PAIRS = {
  system: { label: "The visitor's own", body: 'system-ui' },
  inter: { label: 'Inter', body: 'Inter' },
  grotesk: { label: 'Space Grotesk and Inter', body: 'Inter', heading: 'Space Grotesk' },
  playfair: { label: 'Playfair Display and Lora', body: 'Lora', heading: 'Playfair Display' },
  lora: { label: 'Lora and Inter', body: 'Inter', heading: 'Lora' },
  nunito: { label: 'Nunito', body: 'Nunito' },
  caveat: { label: 'Caveat and Nunito', body: 'Nunito', heading: 'Caveat' },
  mono: { label: 'JetBrains Mono', body: 'JetBrains Mono' },
} as const satisfies Record<string, FontPair>;

/** The names of the fonts that come with pages. */
export const FONT_FAMILIES: readonly string[] = FONTS.map(({ family }) => family);
