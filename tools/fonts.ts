import { readFileSync } from 'node:fs';
import subsetFont from 'subset-font';
import { FONTS, type PageFont } from '#contract/shared/fonts.ts';
import { basicFontFile, fontFacesOf, fontKey, RARE_LATIN } from '#page/design/font-files.ts';
import { writeGenerated } from './generated-file.ts';

const OPTIONS = {
  targetFormat: 'woff2' as const,
  // The types of the package lack this option.
  keepFeatures: ['calt', 'kern', 'liga', 'tnum'],
  /** Copyright and license. */
  preserveNameIds: [0, 13, 14],
};

const fonts: readonly PageFont[] = FONTS;
for (const { family, minBasicWeight: min } of fonts) {
  if (min === undefined) continue;
  const [face] = fontFacesOf(fontKey(family), { subsets: ['latin'] });
  const characters = commonCharacters(face!.unicodeRange);
  const file = await subsetFont(readFileSync(face!.file), characters, {
    ...OPTIONS,
    variationAxes: { wght: { min, max: 1_000 } },
  });
  writeGenerated(basicFontFile(family), file);
}

function commonCharacters(unicodeRange: string): string {
  return unicodeRange
    .split(',')
    .flatMap((range) => {
      const [first = 0, last = first] = range
        .match(/[0-9A-F]+(?=-|$)/g)!
        .map((hex) => Number.parseInt(hex, 16));
      return Array.from({ length: last - first + 1 }, (_, index) =>
        String.fromCodePoint(first + index),
      );
    })
    .filter((character) => !RARE_LATIN.test(character))
    .join('');
}
