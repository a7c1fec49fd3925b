import { readFileSync } from 'node:fs';
import subsetFont from 'subset-font';
import { FONTS, type PageFont } from '#contract/shared/fonts.ts';
import {
  basicCharacters,
  basicFontFile,
  basicUnicodeRange,
  fontFacesOf,
  fontKey,
} from '#page/design/font-files.ts';
import { formatGenerated, writeGenerated } from './generated-file.ts';

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
  const file = await subsetFont(readFileSync(face!.file), basicCharacters(family), {
    ...OPTIONS,
    variationAxes: { wght: { min, max: 1_000 } },
  });
  writeGenerated(basicFontFile(family), file);
}

// The dashboard's style sheet cannot compute the range.
const SHEET = new URL('../dashboard/style/inter.css', import.meta.url);
const [inter] = fontFacesOf('inter', { subsets: ['latin'] });
const rule = (file: string, range: string) =>
  `@font-face{font-family:Inter;src:url('${file}') format('woff2');font-weight:400 900;font-display:swap;unicode-range:${range}}`;
writeGenerated(
  SHEET,
  formatGenerated(
    SHEET,
    `/* The second file, which the document preloads, has the most common characters. */
${rule('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2', inter!.unicodeRange)}
${rule('../../page/fonts/inter.woff2', basicUnicodeRange('Inter'))}
`,
  ),
);
