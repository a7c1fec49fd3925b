import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fontFacesOf, fontFileName } from '#page/font-files.ts';

/** A style sheet that a page has in it, and what its policy allows for it. */
export interface PageStyle {
  sheet: string;
  source: string;
}

const [INTER] = fontFacesOf('inter', { subsets: ['latin'] });

/** Where the font of pages of the server itself is. */
export const PAGE_FONT = `/fonts/${fontFileName(readFileSync(INTER!.file))}`;

/** Its rule. The font is used when it is there at once, so that no text moves. */
export const PAGE_FACE = `@font-face{font-family:Inter;src:url(${PAGE_FONT})format("woff2");font-weight:100 900;font-display:optional;unicode-range:${INTER!.unicodeRange}}`;

/** The style of pages of the server itself. */
export const PAGE_STYLE = styleOf(PAGE_FACE + sheetAt(new URL('./page.css', import.meta.url)));

/** A style sheet with the source by which a policy allows it. */
export function styleOf(sheet: string): PageStyle {
  return { sheet, source: `'sha256-${hash('sha256', sheet, 'base64')}'` };
}

/** A style sheet of ours, without comments and white space. */
export function sheetAt(file: URL): string {
  return readFileSync(file, 'utf8')
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,]) ?/g, '$1')
    .replace(/: /g, ':')
    .replaceAll(';}', '}')
    .trim();
}
