import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { FONT_FAMILIES } from '#contract/shared/fonts.ts';

/** Only this subset of these families is used, because their other subsets repeat Latin letters. */
const SCRIPT_SUBSETS: Readonly<Record<string, string>> = {
  'noto-sans-arabic': 'arabic',
  'noto-sans-bengali': 'bengali',
  'noto-sans-devanagari': 'devanagari',
  'noto-sans-hebrew': 'hebrew',
  'noto-sans-thai': 'thai',
};

/** Characters of the `latin` subset that few pages use and the files in `page/fonts` lack. */
export const RARE_LATIN =
  /[¢¤-¦¨ª¬¯±-³´-¶¸-º¼-¾Ðð÷ÝýÞþÿ\u00AD\u0131\u02BB-\u02DC\u2000-\u2008\u200A\u2012\u2015-\u2017\u201B\u201F-\u2021\u2023-\u2025\u2027-\u202E\u2030-\u2038\u203B-\u205F\u2061-\u206F\u2191\u2193\u2215]/;

/** The most common characters of a font: those of its file in `page/fonts`. */
export function basicCharacters(family: string): string {
  const [face] = fontFacesOf(fontKey(family), { subsets: ['latin'] });
  const characters = face!.unicodeRange
    .split(',')
    .flatMap((range) => {
      const [first = 0, last = first] = range
        .slice('U+'.length)
        .split('-')
        .map((hex) => Number.parseInt(hex, 16));
      return Array.from({ length: last - first + 1 }, (_, index) =>
        String.fromCodePoint(first + index),
      );
    })
    .filter((character) => !RARE_LATIN.test(character))
    .join('');
  // The arrows that Inter makes from `->` take a tenth of its file.
  return family === 'Inter' ? characters.replaceAll(/[<>]/g, '') : characters;
}

/** `unicode-range` of the most common characters. */
export function basicUnicodeRange(family: string): string {
  const ranges: [number, number][] = [];
  for (const character of basicCharacters(family)) {
    const code = character.codePointAt(0)!;
    const range = ranges.at(-1);
    if (range?.[1] === code - 1) range[1] = code;
    else ranges.push([code, code]);
  }
  const hex = (code: number) => code.toString(16).toUpperCase();
  return ranges
    .map(([first, last]) => `U+${hex(first)}${last > first ? `-${hex(last)}` : ''}`)
    .join();
}

/** File of the most common characters. `tools/fonts.ts` generates it. */
export function basicFontFile(family: string): URL {
  return new URL(`../fonts/${fontKey(family)}.woff2`, import.meta.url);
}

/** A font file and the characters it covers, as a CSS `unicode-range`. */
export interface FontFace {
  file: string;
  unicodeRange: string;
}

/** Returns the bundled families among those in a CSS font list. */
export function bundledFamilies(familyList: string): string[] {
  const keys = new Set(familyList.split(',').map((name) => fontKey(name.trim())));
  return FONT_FAMILIES.filter((family) => keys.has(fontKey(family)));
}

/** Last part of the Fontsource package name. */
export function fontKey(family: string): string {
  return family.toLowerCase().replaceAll(' ', '-');
}

const subsetsByKey = new Map<string, Record<string, string>>();

/** Maps each subset of a font to its `unicode-range`. */
function subsetsOf(key: string): Record<string, string> {
  const unicodeRanges =
    subsetsByKey.get(key) ??
    (JSON.parse(readFileSync(packageFile(key, 'unicode.json'), 'utf8')) as Record<string, string>);
  subsetsByKey.set(key, unicodeRanges);
  return unicodeRanges;
}

/** Returns the upright faces of all subsets by default. */
export function fontFacesOf(
  key: string,
  { subsets, style = 'normal' }: { subsets?: readonly string[]; style?: 'normal' | 'italic' } = {},
): FontFace[] {
  const scriptSubset = SCRIPT_SUBSETS[key];
  const selected = scriptSubset === undefined ? subsets : [scriptSubset];
  return Object.entries(subsetsOf(key))
    .filter(([subset]) => selected?.includes(subset) ?? true)
    .map(([subset, unicodeRange]) => {
      const name = `${key}-${subset.replace(/[[\]]/g, '')}-wght-${style}.woff2`;
      return { file: packageFile(key, `files/${name}`), unicodeRange };
    });
}

/** The name is a content hash. */
export function fontFileName(bytes: Buffer): string {
  return `${hash('sha256', bytes, 'hex').slice(0, 16)}.woff2`;
}

function packageFile(key: string, name: string): string {
  return fileURLToPath(import.meta.resolve(`@fontsource-variable/${key}/${name}`));
}
