import caveat from '@fontsource-variable/caveat/files/caveat-latin-wght-normal.woff2';
import jetBrainsMono from '@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2';
import lora from '@fontsource-variable/lora/files/lora-latin-wght-normal.woff2';
import nunito from '@fontsource-variable/nunito/files/nunito-latin-wght-normal.woff2';
import playfair from '@fontsource-variable/playfair-display/files/playfair-display-latin-wght-normal.woff2';
import grotesk from '@fontsource-variable/space-grotesk/files/space-grotesk-latin-wght-normal.woff2';
import type { FontFamily } from '#contract/shared/fonts.ts';

/** The style sheet of the dashboard has Inter. */
const FONT_FILES: Readonly<Record<Exclude<FontFamily, 'Inter'>, string>> = {
  Caveat: caveat,
  'JetBrains Mono': jetBrainsMono,
  Lora: lora,
  Nunito: nunito,
  'Playfair Display': playfair,
  'Space Grotesk': grotesk,
};

// The browser downloads a font when a tile is drawn with it.
for (const [family, file] of Object.entries(FONT_FILES))
  document.fonts.add(
    new FontFace(family, `url(${new URL(file, import.meta.url).href})`, { weight: '100 900' }),
  );
