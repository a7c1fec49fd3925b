import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ownFamilies, pageFaces } from './typefaces.ts';

const files = new Map<string, Buffer>();
const rules = new Map<string, string>();

/** Sizes of fonts whose small letters are smaller than those of others. */
const SIZE_ADJUST: Readonly<Record<string, string>> = { Caveat: '135%' };

for (const { family, faces } of pageFaces()) {
  const own = faces.map(({ file, range }) => {
    const bytes = readFileSync(file);
    const name = `${hash('sha256', bytes, 'hex').slice(0, 16)}.woff2`;
    files.set(name, bytes);
    return `@font-face{font-family:"${family}";src:url(/fonts/${name})format("woff2");font-weight:100 900;font-display:swap;${sizeOf(family)}unicode-range:${range}}`;
  });
  rules.set(family, own.join(''));
}

function sizeOf(family: string): string {
  const size = SIZE_ADJUST[family];
  return size ? `size-adjust:${size};` : '';
}

/** The rules that load those of our fonts that an owner names; nothing for others. */
export function fontFaces(families: string): string {
  return ownFamilies(families)
    .map((family) => rules.get(family))
    .join('');
}

/** A file of a font by its name, which is of what is in it. */
export function fontFile(name: string): Buffer | undefined {
  return files.get(name);
}
