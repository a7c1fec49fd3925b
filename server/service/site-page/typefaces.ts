import { fileURLToPath } from 'node:url';
import caveat from '@fontsource-variable/caveat/unicode.json' with { type: 'json' };
import inter from '@fontsource-variable/inter/unicode.json' with { type: 'json' };
import jetbrainsMono from '@fontsource-variable/jetbrains-mono/unicode.json' with { type: 'json' };
import lora from '@fontsource-variable/lora/unicode.json' with { type: 'json' };
import arabic from '@fontsource-variable/noto-sans-arabic/unicode.json' with { type: 'json' };
import hebrew from '@fontsource-variable/noto-sans-hebrew/unicode.json' with { type: 'json' };
import japanese from '@fontsource-variable/noto-sans-jp/unicode.json' with { type: 'json' };
import korean from '@fontsource-variable/noto-sans-kr/unicode.json' with { type: 'json' };
import chinese from '@fontsource-variable/noto-sans-sc/unicode.json' with { type: 'json' };
import emoji from '@fontsource-variable/noto-emoji/unicode.json' with { type: 'json' };
import nunito from '@fontsource-variable/nunito/unicode.json' with { type: 'json' };
import playfairDisplay from '@fontsource-variable/playfair-display/unicode.json' with { type: 'json' };
import spaceGrotesk from '@fontsource-variable/space-grotesk/unicode.json' with { type: 'json' };

const LATIN = ['latin', 'latin-ext'];

/** Typefaces by the names of their packages: their parts, each with the characters that it is for. */
const TYPEFACES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  caveat,
  inter,
  'jetbrains-mono': jetbrainsMono,
  lora,
  'noto-emoji': emoji,
  'noto-sans-arabic': { arabic: arabic.arabic },
  'noto-sans-hebrew': { hebrew: hebrew.hebrew },
  'noto-sans-jp': japanese,
  'noto-sans-kr': korean,
  'noto-sans-sc': chinese,
  nunito,
  'playfair-display': playfairDisplay,
  'space-grotesk': spaceGrotesk,
};

/** Typefaces that pages can be set in, as they are named there. */
const FAMILIES = [
  'Caveat',
  'Inter',
  'JetBrains Mono',
  'Lora',
  'Nunito',
  'Playfair Display',
  'Space Grotesk',
];

/** A part of a typeface: a file, and the characters that it is for, as in CSS. */
export interface Face {
  file: string;
  range: string;
}

/** Families of ours among those that an owner names. */
export function ownFamilies(families: string): string[] {
  const named = new Set(families.split(',').map((name) => keyOfFamily(name.trim())));
  return FAMILIES.filter((family) => named.has(keyOfFamily(family)));
}

/** The name of a family's package. */
export function keyOfFamily(family: string): string {
  return family.toLowerCase().replaceAll(' ', '-');
}

/** Fonts that pages may load. */
export function pageFaces(): { family: string; faces: Face[] }[] {
  return FAMILIES.map((family) => ({ family, faces: facesOf(keyOfFamily(family), LATIN) }));
}

/** The parts of a typeface, or those among them that are named. */
export function facesOf(key: string, parts?: readonly string[]): Face[] {
  return Object.entries(TYPEFACES[key]!)
    .filter(([part]) => parts?.includes(part) ?? true)
    .map(([part, range]) => {
      const name = `${key}-${part.replace(/[[\]]/g, '')}-wght-normal.woff2`;
      const address = import.meta.resolve(`@fontsource-variable/${key}/files/${name}`);
      return { file: fileURLToPath(address), range };
    });
}
