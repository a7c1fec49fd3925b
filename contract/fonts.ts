/** A font that comes with pages. */
interface PageFont {
  /** Its name, as owners choose it and style sheets use it. */
  family: string;
  /** Size of a font whose small letters are smaller than those of others. */
  sizeAdjust?: string;
}

/** The fonts that come with pages. Each is in the package of its name at `@fontsource-variable/`. */
export const FONTS: readonly PageFont[] = [
  { family: 'Caveat', sizeAdjust: '135%' },
  { family: 'Inter' },
  { family: 'JetBrains Mono' },
  { family: 'Lora' },
  { family: 'Nunito' },
  { family: 'Playfair Display' },
  { family: 'Space Grotesk' },
];

/** The names of these fonts. */
export const FONT_FAMILIES = FONTS.map(({ family }) => family);
