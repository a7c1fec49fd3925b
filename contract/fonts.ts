/** A font that comes with pages. */
interface PageFont {
  /** Its name, as owners choose it and style sheets use it. */
  family: string;
  /** Size of a font whose small letters are smaller than those of others. */
  sizeAdjust?: string;
  /** Whether its slanted letters come with pages too; browsers slant those of others. */
  hasItalic?: true;
}

/** The fonts that come with pages. Each is in the package of its name at `@fontsource-variable/`. */
export const FONTS: readonly PageFont[] = [
  { family: 'Caveat', sizeAdjust: '135%' },
  { family: 'Inter' },
  { family: 'JetBrains Mono' },
  { family: 'Lora', hasItalic: true },
  { family: 'Nunito' },
  { family: 'Playfair Display' },
  { family: 'Space Grotesk' },
];

/** Fonts that go together: one of texts, and one of headings where it is another. */
interface FontPair {
  label: string;
  body: string;
  head?: string;
}

/** The pairs that owners choose from, by the values of the setting. */
export const FONT_PAIRS = {
  system: { label: "The visitor's own", body: 'system-ui' },
  inter: { label: 'Inter', body: 'Inter' },
  grotesk: { label: 'Space Grotesk and Inter', body: 'Inter', head: 'Space Grotesk' },
  playfair: { label: 'Playfair Display and Lora', body: 'Lora', head: 'Playfair Display' },
  lora: { label: 'Lora and Inter', body: 'Inter', head: 'Lora' },
  nunito: { label: 'Nunito', body: 'Nunito' },
  caveat: { label: 'Caveat and Nunito', body: 'Nunito', head: 'Caveat' },
  mono: { label: 'JetBrains Mono', body: 'JetBrains Mono' },
} as const satisfies Record<string, FontPair>;

/** The names of the fonts that come with pages. */
export const FONT_FAMILIES = FONTS.map(({ family }) => family);
